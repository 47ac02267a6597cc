//! Messages in an administrative entry that no commit has.
//!
//! Git leaves `COMMIT_EDITMSG` behind after each commit, and the same file holds what somebody wrote
//! for a commit that was never made. Input: a git directory. Output: the files of the second kind.
//! Invariants: a message is a commit's only if a commit of the HEAD reflog, or HEAD's own, has the
//! same lines, whatever the cleanup mode: blank lines, space at the end of lines, comments, and
//! what follows a scissors line are left out on both sides. Every commit that is made in a worktree
//! is in its HEAD reflog. What begins a comment is what the configuration says, and nothing else:
//! `:sparkles:` begins a subject. `MERGE_MSG` and `SQUASH_MSG` are made by programs.

use super::place::{contents, look};
use super::reflog;
use super::repository::Repository;
use super::{Found, ObserveError};
use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::config::file::SectionRef;
use gix::config::{File, Source};
use std::collections::BTreeSet;
use std::path::Path;

/// Where git and its window keep what is being written.
const FILES: [&str; 5] = [
    "COMMIT_EDITMSG",
    "GITGUI_EDITMSG",
    "GITGUI_MSG",
    "NOTES_EDITMSG",
    "TAG_EDITMSG",
];

/// What git ends a line with below which everything is dropped.
const SCISSORS: &[u8] = b"------------------------ >8 ------------------------";

/// What begins a comment where nothing is configured.
const COMMENT: &[u8] = b"#";

/// What git chooses from where `core.commentChar` is `auto`.
const CHOICE: &[u8] = b"#;@!$%^&|:";

/// The files whose text is the message of no commit; `head` is the commit of HEAD, and `git_dir`
/// that of the repository itself, or an administrative entry of it.
pub(crate) fn drafts(
    repository: &Repository,
    git_dir: &Path,
    head: Option<ObjectId>,
) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    for name in FILES {
        let Some(text) = contents(&git_dir.join(name))? else {
            continue;
        };
        // What nearly always is so needs no configuration.
        let as_it_is = |message: &[u8]| lines(&text).eq(lines(message));
        if lines(&text).next().is_none() || is_message_of(repository, head, as_it_is)? {
            continue;
        }
        let configured = configured(repository, git_dir)?;
        let comment = comment(&configured, &text);
        let is_its = |message: &[u8]| is_same(&text, message, comment);
        if said(&text, comment).next().is_some()
            && !is_message_of(repository, head, is_its)?
            && !is_logged(repository, git_dir, is_its)?
        {
            found.add(name);
        }
    }
    Ok(found)
}

/// What begins a comment by the configuration, as it counts in the worktree. An entry is not opened
/// for that: gix would not, where its worktree is gone.
fn configured(repository: &Repository, git_dir: &Path) -> Result<BString, ObserveError> {
    let config = repository.gix.config_snapshot();
    let is_itself = repository.gix.git_dir() == git_dir;
    // Those of the main worktree alone count nowhere else.
    let counts = |section: &SectionRef<'_>| is_itself || section.meta().source != Source::Worktree;
    let mut last = last_of(config.sections().filter(counts));
    let file = git_dir.join("config.worktree");
    if !is_itself
        && config.boolean("extensions.worktreeConfig") == Some(true)
        && look(&file)?.is_some()
    {
        let own = File::from_path_no_includes(file, Source::Worktree);
        let own = own.map_err(|why| ObserveError::gix("its config.worktree", &why))?;
        last = last_of(own.sections()).or(last);
    }
    Ok(match last {
        Some(last) => last,
        None => COMMENT.into(),
    })
}

/// The last value of the setting, which has two names.
fn last_of<'a>(sections: impl Iterator<Item = SectionRef<'a>>) -> Option<BString> {
    let mut last = None;
    for section in sections {
        let header = section.header();
        if !header.name().eq_ignore_ascii_case(b"core") || header.subsection_name().is_some() {
            continue;
        }
        for key in section.value_names() {
            let is_ours = ["commentChar", "commentString"]
                .iter()
                .any(|one| key.eq_ignore_ascii_case(one));
            if is_ours && let Some(value) = section.value(key) {
                last = Some(value.trim_end().into());
            }
        }
    }
    last
}

/// What begins a comment in this text.
fn comment<'a>(configured: &'a [u8], text: &'a [u8]) -> &'a [u8] {
    let by_the_text = configured.eq_ignore_ascii_case(b"auto");
    match (by_the_text, chosen(text)) {
        (true, Some(one)) => one,
        (false, _) if !configured.is_empty() => configured,
        (true, None) | (false, _) => COMMENT,
    }
}

