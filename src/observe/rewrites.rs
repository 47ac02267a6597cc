//! Steps of a finished rebase in a HEAD reflog: what they made on the way is not at risk (guard 11).
//!
//! A rebase names every intermediate commit in the reflog: each pick, each half of a squash. Git
//! made them from commits that the branch's own reflog still names, and the result replaced them.
//!
//! Input: a reflog, oldest first. Output: which entries only name such steps. Invariants: only an
//! uninterrupted run from `(start)` to `(finish)` counts; where it came from, what it ended with,
//! and every commit that was made by hand within it and not amended at once, stay named.

use super::reflog::Logged;

/// What an entry says that it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Finish,
    /// Another step of a rebase.
    Within,
    Amend,
    Other,
}

/// For each entry, whether the commit that it made is only a step of a finished rebase.
pub(crate) fn superseded(log: &[Logged]) -> Vec<bool> {
    let steps: Vec<Step> = log.iter().map(|one| step(&one.message)).collect();
    let mut superseded = vec![false; log.len()];
    let mut start = None;
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Start => start = Some(at),
            Step::Within | Step::Amend => {}
            Step::Other => start = None,
            Step::Finish => {
                if let Some(start) = start.take() {
                    for inner in start..at {
                        superseded[inner] = match steps[inner] {
                            Step::Start | Step::Within => true,
                            Step::Amend => is_replaced(&steps, log, inner),
                            Step::Finish | Step::Other => false,
                        };
                    }
                }
            }
        }
    }
    superseded
}

/// Whether the next entry amends just this commit.
fn is_replaced(steps: &[Step], log: &[Logged], at: usize) -> bool {
    match (steps.get(at + 1), log.get(at + 1)) {
        (Some(Step::Amend), Some(next)) => next.old.is_some() && next.old == log[at].new,
        (Some(_) | None, _) => false,
    }
}

/// `rebase (pick): x`, `rebase -i (pick): x`, `pull --rebase origin main (pick): x`.
fn step(message: &[u8]) -> Step {
    if message.starts_with(b"commit (amend): ") {
        return Step::Amend;
    }
    let cut = message.windows(2).position(|two| two == b": ");
    let (action, subject) = match cut {
        Some(at) => (&message[..at], &message[at + 2..]),
        None => (message, b"".as_slice()),
    };
    let is_rebase = action == b"rebase"
        || action.starts_with(b"rebase ")
        || (action.starts_with(b"pull ") && action.windows(8).any(|part| part == b"--rebase"));
    let Some(name) = action
        .strip_suffix(b")")
        .and_then(|rest| rest.rsplit(|byte| *byte == b'(').next())
    else {
        return if is_rebase && subject == b"fast-forward" {
            Step::Within
        } else {
            Step::Other
        };
    };
    match name {
        _ if !is_rebase => Step::Other,
        b"start" => Step::Start,
        b"finish" => Step::Finish,
        b"pick" | b"squash" | b"fixup" | b"reword" | b"edit" | b"continue" => Step::Within,
        _ => Step::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::superseded;
    use crate::observe::reflog::Logged;
    use gix::ObjectId;

    fn log(messages: &[&str]) -> Vec<Logged> {
        let id = |n: usize| ObjectId::from_hex(format!("{n:040x}").as_bytes()).expect("hex");
        messages
            .iter()
            .enumerate()
            .map(|(n, message)| Logged {
                old: Some(id(n + 1)),
                new: Some(id(n + 2)),
                at: jiff::Timestamp::UNIX_EPOCH,
                message: message.as_bytes().to_vec(),
            })
            .collect()
    }

    #[test]
    fn only_the_middle_of_a_finished_rebase() {
        let finished = log(&[
            "commit: x",
            "rebase (start): checkout main",
            "rebase: fast-forward",
            "rebase (pick): a: b",
            "rebase (fixup): c",
            "commit (amend): d",
            "commit (amend): e",
            "rebase (finish): returning to refs/heads/x",
            "commit: y",
        ]);
        let wanted = [false, true, true, true, true, true, false, false, false];
        assert_eq!(superseded(&finished), wanted);
    }

    #[test]
    fn a_rebase_that_was_left_or_interrupted_keeps_everything() {
        for messages in [
            [
                "rebase (start): m",
                "rebase (pick): a",
                "rebase (abort): x",
                "commit: y",
            ],
            [
                "rebase (start): m",
                "rebase (pick): a",
                "checkout: x",
                "rebase (finish): y",
            ],
            [
                "commit: m",
                "rebase (pick): a",
                "rebase (fixup): b",
                "rebase (finish): y",
            ],
            [
                "rebase (start): m",
                "rebase (pick): a",
                "commit: mine",
                "rebase (finish): y",
            ],
            [
                "mine (start): m",
                "mine (pick): a",
                "mine (pick): b",
                "mine (finish): y",
            ],
        ] {
            assert_eq!(superseded(&log(&messages)), [false; 4], "{messages:?}");
        }
    }
}
