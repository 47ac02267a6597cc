//! Lines: how two texts differ, and what three of them merge to.
//!
//! Input: bytes. Output: hunks, or the merged bytes. Invariants: a line includes its line end, so
//! that CRLF, blanks, and a missing last line end all count (`git-facts 42`); attributes and
//! drivers have no say (`performance 3`, P1); where changes of both sides overlap or touch and are
//! not the same, there is no merge. So the merge equals one side only if that side has every
//! hunk of the other, line by line and in the same place.

use gix::diff::blob::{Algorithm, Diff, InternedInput, Token, sources::byte_lines};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How far git looks for the NUL that makes a file binary.
const SNIFFED: usize = 8000;

/// A run of lines replaced by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Hunk {
    /// The line before which it starts, in the text before.
    pub(super) at: u32,
    /// What it replaces, and with what. Hashes: whatever is told from them is checked by a merge.
    pub(super) lines: Lines,
}

/// The two sides of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lines {
    removed: u64,
    added: u64,
}

/// Whether a file is text to git, as far as bytes can tell.
pub(super) fn is_text(data: &[u8]) -> bool {
    !data[..data.len().min(SNIFFED)].contains(&0)
}

/// The hunks that lead from one text to the other, in order.
pub(super) fn hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    let input = InternedInput::new(before, after);
    let hash = |tokens: &[Token]| {
        let mut hasher = DefaultHasher::new();
        for token in tokens {
            input.interner[*token].hash(&mut hasher);
        }
        hasher.finish()
    };
    let diff = diff(&input);
    diff.hunks()
        .map(|hunk| Hunk {
            at: hunk.before.start,
            lines: Lines {
                removed: hash(&input.before[range(&hunk.before)]),
                added: hash(&input.after[range(&hunk.after)]),
            },
        })
        .collect()
}

/// Both sides' changes to `old` together; none where they get in each other's way.
pub(super) fn merge(old: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let mut input: InternedInput<&[u8]> = InternedInput::default();
    input.update_before(byte_lines(old));
    input.update_after(byte_lines(ours));
    let our_hunks: Vec<_> = diff(&input).hunks().collect();
    let our_lines = std::mem::take(&mut input.after);
    input.update_after(byte_lines(theirs));
    let their_hunks: Vec<_> = diff(&input).hunks().collect();
    let ours = our_hunks.iter().map(|hunk| (hunk, our_lines.as_slice()));
    let theirs = their_hunks
        .iter()
        .map(|hunk| (hunk, input.after.as_slice()));
    let mut all: Vec<_> = ours
        .chain(theirs)
        .map(|(hunk, lines)| (range(&hunk.before), &lines[range(&hunk.after)]))
        .collect();
    all.sort_by_key(|(before, _)| (before.start, before.end));
    all.dedup();
    let mut merged = Vec::new();
    let mut upto = 0;
    let mut last_end = None;
    for (before, after) in all {
        if last_end.is_some_and(|end| before.start <= end) {
            return None;
        }
        merged.extend_from_slice(&input.before[upto..before.start]);
        merged.extend_from_slice(after);
        upto = before.end;
        last_end = Some(before.end);
    }
    merged.extend_from_slice(&input.before[upto..]);
    Some(
        merged
            .iter()
            .flat_map(|token| input.interner[*token])
            .copied()
            .collect(),
    )
}

fn diff(input: &InternedInput<&[u8]>) -> Diff {
    gix::diff::blob::diff_with_slider_heuristics(Algorithm::Histogram, input)
}

fn range(lines: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    lines.start as usize..lines.end as usize
}

#[cfg(test)]
mod tests {
    use super::{hunks, is_text, merge};

    fn merged(old: &str, ours: &str, theirs: &str) -> Option<String> {
        merge(old.as_bytes(), ours.as_bytes(), theirs.as_bytes())
            .map(|bytes| String::from_utf8(bytes).expect("they were text"))
    }

    #[test]
    fn changes_apart_are_merged_and_the_same_change_counts_once() {
        let old = "a\nb\nc\nd\ne\n";
        assert_eq!(
            merged(old, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n").as_deref(),
            Some("A\nb\nc\nd\nE\n")
        );
        assert_eq!(
            merged(old, "A\nb\nc\nd\nE\n", "a\nb\nc\nd\nE\n").as_deref(),
            Some("A\nb\nc\nd\nE\n")
        );
        assert_eq!(
            merged(old, old, "a\nc\nd\ne\n").as_deref(),
            Some("a\nc\nd\ne\n")
        );
    }

    #[test]
    fn changes_in_one_place_are_not_merged() {
        let old = "a\nb\nc\n";
        assert_eq!(merged(old, "a\nX\nc\n", "a\nY\nc\n"), None);
        assert_eq!(merged(old, "X\nb\nc\n", "a\nY\nc\n"), None, "they touch");
        assert_eq!(
            merged(old, "a\nb\nX\nc\n", "a\nb\nY\nc\n"),
            None,
            "two insertions"
        );
    }

    #[test]
    fn every_byte_of_a_line_counts() {
        for (old, ours, theirs) in [
            ("a\n", "a\n", "a"),
            ("a", "a", "a\n"),
            ("a\nb\n", "a\nb\n", "a\r\nb\n"),
            ("a\n", "a\n", " a\n"),
            ("a\n", "a\n", "a \n"),
            ("", "", "a"),
        ] {
            assert_eq!(
                merged(old, ours, theirs).as_deref(),
                Some(theirs),
                "{old:?} {theirs:?}"
            );
            assert!(!hunks(old.as_bytes(), theirs.as_bytes()).is_empty());
        }
    }

    #[test]
    fn a_hunk_has_a_place_and_lines() {
        let near = hunks(b"a\nb\nc\n", b"a\nX\nc\n");
        let far = hunks(b"0\na\nb\nc\n", b"0\na\nX\nc\n");
        assert_eq!(near[0].lines, far[0].lines);
        assert_eq!((near[0].at, far[0].at), (1, 2));
        assert_ne!(near[0].lines, hunks(b"a\nb\nc\n", b"a\nY\nc\n")[0].lines);
    }

    #[test]
    fn a_nul_makes_it_binary() {
        assert!(is_text(b"a\n"));
        assert!(!is_text(b"a\0b"));
    }
}
