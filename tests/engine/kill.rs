//! owl and its git are killed at every side effect of every kind of row, and at random moments
//! (`spec 1`: a run killed at any point loses nothing and is finished by the next).
//!
//! By default a few moments of each; with `OWL_ROUNDS` every call of every system call that changes
//! something, until a run is not killed any more, and that many random moments.

use super::scene::{Bound, Dice, POLICY, Scene, command, find, picture, rounds, skip};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

const FILES: usize = 40;

/// Everything that changes a file system or a lock; the start of every git has a test of its own. A
/// kill comes before the call is
/// carried out, so that all of them together are every state between two side effects.
const SIDE_EFFECTS: [&str; 17] = [
    "rename",
    "renameat",
    "renameat2",
    "link",
    "symlink",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "chmod",
    "fchmod",
    "fsync",
    "fdatasync",
    "write",
    "ftruncate",
    "utimensat",
    "flock",
];

/// What owl calls, and what git does while it removes, however few files there are.
const OWLS: [&str; 4] = ["rename", "unlink", "write", "fsync"];
const GITS: [&str; 1] = ["unlink"];

/// The steps at which calls that change nothing are sampled.
const SAMPLED: [(&str, usize); 2] = [("openat", 499), ("clone3", 13)];

/// What the killed run is about to do; a worktree with work in it stands beside, always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// Two worktrees are moved: one with build output, one with a relative `.git` file.
    Moved,
    /// Two entries are pruned.
    Pruned,
    /// Two worktrees are removed where they stand.
    InPlace,
    /// A worktree in a worktree.
    Nested,
}

struct Built {
    scene: Scene,
    going: Vec<&'static str>,
    held: PathBuf,
    before: Vec<(PathBuf, u32, i64, Vec<u8>)>,
    rows: Rows,
    _bound: Option<Bound>,
}

fn clear(path: &std::path::Path) {
    let removed = command("rm").arg("-rf").arg(path).status();
    assert!(removed.expect("rm runs").success());
}

/// None where this kind of row cannot be made here.
fn build(rows: Rows) -> Option<Built> {
    let scene = Scene::new(FILES);
    fs::write(scene.common().join("info/exclude"), ".claude\ntarget\n").expect("written");
    let bound = match rows {
        Rows::InPlace => Some(scene.bind_store()?),
        Rows::Moved | Rows::Pruned | Rows::Nested => None,
    };
    let going = match rows {
        Rows::Nested => vec!["outer", "inner"],
        Rows::Moved | Rows::Pruned | Rows::InPlace => vec!["one", "two"],
    };
    match rows {
        Rows::Moved | Rows::InPlace => {
            let target = scene.add("one").join("target/debug");
            fs::create_dir_all(&target).expect("it is new");
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n";
            fs::write(target.join("../CACHEDIR.TAG"), tag).expect("written");
            for nth in 0..4 {
                fs::write(target.join(format!("built{nth}")), "output").expect("written");
            }
            let relative = scene.add("two").join(".git");
            fs::write(relative, "gitdir: ../../../.git/worktrees/two\n").expect("written");
        }
        Rows::Pruned => going.iter().for_each(|name| clear(&scene.add(name))),
        Rows::Nested => {
            let stores = "[{path: .claude/worktrees/*}, \
                          {path: .claude/worktrees/*/.claude/worktrees/*}]";
            let policy = POLICY.replace("[{path: .claude/worktrees/*}]", stores);
            fs::write(scene.root.join("policy.yaml"), policy).expect("written");
            let inner = scene.add("outer").join(".claude/worktrees/inner");
            let inner = inner.to_str().expect("it is text");
            scene.git(&["worktree", "add", "-q", "-b", "inner", inner]);
        }
    }
    let held = scene.add("held");
    fs::write(held.join("idea.txt"), "only here").expect("it can be written");
    Some(Built {
        before: picture(&held),
        scene,
        going,
        held,
        rows,
        _bound: bound,
    })
}

impl Built {
    fn place(&self, name: &str) -> PathBuf {
        match name {
            "inner" => self
                .scene
                .place("outer")
                .join(".claude/worktrees")
                .join(name),
            _ => self.scene.place(name),
        }
    }

