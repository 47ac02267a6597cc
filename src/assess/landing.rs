//! How landing is told: in words, as evidence, and as commands that check it.
//!
//! Input: what was observed of one tree's landing. Output: text and [`Evidence`]. Invariant: every
//! proof can be checked by a person with git alone, by full ref names and object ids.

use super::Evidence;
use crate::observe::{Conflict, Doubt, Landed, Proof, Tree};
use crate::resource::{BytePath, escape, shell_word};

/// How many twins are named to a person; the evidence has them all.
const NAMED: usize = 20;

/// `squash in main 3f2a91c`: fit for "landed (...)".
pub fn phrase(landed: &Landed) -> String {
    let base = short_ref(&landed.base);
    match landed.how {
        Proof::Ancestor => format!("ancestor of {base}"),
        Proof::SameTree => format!("same tree as {base}"),
        Proof::MergeAddsNothing => match landed.moved.first() {
            Some(moved) => format!(
                "a merge adds nothing to {base}, where {} is now {}",
                moved.from, moved.to
            ),
            None => format!("a merge adds nothing to {base}"),
        },
        Proof::PatchIds => match landed.twins.as_slice() {
            [one] => format!("the same patch in {base} {}", short_id(&one.twin)),
            many => format!("{} commits with the same patches in {base}", many.len()),
        },
        Proof::Squash => match landed.twins.first() {
            Some(one) => format!("squash in {base} {}", short_id(&one.twin)),
            None => format!("squash in {base}"),
        },
    }
}

/// What is in conflict, as a sentence.
pub fn doubt(conflict: &Conflict) -> String {
    let base = short_ref(&conflict.base);
    let against = match &conflict.doubt {
        Doubt::NetEmpty => "its commits change nothing as a whole".to_owned(),
        Doubt::OwnMerge { commit, path } if path.as_bytes().is_empty() => {
            format!("its merge {} cannot be made again", short_id(commit))
        }
        Doubt::OwnMerge { commit, path } => {
            format!(
                "its merge {} has content of its own in {path}",
                short_id(commit)
            )
        }
        Doubt::TakenBack { path } => format!("{base} took {path} back since"),
    };
    match &conflict.despite {
        Some(proof) => format!("conflicting evidence: {}, but {against}", phrase(proof)),
        None => format!("conflicting evidence: {against}"),
    }
}

impl Evidence {
    /// The evidence that a proof is.
    pub fn landed(tree: &Tree, landed: &Landed) -> Self {
        let commit = tree.commit().unwrap_or_default().to_owned();
        let base = landed.base.clone();
        let base_commit = landed.commit.clone();
        let merge_base = landed.merge_base.clone().unwrap_or_default();
        let paths = landed.paths.clone().unwrap_or_default();
        match landed.how {
            Proof::Ancestor => Self::Ancestor {
                base,
                base_commit,
                commit,
            },
            Proof::SameTree => Self::SameTree {
                base,
                base_commit,
                commit,
                merge_base,
                paths,
            },
            Proof::MergeAddsNothing => Self::MergeAddsNothing {
                base,
                base_commit,
                commit,
                merge_base,
                paths,
                moved: landed.moved.clone(),
            },
            Proof::PatchIds => Self::PatchIds {
                base,
                base_commit,
                commit,
                merge_base,
                paths,
                twins: landed.twins.clone(),
            },
            Proof::Squash => Self::Squash {
                base,
                base_commit,
                commit,
                merge_base,
                paths,
                twin: landed
                    .twins
                    .first()
                    .map(|one| one.twin.clone())
                    .unwrap_or_default(),
            },
        }
    }

    /// The evidence of a conflict: the proof, and what speaks against it.
    pub fn conflict(tree: &Tree, conflict: &Conflict) -> Vec<Self> {
        let proof = conflict
            .despite
            .as_ref()
            .map(|proof| Self::landed(tree, proof));
        let doubt = Self::Doubt {
            base: conflict.base.clone(),
            base_commit: conflict.commit.clone(),
            commit: tree.commit().unwrap_or_default().to_owned(),
            merge_base: conflict.merge_base.clone(),
            doubt: conflict.doubt.clone(),
        };
        proof.into_iter().chain([doubt]).collect()
    }

    /// Git commands that check it, in the repository; none where nothing of git's is claimed. What
    /// they print agrees where that is said: two equal trees, two equal ids.
    pub fn commands(&self) -> Vec<String> {
        let tree = |commit: &str| format!("git rev-parse '{commit}^{{tree}}'");
        let patch = |from: &str, to: &str| {
            format!(
                "git diff -U0 --no-ext-diff --no-textconv --no-renames {from} {to} | git patch-id --verbatim"
            )
        };
        let own = |twin: &str| patch(&format!("'{twin}^'"), twin);
        match self {
            Self::Ancestor {
                base,
                base_commit,
                commit,
            } => vec![
                resolves(base),
                format!("git merge-base --is-ancestor {commit} {base_commit}"),
            ],
            Self::Published {
                reference,
                reference_commit,
                commit,
            } => vec![
                resolves(reference),
                format!("git merge-base --is-ancestor {commit} {reference_commit}"),
            ],
            Self::SameTree {
                base_commit,
                commit,
                ..
            } => vec![tree(commit), tree(base_commit)],
            Self::MergeAddsNothing {
                base_commit,
                commit,
                ..
            } => vec![
                format!("git merge-tree --write-tree {base_commit} {commit}"),
                tree(base_commit),
            ],
            Self::Squash {
                merge_base,
                commit,
                twin,
                ..
            } => {
                vec![patch(merge_base, commit), own(twin)]
            }
            Self::PatchIds { twins, .. } => twins
                .iter()
                .take(NAMED)
                .flat_map(|pair| [own(&pair.commit), own(&pair.twin)])
                .collect(),
            Self::Doubt {
                base_commit,
                commit,
                merge_base,
                doubt,
                ..
            } => match doubt {
                Doubt::NetEmpty => vec![tree(merge_base), tree(commit)],
                Doubt::OwnMerge { commit, .. } => vec![format!("git show --remerge-diff {commit}")],
                Doubt::TakenBack { path } => {
                    let at = shell_word(path.as_bytes());
                    vec![
                        format!("git log -p {merge_base}..{base_commit} -- {at}"),
                        format!("git diff {merge_base} {base_commit} -- {at}"),
                    ]
                }
            },
            Self::Found { .. } | Self::Time { .. } | Self::Process { .. } | Self::Note { .. } => {
                Vec::new()
            }
        }
    }
}

fn resolves(reference: &BytePath) -> String {
    format!(
        "git rev-parse --verify {}",
        shell_word(reference.as_bytes())
    )
}

/// A full ref name as people say it.
pub fn short_ref(full: &BytePath) -> String {
    let bytes = full.as_bytes();
    let short = ["refs/heads/", "refs/remotes/"]
        .iter()
        .find_map(|prefix| bytes.strip_prefix(prefix.as_bytes()));
    escape(short.unwrap_or(bytes))
}

fn short_id(id: &str) -> &str {
    id.get(..7).unwrap_or(id)
}
