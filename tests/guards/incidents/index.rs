//! Which test holds which incident: every number of B to F is named by a test, or is listed here
//! with the reason why it is not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The numbers of `incidents` B to F; the numbering has gaps.
const NUMBERS: [u32; 68] = [
    34, 35, 37, 38, 39, 41, 42, 43, 45, 46, 47, 49, 50, 51, 53, 54, 55, 57, 58, 59, 61, 62, 63, 65,
    66, 67, 69, 70, 71, 73, 74, 75, 77, 78, 79, 81, 82, 83, 85, 86, 87, 89, 90, 91, 93, 94, 95, 97,
    98, 99, 101, 102, 103, 105, 106, 107, 109, 110, 111, 113, 114, 115, 117, 118, 119, 121, 122,
    123,
];

/// Those that no test here can rebuild.
const NOT_HERE: [(u32, &str); 2] = [
    (
        91,
        "a link or junction on Windows, cause unproven; its POSIX form is 93",
    ),
    (
        114,
        "an accept deletes no branch; the tests of the step that does belong to drop",
    ),
];

fn sources(directory: &Path, found: &mut Vec<(String, String)>) {
    let entries = std::fs::read_dir(directory).expect("the tests are there");
    for entry in entries {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("index.rs") {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            let name = path.strip_prefix(root).expect("it is below").display();
            let text = std::fs::read_to_string(&path).expect("it is text");
            found.push((name.to_string(), text));
        }
    }
}

/// The numbers after the word, as in `incident_54_55_name` and "Incidents 54, 55".
fn numbers(after: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut rest = after.strip_prefix('s').map_or(after, |rest| rest);
    loop {
        rest = rest.trim_start_matches([' ', ',', '_', '`']);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return numbers;
        }
        let (number, then) = rest.split_at(digits);
        numbers.push(number.parse().expect("digits"));
        rest = then;
    }
}

/// The test that a place in a file belongs to.
fn test_at(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let start = line + text[line..].find("fn ")? + 3;
    let end = text[start..].find('(')?;
    Some(&text[start..start + end])
}

#[test]
fn every_incident_has_its_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("tests"), &mut files);
    let mut named: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &files {
        for word in ["incident", "Incident"] {
            for (at, _) in text.match_indices(word) {
                // What a module says of itself is no test.
                let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
                if text[line..].starts_with("//!") {
                    continue;
                }
                for number in numbers(&text[at + word.len()..]) {
                    let test = test_at(text, at).expect("a test follows");
                    let places = named.entry(number).or_default();
                    places.insert(format!("{file} {test}"));
                }
            }
        }
    }
    let mut table = String::new();
    for number in NUMBERS {
        let excuse = NOT_HERE.iter().find(|(known, _)| *known == number);
        match (named.get(&number), excuse) {
            (Some(places), _) => {
                for place in places {
                    writeln!(table, "{number:>4} {place}").expect("a string");
                }
            }
            (None, Some((_, why))) => writeln!(table, "{number:>4} no test: {why}").expect("fits"),
            (None, None) => panic!("incident {number} is named by no test"),
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root.join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("guards__incidents", table));
}