    /// After a kill: each worktree is whole at its place, or the journal speaks of it, or it is gone.
    fn assert_never_torn(&self, when: &str) {
        let is_open = !self.scene.records().is_empty();
        for name in &self.going {
            let place = self.place(name);
            if place.exists() {
                let may_be_torn = self.rows == Rows::InPlace && is_open;
                assert!(
                    self.scene.is_whole(&place) || may_be_torn,
                    "{name} is torn after {when}"
                );
            } else if self.rows != Rows::Pruned && self.scene.entry(name).exists() {
                assert!(is_open, "{name} has an entry and no record after {when}");
            }
        }
        let aside = self.scene.standing_aside();
        assert!(
            aside.is_empty() || is_open,
            "something stands aside without a record after {when}"
        );
        // Whoever works in a tree that stands may lose it to nobody's `git worktree prune`.
        for tree in self.going.iter().map(|name| self.place(name)).chain(aside) {
            if tree.join(".git").exists() && self.scene.is_whole(&tree) {
                let link = fs::read_to_string(tree.join(".git")).expect("it is there");
                // One that is relative leads nowhere until it is rewritten.
                let name = link.trim_end().rsplit('/').next().expect("a link");
                let entry = self.scene.entry(name);
                let named = fs::read_to_string(entry.join("gitdir")).expect("it is there");
                assert!(
                    std::path::Path::new(named.trim_end()).exists()
                        || entry.join("locked").exists(),
                    "{} can be pruned after {when}",
                    tree.display()
                );
            }
        }
    }

    /// The next run ends it, with or without somebody's `git worktree prune` in between.
    fn assert_converges(&self, when: &str) {
        let mut said = self.scene.apply_patiently();
        // What the killed run left open may have been given back and removed in one run, or needs
        // the run after it if git's registry was being changed meanwhile.
        if said.code != Some(0) {
            said = self.scene.apply_patiently();
        }
        let told = format!("after {when}: {:#}\n{}", said.document, said.stderr);
        assert_eq!(said.code, Some(0), "{told}");
        self.scene.assert_gone(&self.going);
        assert_eq!(picture(&self.held), self.before, "{told}");
        assert_eq!(said.item("held")["reason"], "untracked", "{told}");
    }

    /// The scene, the moment after something was killed in it, and what follows.
    fn assert_survives(&self, when: &str, prune_between: bool) {
        thread::sleep(Duration::from_millis(20));
        self.assert_never_torn(when);
        if prune_between {
            self.scene.try_git(&["worktree", "prune", "--expire=now"]);
        }
        self.assert_converges(when);
    }

    /// The words of strace that kill the nth call of one kind.
    fn strace(&self, syscall: &str, nth: usize) -> Vec<String> {
        let log = self.scene.root.join("strace.log");
        let log = log.to_str().expect("it is text");
        let trace = format!("trace={syscall}");
        let inject = format!("inject={syscall}:signal=KILL:when={nth}");
        ["-qq", "-A", "-o", log, "-e", &trace, "-e", &inject]
            .map(str::to_owned)
            .to_vec()
    }

    fn was_killed(&self) -> bool {
        let log = fs::read_to_string(self.scene.root.join("strace.log"));
        log.is_ok_and(|log| log.contains("killed by SIGKILL"))
    }

    /// Kills owl at its nth call; whether it came so far.
    fn kill_owl(&self, syscall: &str, nth: usize) -> bool {
        let mut owl = self.scene.owl_under("strace", &self.strace(syscall, nth));
        let output = owl.output().expect("strace runs");
        let killed = self.was_killed();
        assert!(killed || output.status.code().is_some(), "{output:?}");
        killed
    }

    /// Kills every git that removes, at its nth call; whether any came so far.
    fn kill_git(&self, syscall: &str, nth: usize) -> bool {
        let strace = find("strace").expect("it was tried");
        let words = self.strace(syscall, nth).join(" ");
        let git = find("git").expect("git is installed");
        let (strace, git) = (strace.display(), git.display());
        self.scene.intercept(&format!(
            "case \"$*\" in *'worktree remove'*) exec {strace} -f {words} {git} \"$@\";; esac"
        ));
        drop(self.scene.owl("apply").output().expect("owl runs"));
        self.scene.no_interception();
        self.was_killed()
    }
}

