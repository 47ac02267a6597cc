//! Random worktrees, and for each: what the scanner says without git, git says too (`performance 1`).
//!
//! Held against it are git's own status under owl's settings, and a comparison of every file with
//! its blob by bytes. How often the scanner answered is counted, so that it cannot pass by always
//! asking git. `OWL_ROUNDS` says how many worktrees.

use crate::tree::Project;
use owl::observe::{Glimpse, Place, glimpse};
use owl::resource::BytePath;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

const ROUNDS: usize = 150;

/// Worktrees of one repository.
const TREES: usize = 15;

/// How the answers came out.
#[derive(Debug, Default)]
struct Tally {
    clean: usize,
    dirty: usize,
    with_ignored: usize,
    closer: BTreeMap<&'static str, usize>,
    /// Clean to git and by content, though the scanner asked to look closer.
    timid: usize,
}

fn rounds() -> usize {
    #[expect(
        clippy::disallowed_methods,
        reason = "a longer run is asked for by the caller"
    )]
    let asked = std::env::var("OWL_ROUNDS");
    asked.map_or(ROUNDS, |text| text.parse().expect("OWL_ROUNDS is a number"))
}

#[test]
fn what_is_said_without_git_is_what_git_says() {
    let mut tally = Tally::default();
    let projects = rounds().div_ceil(TREES);
    for project in 0..projects {
        one_project(0x5ca_0000 + project as u64, &mut tally);
    }
    let answered = tally.clean + tally.dirty;
    eprintln!(
        "{} worktrees, {answered} told without git: {tally:?}",
        projects * TREES
    );
    assert!(
        answered * 3 >= projects * TREES,
        "it hardly ever answers: {tally:?}"
    );
    assert!(
        tally.clean * 8 >= projects * TREES,
        "it hardly ever says clean: {tally:?}"
    );
    assert!(tally.dirty > 0 && tally.with_ignored > 0, "{tally:?}");
    assert!(tally.closer.len() >= 8, "few reasons were met: {tally:?}");
}

fn one_project(seed: u64, tally: &mut Tally) {
    let mut project = Project::new(seed);
    for number in 0..TREES {
        let tree = project.tree(number);
        let words = ["worktree", "add", "-q", "--detach"].map(std::ffi::OsStr::new);
        project
            .repo
            .git(words.into_iter().chain([tree.as_os_str()]));
        project.prepare(number);
    }
    // The index settles: what is as young as it is racy.
    std::thread::sleep(Duration::from_millis(1100));
    for number in 0..TREES {
        if !project.random.one_in(8) {
            project.try_git(number, &["update-index", "-q", "--refresh"]);
        }
        project.disturb(number);
    }
    for number in 0..TREES {
        check(
            &project,
            number,
            &format!("seed {seed:#x}, tree {number}"),
            tally,
        );
    }
}

fn check(project: &Project, number: usize, which: &str, tally: &mut Tally) {
    let (tree, entry) = (project.tree(number), project.entry(number));
    let place = Place {
        root: project.repo.main(),
        common_dir: project.repo.common_dir(),
    };
    let told = glimpse(&project.git, &place, &entry, &tree).expect("the repository is sound");
    let repository = project
        .git
        .repository(&place.common_dir)
        .expect("it is there");
    let status = repository.worktree(&tree).and_then(|tree| tree.status());
    let told = match told {
        Ok(told) => told,
        Err(why) => {
            *tally.closer.entry(why).or_default() += 1;
            let clean =
                status.is_ok_and(|status| status.changes.is_empty() && status.untracked.is_empty());
            tally.timid += usize::from(clean && unlike_head(project, &tree).is_empty());
            return;
        }
    };
    let status = status.unwrap_or_else(|why| panic!("{which}: told {told:?}, but git: {why}"));
    let git = Glimpse {
        changed: status
            .changes
            .into_iter()
            .map(|change| change.path)
            .collect(),
        untracked: status.untracked.into_iter().collect(),
        ignored: status
            .ignored
            .iter()
            .filter(|path| has_file(&tree.join(path.as_path())))
            .map(|path| BytePath::from_bytes(trimmed(path.as_bytes())))
            .collect(),
    };
    assert_eq!(told, git, "{which}: told on the left, git on the right");
    let unlike = unlike_head(project, &tree);
    assert_eq!(unlike, told.changed, "{which}: by content on the left");
    tally.with_ignored += usize::from(!told.ignored.is_empty());
    if told.changed.is_empty() && told.untracked.is_empty() {
        tally.clean += 1;
    } else {
        tally.dirty += 1;
    }
}

fn trimmed(path: &[u8]) -> &[u8] {
    path.strip_suffix(b"/").map_or(path, |path| path)
}

/// Whether a path is a file or has one below it.
fn has_file(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::read_dir(path)
            .expect("it can be read")
            .any(|entry| has_file(&entry.expect("it can be read").path())),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// Files of HEAD that are not what it has, by bytes, mode and kind; no attribute has a say.
fn unlike_head(project: &Project, tree: &Path) -> BTreeSet<BytePath> {
    let listed = project.repo.try_git(tree, ["ls-tree", "-r", "-z", "HEAD"]);
    let mut unlike = BTreeSet::new();
    for record in listed
        .stdout
        .split(|byte| *byte == 0)
        .filter(|one| !one.is_empty())
    {
        let tab = record
            .iter()
            .position(|byte| *byte == b'\t')
            .expect("a tab");
        let (head, path) = (&record[..tab], BytePath::from_bytes(&record[tab + 1..]));
        let words: Vec<&str> = std::str::from_utf8(head)
            .expect("ASCII")
            .split(' ')
            .collect();
        let place = tree.join(path.as_path());
        if on_disk(&place) != Some((words[0].to_owned(), words[2].to_owned())) {
            unlike.insert(path);
        }
    }
    unlike
}

/// Mode and id of what is there as git would store it.
fn on_disk(place: &Path) -> Option<(String, String)> {
    let found = fs::symlink_metadata(place).ok()?;
    let (mode, bytes) = if found.is_symlink() {
        let target = fs::read_link(place).ok()?;
        ("120000", target.as_os_str().as_bytes().to_vec())
    } else if found.is_file() {
        let executable = found.permissions().mode() & 0o100 != 0;
        let mode = if executable { "100755" } else { "100644" };
        (mode, fs::read(place).ok()?)
    } else {
        return None;
    };
    let kind = gix::objs::Kind::Blob;
    let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, &bytes).ok()?;
    Some((mode.to_owned(), id.to_string()))
}
