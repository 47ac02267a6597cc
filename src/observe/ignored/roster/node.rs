//! What npm, pnpm, and yarn say that they have put into `node_modules`.

use super::{Roster, text_of};
use crate::observe::ignored::Level;
use rustix::io::Errno;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Directories that package managers and build tools keep beside the packages. Not here, on
/// purpose: `.ignored`, where pnpm moves what it did not install itself, and `.tmp`, which anybody
/// writes into.
const HIDDEN: &[&str] = &[
    ".bin",
    // Where pnpm, bun, Deno, and yarn keep the packages that they link to.
    ".pnpm",
    ".bun",
    ".deno",
    ".store",
    // What build tools keep from one run to the next.
    ".cache",
    ".vite",
    ".vite-temp",
    ".vitest",
    ".vitest-cache",
    ".prisma",
    ".astro",
    ".nitro",
    ".mf",
    ".vue-global-types",
];

/// Top-level names, scoped ones as `@scope/name`; none if the record does not tell.
type Told = Option<Vec<String>>;

/// npm's own record.
pub(super) const NPM: &str = ".package-lock.json";

/// pnpm's.
pub(super) const PNPM: &str = ".modules.yaml";

/// yarn 1's.
pub(super) const YARN: &str = ".yarn-integrity";

type Parse = fn(&[u8]) -> Told;

const RECORDS: [(&str, Parse); 4] = [
    (NPM, npm),
    (PNPM, pnpm),
    (YARN, yarn),
    (".yarn-state.yml", berry),
];

/// Reads every record that is there: a directory may have been filled by more than one program.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let mut roster = Roster::default();
    roster.shelf("", HIDDEN);
    let mut programs = Vec::new();
    for (name, parse) in RECORDS {
        if !level.has_file(name.as_bytes())? {
            continue;
        }
        let Some(text) = text_of(level.handle(), name.as_bytes())? else {
            continue;
        };
        programs.push(name);
        let Some(names) = parse(&text) else {
            roster.shelf("", HIDDEN).is_open = true;
            continue;
        };
        for name in names {
            let (scope, inner) = match name.split_once('/') {
                Some((scope, inner)) => (scope, Some(inner)),
                None => (name.as_str(), None),
            };
            roster.shelf("", HIDDEN).named.insert(scope.into());
            if let Some(inner) = inner {
                roster.shelf(scope, &[]).named.insert(inner.into());
            }
        }
    }
    // The links of pnpm to packages of a scope lie in a directory that it lists nowhere.
    if programs.contains(&PNPM) {
        for scope in level.names().iter().filter(|name| name.starts_with(b"@")) {
            let scope = OsStr::from_bytes(scope);
            roster.shelf("", HIDDEN).named.insert(scope.to_owned());
            roster.shelf(scope, &[]);
        }
    }
    // npm alone puts nothing but links there; pnpm writes scripts.
    if programs == [NPM] {
        roster.shelf(".bin", &[]);
    }
    if roster.shelf("", HIDDEN).is_open {
        roster
            .shelves
            .retain(|at, _| ["", ".bin"].iter().any(|kept| at == Path::new(kept)));
    }
    Ok(Some(roster))
}

/// npm: an entry a place, `node_modules/NAME`, or `node_modules/NAME/node_modules/OTHER`.
fn npm(text: &[u8]) -> Told {
    let places = places(text)?;
    Some(places.iter().filter_map(|place| top(place)).collect())
}

/// Every place that npm's record names, those in packages of a workspace too.
pub(super) fn places(text: &[u8]) -> Told {
    #[derive(Deserialize)]
    #[expect(clippy::zero_sized_map_values, reason = "a set is not read from a map")]
    struct Lock {
        packages: Option<BTreeMap<String, IgnoredAny>>,
    }
    let Ok(lock) = serde_json::from_slice::<Lock>(text) else {
        return Some(Vec::new());
    };
    Some(lock.packages?.into_keys().collect())
}

/// pnpm makes symlinks there and no directory, unless it was told to lay packages out flat: where
/// those are it lists below `hoistedLocations`, in JSON since its version 10, in YAML before.
#[expect(clippy::unnecessary_wraps, reason = "it is one of several")]
fn pnpm(text: &[u8]) -> Told {
    #[derive(Deserialize)]
    struct Modules {
        #[serde(rename = "hoistedLocations", default)]
        places: BTreeMap<String, Vec<String>>,
    }
    let places = serde_json::from_slice::<Modules>(text).map_or_else(
        |_| block(&String::from_utf8_lossy(text), "hoistedLocations:"),
        |modules| modules.places.into_values().flatten().collect(),
    );
    Some(places.iter().filter_map(|place| top(place)).collect())
}

/// The items of every list below a key at the left margin.
fn block(text: &str, key: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| *line != key).skip(1);
    let inside = lines.take_while(|line| line.starts_with(' '));
    let items = inside.filter_map(|line| line.trim().strip_prefix("- "));
    items
        .map(|item| item.trim_matches(['"', '\'']).to_owned())
        .collect()
}

/// The package at the top that the place is in, or is.
fn top(place: &str) -> Option<String> {
    let below = place.strip_prefix("node_modules/")?;
    below.split("/node_modules/").next().map(str::to_owned)
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
    Some(places.filter_map(top).collect())
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
        let text = b"hoistedLocations:\n  a@1:\n    - node_modules/a\n  '@s/b@2':\n    - 'node_modules/@s/b'\nskipped:\n  - node_modules/mine\n";
        assert_eq!(pnpm(text).unwrap_or_default(), ["a", "@s/b"]);
        let text = br#"{"nodeLinker":"hoisted","hoistedLocations":{"a@1":["node_modules/b/node_modules/a","packages/w/node_modules/a"]}}"#;
        assert_eq!(pnpm(text).unwrap_or_default(), ["b"]);
    }

    #[test]
    fn a_record_that_does_not_tell_and_one_that_cannot_be_read() {
        for silent in [npm(b"{}"), yarn(b"{}"), berry(b"x:\n")] {
            assert_eq!(silent, None);
        }
        for broken in [
            npm(b"{"),
            yarn(b""),
            pnpm(b"{"),
            pnpm(b"nodeLinker: hoisted\n"),
        ] {
            assert_eq!(broken, Some(Vec::new()));
        }
    }
}
