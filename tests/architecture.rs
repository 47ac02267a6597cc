//! The borders of `src/lib.rs` and `style 4`: who may import whom, how large a file may be, and
//! which shortcuts are not taken where a removal is decided.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each module may import. `fact`, `resource`, `diag`, `yaml`, and `job` are pure leaves; `git`,
/// `journal`, and `ledger` are for those who look at the world or change it.
const MAY_IMPORT: [(&str, &[&str]); 17] = [
    ("fact", &[]),
    ("resource", &[]),
    ("diag", &["resource"]),
    ("git", &["resource"]),
    ("yaml", &["diag"]),
    ("job", &["yaml", "diag", "resource"]),
    ("ledger", &["job", "resource"]),
    ("policy", &["yaml", "diag", "resource", "job"]),
    ("journal", &["job", "resource"]),
    (
        "observe",
        &[
            "policy", "fact", "resource", "git", "journal", "job", "ledger",
        ],
    ),
    ("assess", &["observe", "policy", "fact", "resource", "job"]),
    (
        "plan",
        &["assess", "observe", "policy", "fact", "resource", "job"],
    ),
    (
        "trial",
        &[
            "plan", "assess", "observe", "policy", "fact", "resource", "job",
        ],
    ),
    (
        "apply",
        &[
            "plan", "assess", "observe", "policy", "fact", "resource", "git", "journal", "job",
            "ledger",
        ],
    ),
    (
        "report",
        &[
            "apply", "plan", "assess", "observe", "policy", "fact", "resource", "job",
        ],
    ),
    (
        "render",
        &[
            "report", "apply", "plan", "assess", "observe", "policy", "fact", "resource", "diag",
            "job", "trial",
        ],
    ),
    (
        "cli",
        &[
            "render", "report", "apply", "plan", "assess", "observe", "policy", "fact", "resource",
            "diag", "git", "job", "ledger", "trial",
        ],
    ),
];

/// No file is longer.
const CAP: usize = 600;
/// Half of the files are not longer than this.
const MEDIAN: usize = 150;

/// Ways to turn an error into an answer, which `observe` and `apply` may not take.
const SHORTCUTS: [&str; 15] = [
    ".unwrap_or(",
    ".unwrap_or_default(",
    ".unwrap_or_else(",
    ".ok()",
    ".exists()",
    ".try_exists(",
    ".is_ok_and(",
    ".is_ok()",
    ".is_err()",
    "if let Ok(",
    "let Ok(",
    ".flatten_ok(",
    ".filter_map(Result::ok",
    ".map_or(None, Some)",
    "Err(_) =>",
];

/// Where one of them is right after all: file, shortcut, how often, and why.
const ALLOWED: &[(&str, &str, usize, &str)] = include!("architecture/allowed.in");

struct Source {
    /// Relative to `src`.
    path: String,
    text: String,
}

impl Source {
    /// The top module that it belongs to.
    fn module(&self) -> &str {
        let top = self
            .path
            .split('/')
            .next()
            .expect("a path has a first part");
        top.trim_end_matches(".rs")
    }

    /// Its lines that are code, before its unit tests.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
            .map(|(nth, line)| (nth + 1, line.split("//").next().expect("there is a first")))
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<Source> {
    let src = root().join("src");
    let mut found = Vec::new();
    let mut ahead = vec![src.clone()];
    while let Some(path) = ahead.pop() {
        if path.is_dir() {
            ahead.extend(
                fs::read_dir(path)
                    .expect("the sources can be read")
                    .map(|entry| entry.expect("the sources can be read").path()),
            );
        } else {
            let text = fs::read_to_string(&path).expect("the sources can be read");
            let path = path
                .strip_prefix(&src)
                .expect("the sources can be read")
                .to_str()
                .expect("the sources can be read")
                .to_owned();
            found.push(Source { path, text });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 50, "the sources are found");
    found
}

/// The top modules that a line names through `crate::`.
fn named(line: &str) -> Vec<String> {
    line.split("crate::")
        .skip(1)
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(group) => group.split(',').map(str::trim).map(word).collect(),
            None => vec![word(rest)],
        })
        .filter(|name| !name.is_empty())
        .collect()
}

fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_ascii_lowercase() || *c == '_')
        .collect()
}

