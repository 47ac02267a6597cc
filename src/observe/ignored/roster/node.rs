//! What npm, pnpm, and yarn say that they have put into `node_modules`.

use super::{Roster, text_of};
use crate::observe::ignored::Level;
use rustix::io::Errno;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// Names that start with a dot are those of tools that keep something there for all packages.
const HIDDEN: &[&str] = &[".*"];

/// Top-level names, scoped ones as `@scope/name`; none if the record does not tell.
type Told = Option<Vec<String>>;

type Parse = fn(&[u8]) -> Told;

const RECORDS: [(&str, Parse); 4] = [
    (".package-lock.json", npm),
    (".modules.yaml", pnpm),
    (".yarn-integrity", yarn),
    (".yarn-state.yml", berry),
];

/// Reads every record that is there: a directory may have been filled by more than one program.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let mut roster = Roster::default();
    roster.shelf("", HIDDEN);
    for (name, parse) in RECORDS {
        if !level.has_file(name.as_bytes())? {
            continue;
        }
        let Some(text) = text_of(level.handle(), name.as_bytes())? else {
            continue;
        };
        let Some(names) = parse(&text) else {
            return Ok(None);
        };
        for name in names {
            let (scope, inner) = match name.split_once('/') {
                Some((scope, inner)) => (scope, Some(inner)),
                None => (name.as_str(), None),
            };
            roster.shelf("", HIDDEN).named.insert(scope.into());
            if let Some(inner) = inner {
                roster.shelf(scope, HIDDEN).named.insert(inner.into());
            }
        }
    }
    Ok(Some(roster))
}

/// npm: an entry a place, `node_modules/NAME`, or `node_modules/NAME/node_modules/OTHER`.
fn npm(text: &[u8]) -> Told {
    #[derive(Deserialize)]
    #[expect(clippy::zero_sized_map_values, reason = "a set is not read from a map")]
    struct Lock {
        packages: Option<BTreeMap<String, IgnoredAny>>,
    }
    let Ok(lock) = serde_json::from_slice::<Lock>(text) else {
        return Some(Vec::new());
    };
    let places = lock.packages?.into_keys();
    let top = places.filter_map(|place| {
        let below = place.strip_prefix("node_modules/")?;
        below.split("/node_modules/").next().map(str::to_owned)
    });
    Some(top.collect())
}

/// pnpm makes symlinks there and no directory, unless it was told to lay packages out flat: of
/// those it keeps no list of places.
fn pnpm(text: &[u8]) -> Told {
    let text = String::from_utf8_lossy(text);
    let linker = text.lines().find(|line| line.contains("nodeLinker"))?;
    linker.contains("isolated").then(Vec::new)
}

/// yarn 1: an entry a range, `NAME@RANGE`, and no place has another name.
fn yarn(text: &[u8]) -> Told {
    #[derive(Deserialize)]
    #[expect(clippy::zero_sized_map_values, reason = "a set is not read from a map")]
    struct Integrity {
        #[serde(rename = "lockfileEntries")]
        entries: Option<BTreeMap<String, IgnoredAny>>,
    }
    let Ok(integrity) = serde_json::from_slice::<Integrity>(text) else {
        return Some(Vec::new());
    };
    let ranges = integrity.entries?.into_keys();
    let names = ranges.filter_map(|range| {
        let end = range.char_indices().skip(1).find(|(_, c)| *c == '@')?.0;
        range.get(..end).map(str::to_owned)
    });
    Some(names.collect())
}

/// yarn 2 and later: below `locations:`, a place a line.
fn berry(text: &[u8]) -> Told {
    let text = String::from_utf8_lossy(text);
    let mut places = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "))
        .map(|place| place.trim_matches('"'))
        .peekable();
    places.peek()?;
    let top = places.filter_map(|place| {
        let below = place.strip_prefix("node_modules/")?;
        below.split("/node_modules/").next().map(str::to_owned)
    });
    Some(top.collect())
}

#[cfg(test)]
mod tests {
    use super::{berry, npm, pnpm, yarn};

    #[test]
    fn each_record_names_what_lies_at_the_top() {
        let text = br#"{"packages":{"node_modules/a":{},"node_modules/@s/b":{"link":true},
            "node_modules/a/node_modules/c":{},"packages/w":{}}}"#;
        assert_eq!(npm(text).unwrap_or_default(), ["@s/b", "a", "a"]);
        let text = br#"{"lockfileEntries":{"a@^1":"x","@s/b@npm:@t/c@2":"y"}}"#;
        assert_eq!(yarn(text).unwrap_or_default(), ["@s/b", "a"]);
        let text = b"# x\n__metadata:\n  version: 1\n\n\"a@npm:1\":\n  locations:\n    - \"node_modules/@s/b\"\n    - \"packages/w/node_modules/c\"\n";
        assert_eq!(berry(text).unwrap_or_default(), ["@s/b"]);
        assert_eq!(pnpm(b"nodeLinker: isolated\n"), Some(Vec::new()));
    }

    #[test]
    fn a_record_that_does_not_tell_and_one_that_cannot_be_read() {
        for silent in [npm(b"{}"), yarn(b"{}"), berry(b"x:\n"), pnpm(b"a: b\n")] {
            assert_eq!(silent, None);
        }
        assert_eq!(pnpm(b"  \"nodeLinker\": \"hoisted\",\n"), None);
        for broken in [npm(b"{"), yarn(b"")] {
            assert_eq!(broken, Some(Vec::new()));
        }
    }
}