fn can_trace() -> bool {
    let words = ["-f", "-qq", "-o", "/dev/null", "true"];
    find("strace").is_some()
        && command("strace")
            .args(words)
            .status()
            .is_ok_and(|status| status.success())
}

/// Tries `kill` at every moment, or at a few; how often something was killed.
fn at_every_moment(
    what: &str,
    likely: &[&str],
    seed: u64,
    mut kill: impl FnMut(&str, usize) -> bool,
) -> usize {
    if rounds(0) == 0 {
        let mut dice = Dice(seed);
        let few = (0..2).map(|_| {
            let picked = dice.below(likely.len() as u64);
            let syscall = likely[usize::try_from(picked).expect("it is small")];
            (syscall, 1 + usize::try_from(dice.below(4)).expect("small"))
        });
        return few.filter(|&(syscall, nth)| kill(syscall, nth)).count();
    }
    let all = SIDE_EFFECTS.map(|syscall| (syscall, 1));
    let mut total = 0;
    for (syscall, step) in all.into_iter().chain(SAMPLED) {
        let mut killed = 0;
        while kill(syscall, 1 + killed * step) {
            killed += 1;
        }
        println!("{what}: {killed} kills at {syscall}, every {step}");
        total += killed;
    }
    println!("{what}: {total} kills");
    total
}

fn owl_killed(rows: Rows) {
    if !can_trace() {
        return skip("no strace, or it may not trace: owl was not killed at a side effect");
    }
    if build(rows).is_none() {
        return skip("a store cannot be bind-mounted: no kill of a removal in place");
    }
    let killed = at_every_moment(&format!("owl, {rows:?}"), &OWLS, 3, |syscall, nth| {
        let built = build(rows).expect("it could be built before");
        let killed = built.kill_owl(syscall, nth);
        let when = format!("a kill of owl at {syscall} {nth} of {rows:?}");
        built.assert_survives(&when, nth % 2 == 0);
        killed
    });
    assert!(killed > 0, "nothing was killed");
}

fn git_killed(rows: Rows) {
    if !can_trace() {
        return skip("no strace, or it may not trace: git was not killed at a side effect");
    }
    if build(rows).is_none() {
        return skip("a store cannot be bind-mounted: no kill of git in place");
    }
    let killed = at_every_moment(&format!("git, {rows:?}"), &GITS, 5, |syscall, nth| {
        let built = build(rows).expect("it could be built before");
        let killed = built.kill_git(syscall, nth);
        let when = format!("a kill of git at {syscall} {nth} of {rows:?}");
        built.assert_survives(&when, nth % 2 == 0);
        killed
    });
    assert!(killed > 0, "nothing was killed");
}

/// The run that finishes or undoes what a killed one left is killed, too.
fn recovery_killed(rows: Rows, interrupt: &str) {
    if !can_trace() {
        return skip("no strace, or it may not trace: no recovery was killed");
    }
    if build(rows).is_none() {
        return skip("a store cannot be bind-mounted: no kill of a recovery in place");
    }
    let what = format!("recovery, {rows:?}");
    let killed = at_every_moment(&what, &OWLS, 9, |syscall, nth| {
        let built = build(rows).expect("it could be built before");
        built.scene.intercept(interrupt);
        let said = built.scene.owl("apply").output().expect("owl runs");
        built.scene.no_interception();
        thread::sleep(Duration::from_millis(20));
        assert!(
            !built.scene.records().is_empty(),
            "nothing is open: {said:?}"
        );
        let killed = built.kill_owl(syscall, nth);
        let when = format!("a kill of a recovery at {syscall} {nth} of {rows:?}");
        built.assert_survives(&when, nth % 2 == 0);
        killed
    });
    assert!(killed > 0, "nothing was killed");
}

#[test]
fn owl_is_killed_while_it_moves() {
    owl_killed(Rows::Moved);
}

