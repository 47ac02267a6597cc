//! What a person can run to resolve a hold (`owl explain`).
//!
//! Input: a row. Output: commands for a POSIX shell, paths quoted; none where nothing helps but
//! waiting, or nothing is needed. Invariant: no command that is suggested destroys anything by
//! itself.

use super::{Reason, Row};
use crate::assess::Code;

/// The command that shows what holds the row, or that resolves it.
pub(super) fn remedy(row: &Row) -> Option<String> {
    let path = quoted(row.place().as_os_str().as_encoded_bytes());
    let in_tree = |command: &str| Some(format!("git -C {path} {command}"));
    match &row.reason {
        Reason::Guard(code) | Reason::UnknownGuard(code) => match code {
            Code::Uncommitted => in_tree("status"),
            Code::Untracked | Code::NestedRepository => in_tree("status --untracked-files=all"),
            Code::IgnoredData => in_tree("status --ignored=matching --untracked-files=all"),
            Code::SpecialFile => Some(format!(
                "find {path} -type p -o -type s -o -type b -o -type c"
            )),
            Code::HiddenEdits => in_tree("ls-files -v"),
            Code::Submodule => in_tree("submodule status --recursive"),
            Code::OperationInProgress => in_tree("status --long"),
            Code::CommitsAtRisk => in_tree("switch --create keep-this"),
            Code::Stash => in_tree("stash list"),
            Code::Unborn => in_tree("symbolic-ref HEAD"),
            Code::Locked => in_tree(&format!("worktree unlock {path}")),
            Code::RegistrationBroken | Code::Unregistered => {
                Some(format!("git worktree repair {path}"))
            }
            Code::PathSwapped | Code::ForeignOwner | Code::Undeletable => {
                Some(format!("ls -ld {path}"))
            }
            Code::MountInside => Some(format!("findmnt --submounts --target {path}")),
            Code::ProcessInside => Some(format!("lsof +D {path}")),
            Code::NoBase => Some("git remote set-head origin --auto".to_owned()),
            // The next `owl apply` sees to it; the message says so.
            Code::ApplyRunning
            | Code::Interrupted
            | Code::Aside
            | Code::Fresh
            | Code::OutsideStore
            | Code::MainWorktree
            | Code::Bare
            | Code::OtherRepository => None,
        },
        Reason::Unpublished if row.branch.is_none() => in_tree("switch --create keep-this"),
        Reason::ConflictingEvidence | Reason::Unpublished | Reason::UnknownCommits => {
            in_tree("log --oneline -20")
        }
        Reason::UnknownRule
        | Reason::StoreAway
        | Reason::NoRule
        | Reason::Kept
        | Reason::Landed(_)
        | Reason::Published
        | Reason::Rule
        | Reason::Gone => None,
    }
}

/// A word for a POSIX shell. Bytes that are not UTF-8 cannot be shown and typed again; they come
/// out as the replacement character.
fn quoted(word: &[u8]) -> String {
    let word = String::from_utf8_lossy(word);
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    if word.chars().any(char::is_control) {
        return format!("$'{}'", word.chars().map(ansi_c).collect::<String>());
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// One character in the quoting that bash, zsh, and ksh read (`$'...'`).
fn ansi_c(c: char) -> String {
    match c {
        '\\' | '\'' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_path_is_one_word_for_the_shell() {
        assert_eq!(quoted(b"/a/b-c"), "/a/b-c");
        assert_eq!(quoted(b"/a b"), "'/a b'");
        assert_eq!(quoted(b"/it's"), "'/it'\\''s'");
        assert_eq!(quoted(b"/a\nb"), "$'/a\\nb'");
        assert_eq!(quoted(b"/\x1b[1m\\'"), "$'/\\u001b[1m\\\\\\''");
    }
}