#[test]
fn modules_import_only_what_is_before_them() {
    let may: BTreeMap<&str, &[&str]> = MAY_IMPORT.into_iter().collect();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for source in sources() {
        let module = source.module();
        if matches!(module, "lib" | "main") {
            continue;
        }
        let Some(allowed) = may.get(module) else {
            wrong.push(format!("{}: no module of this architecture", source.path));
            continue;
        };
        for (nth, line) in source.code() {
            for name in named(line) {
                seen += 1;
                if name != module && !allowed.contains(&name.as_str()) {
                    wrong.push(format!("{}:{nth}: {module} imports {name}", source.path));
                }
            }
        }
    }
    assert!(seen > 100, "imports are found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn an_import_that_is_not_allowed_would_be_found() {
    assert_eq!(named("use crate::plan::Row;"), ["plan"]);
    assert_eq!(
        named("    fn x(a: &crate::git::Git) -> crate::plan::Row {"),
        ["git", "plan"]
    );
    assert_eq!(named("use crate::{fact, git::Git};"), ["fact", "git"]);
    assert!(named("use super::x;").is_empty());
}

#[test]
fn files_are_small() {
    let mut sizes: Vec<(usize, String)> = sources()
        .into_iter()
        .map(|source| (source.text.lines().count(), source.path))
        .collect();
    sizes.sort();
    let large: Vec<_> = sizes.iter().filter(|(lines, _)| *lines > CAP).collect();
    assert!(large.is_empty(), "{large:?}");
    let (median, path) = &sizes[sizes.len() / 2];
    assert!(
        *median <= MEDIAN,
        "half of the files are longer than {median} lines, such as {path}"
    );
}

#[test]
fn names_say_what_is_in_a_file() {
    const SAY_NOTHING: [&str; 6] = ["utils", "util", "common", "helpers", "helper", "misc"];
    for source in sources() {
        for part in source.path.split(['/', '.']) {
            assert!(!SAY_NOTHING.contains(&part), "{}", source.path);
        }
    }
}

#[test]
fn nothing_is_left_to_do() {
    // Split, so that this file does not find itself.
    let marks = [
        "TO\u{44}O",
        "FIX\u{4d}E",
        "XX\u{58}",
        "unimplemented!",
        "todo!(",
        "dbg!(",
    ];
    for source in sources() {
        for (nth, line) in source.text.lines().enumerate() {
            let found = marks.iter().find(|mark| line.contains(**mark));
            assert_eq!(found, None, "{}:{}", source.path, nth + 1);
        }
    }
}

/// `Path::is_dir` and its like answer "no" where they could not tell. The same methods of
/// metadata, which has been read, are fine.
fn asks_a_path(line: &str) -> bool {
    [".is_dir()", ".is_file()", ".is_symlink()"]
        .iter()
        .any(|ask| {
            line.split(ask)
                .zip(line.match_indices(ask))
                .any(|(before, _)| {
                    let receiver: String = before
                        .chars()
                        .rev()
                        .take_while(|c| c.is_alphanumeric() || "_().?".contains(*c))
                        .collect::<Vec<_>>()
                        .into_iter()
                        .rev()
                        .collect();
                    let of_metadata = ["metadata", "file_type()", "file_type()?", "found"];
                    !of_metadata.iter().any(|name| receiver.ends_with(name))
                })
        })
}

#[test]
fn no_error_becomes_an_answer_where_removals_are_decided() {
    assert!(asks_a_path("if path.is_dir() {") && asks_a_path("self.root().is_file()"));
    assert!(!asks_a_path(
        "if metadata.is_dir() && entry.file_type()?.is_dir() {"
    ));
    let mut found: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut places: Vec<String> = Vec::new();
    for source in sources() {
        if !matches!(source.module(), "observe" | "apply") {
            continue;
        }
        for (nth, line) in source.code() {
            let mut taken: Vec<&str> = SHORTCUTS
                .into_iter()
                .filter(|shortcut| line.contains(shortcut))
                .collect();
            // `if let Ok(` is a `let Ok(` as well, and counts once.
            if taken.contains(&"if let Ok(") {
                taken.retain(|shortcut| *shortcut != "let Ok(");
            }
            if asks_a_path(line) {
                taken.push("a question to a path");
            }
            for shortcut in taken {
                let key = (source.path.clone(), shortcut.to_owned());
                *found.entry(key).or_default() += 1;
                places.push(format!("{}:{nth}: {shortcut}", source.path));
            }
        }
    }
    let allowed: BTreeMap<(String, String), usize> = ALLOWED
        .iter()
        .map(|(path, shortcut, count, why)| {
            assert!(why.len() > 10, "{path}: {shortcut} needs a reason");
            (((*path).to_owned(), (*shortcut).to_owned()), *count)
        })
        .collect();
    let differ: BTreeSet<_> = found
        .iter()
        .chain(&allowed)
        .filter(|(key, _)| found.get(*key) != allowed.get(*key))
        .map(|(key, _)| key)
        .collect();
    let lines: Vec<_> = places
        .iter()
        .filter(|place| {
            let of = |(path, shortcut): &(String, String)| {
                place.starts_with(path.as_str()) && place.ends_with(shortcut.as_str())
            };
            differ.iter().any(|key| of(key))
        })
        .cloned()
        .collect();
    assert!(
        differ.is_empty(),
        "not as allowed: {differ:#?}\n{}",
        lines.join("\n")
    );
}

#[test]
fn every_policy_is_embedded() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("policies")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert_eq!(
            path.extension(),
            Some("yaml".as_ref()),
            "{}",
            path.display()
        );
        let policy = owl::policy::Policy::builtin(name);
        assert!(policy.is_some(), "{} is not embedded", path.display());
        count += 1;
    }
    assert!(count >= 2);
}

/// A snapshot that no test binds would go stale unseen.
#[test]
fn every_snapshot_belongs_to_a_test_file() {
    for entry in fs::read_dir(root().join("snapshots")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let test = name.split("__").next().unwrap();
        let file = root().join("tests").join(format!("{test}.rs"));
        let folder = root().join("tests").join(test);
        assert!(
            is_there(&file) || is_there(&folder),
            "{name} belongs to no test"
        );
    }
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
