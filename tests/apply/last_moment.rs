//! What happens between the last look and git's own, and what git says of it.

use crate::support::is_root;
use crate::support::yard::{Yard, outcome, row};
use owl::apply::{Fate, Outcome};

/// A yard whose git runs `sabotage` right before such a call; all else is git itself. `$tree` is the
/// last word of the call: of a removal, where the tree stands by then.
fn sabotaged(yard: &mut Yard, call: &str, sabotage: &str) {
    let real = yard
        .repo
        .command("sh")
        .args(["-c", "command -v git"])
        .output()
        .expect("sh is installed");
    let real = String::from_utf8(real.stdout).expect("it is a plain path");
    let bin = yard.repo.root().join("bin");
    let body = format!(
        "for tree; do :; done\ncase \" $* \" in *' {call} '*) {sabotage};; esac\nexec {} \"$@\"",
        real.trim()
    );
    yard.repo.script(&bin.join("git"), &body);
    let mut path = bin.into_os_string();
    #[expect(
        clippy::disallowed_methods,
        reason = "git is found where the tests' is"
    )]
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    yard.git_path = Some(path);
}

/// The outcome of the only row, when this happens right before git removes.
fn at_the_last_moment(yard: &mut Yard, sabotage: &str) -> Outcome {
    right_before(yard, "worktree remove", sabotage)
}

/// The same, right before git is asked for something else.
fn right_before(yard: &mut Yard, call: &str, sabotage: &str) -> Outcome {
    let approved = yard.approved(&["control"]);
    sabotaged(yard, call, sabotage);
    let done = yard.carry_out(&approved);
    outcome(&done, &yard.address("control")).clone()
}

#[test]
fn a_file_that_comes_after_the_last_look_stops_git_itself() {
    let mut yard = Yard::new();
    yard.repo.git(["config", "status.showUntrackedFiles", "no"]);
    let path = yard.path("control");
    let outcome = at_the_last_moment(&mut yard, "echo x > $tree/idea.md");
    assert_eq!(outcome.fate, Fate::Failed, "{outcome:?}");
    assert!(path.join("idea.md").exists() && path.join("README.md").exists());
    assert!(yard.entry("control").exists());
}

#[test]
fn a_lock_that_comes_after_the_last_look_stops_git_itself() {
    let mut yard = Yard::new();
    let entry = yard.entry("control");
    let outcome = at_the_last_moment(&mut yard, &format!("echo x > {}/locked", entry.display()));
    assert_eq!(outcome.fate, Fate::Failed, "{outcome:?}");
    assert!(yard.path("control").join("README.md").exists());
}

/// C6: never `removed` for a tree of which something is left (`git-facts 2`).
#[test]
fn a_removal_that_stops_half_way_is_said_to_be_partial() {
    let mut yard = Yard::without_control();
    let path = yard.add("control");
    for file in ["a/1", "b/2", "c/3"] {
        yard.repo.commit(&path, file, b"x");
    }
    yard.land("control", &path);
    let (fix, unfix) = if is_root() {
        ("chattr +i $tree/b/2", "chattr -i")
    } else {
        ("chmod 555 $tree/b", "chmod 755")
    };
    let outcome = at_the_last_moment(&mut yard, fix);
    let left = yard.standing_aside();
    let fixed = left.join("b");
    let file = if is_root() { fixed.join("2") } else { fixed };
    let undo = format!("{unfix} {}", file.display());
    let undone = yard
        .repo
        .command("sh")
        .args(["-c", &undo])
        .status()
        .unwrap();
    assert!(undone.success());
    assert_eq!(outcome.fate, Fate::PartiallyRemoved, "{outcome:?}");
    let (before, after) = outcome.counts.expect("it has counts");
    assert!(0 < after && after <= before, "{outcome:?}");
    assert!(
        !yard.entry("control").exists(),
        "git deletes it nonetheless"
    );
    assert!(left.join("b/2").exists());
    let shown = left.display().to_string();
    assert!(outcome.message.contains(&shown), "{outcome:?}");
}

/// Nothing of the tree is gone, but git has deleted the entry: that is not nothing.
#[test]
fn a_removal_that_takes_the_entry_alone_is_no_mere_failure() {
    let mut yard = Yard::new();
    let entry = yard.entry("control");
    let aside = yard.repo.root().join("entry-aside");
    let sabotage = format!("mv {0} {1}; exit 1", entry.display(), aside.display());
    let outcome = at_the_last_moment(&mut yard, &sabotage);
    assert_eq!(outcome.fate, Fate::PartiallyRemoved, "{outcome:?}");
    // The tree itself is whole, and the outcome says where.
    let left = yard.standing_aside();
    assert!(left.join("README.md").exists());
    let shown = left.display().to_string();
    assert!(outcome.message.contains(&shown), "{outcome:?}");
}

/// `spec 4`: git is the second witness of what gix found in the graph.
#[test]
fn git_must_agree_that_it_has_landed() {
    let mut yard = Yard::new();
    let main = yard.repo.git(["rev-parse", "main"]);
    let ahead = ["commit-tree", "-m", "ahead", "-p", &main, "main^{tree}"];
    let ahead = yard.repo.git(ahead);
    let file = yard.repo.common_dir().join("refs/heads/main");
    let sabotage = format!("echo {ahead} > {}", file.display());
    let outcome = right_before(&mut yard, "for-each-ref", &sabotage);
    assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
    assert!(outcome.message.contains("has moved"), "{outcome:?}");
    assert!(yard.path("control").join("README.md").exists());

    for (answer, words) in [("exit 1", "git does not find"), ("exit 128", "128")] {
        let mut yard = Yard::new();
        let outcome = right_before(&mut yard, "merge-base", answer);
        assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
        assert!(outcome.message.contains(words), "{outcome:?}");
        assert!(yard.path("control").join("README.md").exists());
    }
}

#[test]
fn what_git_says_is_looked_at() {
    // git says yes and does nothing.
    let mut yard = Yard::new();
    let outcome = at_the_last_moment(&mut yard, "exit 0");
    assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
    assert!(
        outcome.message.contains("something is still there"),
        "{outcome:?}"
    );
    assert!(yard.path("control").join("README.md").exists());
    assert!(yard.entry("control").exists());
    // git says yes, the directory is gone, and the entry is not.
    let mut yard = Yard::new();
    let moved = yard.repo.root().join("x");
    let sabotage = format!("mv $tree {}; exit 0", moved.display());
    let outcome = at_the_last_moment(&mut yard, &sabotage);
    assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
    assert!(outcome.message.contains("still lists it"), "{outcome:?}");
    assert!(moved.join("README.md").exists());
}

#[test]
fn a_row_keeps_its_address_in_plan_and_outcome() {
    let yard = Yard::new();
    let plan = yard.look();
    let planned = row(&plan, &yard.address("control")).address.clone();
    let done = yard.apply();
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].address, planned);
}