/// What git has chosen under `auto`: it begins every line of the help that git puts last. That has
/// an empty comment, and one that quotes the choice; a message of the person's own has not.
fn chosen(text: &[u8]) -> Option<&[u8]> {
    let lines: Vec<&[u8]> = lines(text).collect();
    let one = lines.last()?.get(..1)?;
    if !CHOICE.contains(&one[0]) {
        return None;
    }
    let help = || lines.iter().rev().take_while(|line| is_comment(line, one));
    let quoted = [b"'", one, b"'"].concat();
    let is_gits = help().any(|line| *line == one) && help().any(|line| line.contains_str(&quoted));
    is_gits.then_some(one)
}

fn is_logged(
    repository: &Repository,
    git_dir: &Path,
    is_its: impl Fn(&[u8]) -> bool,
) -> Result<bool, ObserveError> {
    let log = reflog::read(git_dir, BStr::new("HEAD"))?;
    let mut seen = BTreeSet::new();
    for id in log.iter().flatten().rev().filter_map(|logged| logged.new) {
        if seen.insert(id) && is_message_of(repository, Some(id), &is_its)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the commit has such a message; one that the repository lacks has none.
fn is_message_of(
    repository: &Repository,
    id: Option<ObjectId>,
    is_its: impl Fn(&[u8]) -> bool,
) -> Result<bool, ObserveError> {
    let Some(id) = id else {
        return Ok(false);
    };
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix(format!("the commit {id}"), why);
    let found = repository.gix.try_find_object(id);
    let Some(object) = found.map_err(|why| failed(&why))? else {
        return Ok(false);
    };
    let Ok(commit) = object.try_into_commit() else {
        return Ok(false);
    };
    let message = commit.message_raw().map_err(|why| failed(&why))?;
    Ok(is_its(message))
}

/// Whether the text became this message: with every line that an editor's message loses (git drops
/// whatever begins like a comment), or with what only git writes left out.
fn is_same(text: &[u8], message: &[u8], comment: &[u8]) -> bool {
    let kept = |text| lines(text).filter(|line| !line.starts_with(comment));
    said(text, comment).eq(said(message, comment))
        || (kept(text).next().is_some() && kept(text).eq(kept(message)))
}

/// The lines of a message that say something: `#12 is mended`, given with `-m`, does.
fn said<'a>(text: &'a [u8], comment: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    lines(text).filter(move |line| !is_comment(line, comment))
}

/// Whether a line is a comment as git writes one.
fn is_comment(line: &[u8], comment: &[u8]) -> bool {
    line.strip_prefix(comment)
        .is_some_and(|rest| matches!(rest.first(), None | Some(b' ' | b'\t')))
}

/// The lines of a message above a scissors line that are not blank.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.lines()
        .take_while(|line| !line.ends_with(SCISSORS))
        .map(ByteSlice::trim_end)
        .filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{chosen, comment, is_same, said};

    fn same(one: &str, two: &str) -> bool {
        is_same(one.as_bytes(), two.as_bytes(), b"#")
    }

    #[test]
    fn what_git_drops_of_a_message_is_no_part_of_it() {
        let edited = "\n\nsubject  \n\n\nbody\n#mine\n# On branch x\n# ------------------------ >8 ------------------------\ndiff\n";
        assert!(same(edited, "subject\n\nbody\n"));
        assert!(same("# only comments\n\n", ""));
        assert!(!same("subject\nbody", "subject body"));
        assert!(!same("subject\n body", "subject\nbody"));
        assert!(!same("subject\n", "subject\nbody\n"));
        assert!(!same("#12 is mended\n", "#11 is mended\n"));
    }

    #[test]
    fn only_what_is_configured_begins_a_comment() {
        let says = |text: &str, by: &str| {
            let by = comment(by.as_bytes(), text.as_bytes()).to_owned();
            said(text.as_bytes(), &by).next().is_some()
        };
        for mark in [";", "@", "!", "$", "%", "^", "&", "|", ":"] {
            assert!(says(&format!("{mark} words\n{mark}\n"), "#"), "{mark}");
            assert!(says(&format!("{mark} words\n{mark}\n"), "auto"), "{mark}");
            assert!(!says(&format!("{mark} words\n{mark}\n"), mark), "{mark}");
        }
        assert!(!says("// words\n//\n//\tfile\n", "//"));
        let help =
            "; Lines starting\n; with ';' will be ignored\n;\n; On branch x\n;\tnew file: y\n";
        assert_eq!(chosen(help.as_bytes()), Some(&b";"[..]));
        assert!(!says(help, "auto"));
        assert!(says(help, "#"));
        assert!(says(&format!("#12 is mended\n\n{help}"), "auto"));
    }
}