#[test]
fn owl_is_killed_while_it_prunes() {
    owl_killed(Rows::Pruned);
}

#[test]
fn owl_is_killed_while_it_removes_in_place() {
    owl_killed(Rows::InPlace);
}

#[test]
fn owl_is_killed_between_nested_rows() {
    owl_killed(Rows::Nested);
}

#[test]
fn git_is_killed_while_it_removes_what_was_moved() {
    git_killed(Rows::Moved);
}

#[test]
fn git_is_killed_while_it_prunes() {
    git_killed(Rows::Pruned);
}

#[test]
fn git_is_killed_while_it_removes_in_place() {
    git_killed(Rows::InPlace);
}

/// owl dies when it asks about what stands aside: the recovery puts it back.
const AT_THE_LOOK: &str = "case \"$*\" in *owl/aside/*status*) kill -9 $PPID; exit 1;; esac";
/// owl and git die in the middle of the deletion: the recovery finishes it.
const IN_THE_DELETION: &str = "case \"$*\" in *'worktree remove'*) \
    rm -f \"$last/d3/f3\" \"$last/d4/f4\"; kill -9 $PPID; exit 1;; esac";

#[test]
fn a_recovery_that_puts_back_is_killed() {
    recovery_killed(Rows::Moved, AT_THE_LOOK);
}

#[test]
fn a_recovery_that_finishes_is_killed() {
    recovery_killed(Rows::Moved, IN_THE_DELETION);
}

#[test]
fn a_recovery_of_a_prune_is_killed() {
    let body = "case \"$*\" in *'worktree remove'*) kill -9 $PPID; exit 1;; esac";
    recovery_killed(Rows::Pruned, body);
}

#[test]
fn a_recovery_that_finishes_in_place_is_killed() {
    recovery_killed(Rows::InPlace, IN_THE_DELETION);
}

/// owl, git, or owl under a git that goes on, is killed when git is started for the nth time.
#[test]
fn a_kill_at_the_start_of_any_git_loses_nothing() {
    let ways = ["kill -9 $PPID; exit 1", "kill -9 $$", "kill -9 $PPID"];
    let all = [Rows::Moved, Rows::Pruned, Rows::Nested];
    let mut killed = 0;
    for rows in all {
        for way in ways {
            for nth in 1.. {
                // By default two of them; each way has its own.
                if rounds(0) == 0 && nth % 19 != way.len() % 19 {
                    continue;
                }
                if rounds(0) == 0 && nth > 38 {
                    break;
                }
                let built = build(rows).expect("it needs no mount");
                built.scene.intercept(&format!(
                    "echo >> \"$HOME/calls\"; \
                     [ $(wc -l < \"$HOME/calls\") -eq {nth} ] && {{ : > \"$HOME/hit\"; {way}; }}"
                ));
                drop(built.scene.owl("apply").output().expect("owl runs"));
                built.scene.no_interception();
                let was_hit = built.scene.root.join("home/hit").exists();
                built.assert_survives(&format!("{way} at git {nth} of {rows:?}"), nth % 2 == 0);
                if !was_hit {
                    break;
                }
                killed += 1;
            }
        }
    }
    println!("{killed} kills at the start of a git");
    assert!(killed > 0);
}

#[test]
fn a_kill_at_a_random_moment_loses_nothing() {
    let mut dice = Dice(11);
    for round in 0..rounds(5) {
        let rows = [Rows::Moved, Rows::Nested, Rows::Pruned, Rows::InPlace][round % 4];
        let Some(built) = build(rows) else {
            skip("a store cannot be bind-mounted: no random kill of a removal in place");
            continue;
        };
        let mut owl = built.scene.owl("apply");
        let mut child = owl
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("owl runs");
        let pause = Duration::from_millis(dice.below(900));
        thread::sleep(pause);
        drop(child.kill());
        child.wait().expect("it ends");
        // A git that outlives owl may be in the middle of something, with a record.
        built.assert_survives(
            &format!("round {round}: a kill of {rows:?} after {pause:?}"),
            round % 2 == 0,
        );
    }
}
