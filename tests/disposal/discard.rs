//! `--discard`: what it destroys is named, path by path, and agreed to (A3.3 with `spec 14`).

use super::support::yard::Yard;
use super::support::{is_root, skipped, write};
use super::{Desk, POLICY, State};
use owl::plan::{Plan, moved};
use owl::policy::{Action, Order, Origin, Policy};
use std::fs;
use std::os::unix::fs::MetadataExt;

/// A worktree with every kind of change; what git says of it, and the paths.
fn dirty(desk: &Desk, name: &str) -> i64 {
    let path = desk.repo.agent(name);
    for file in ["edited", "staged", "both", "deleted", "renamed"] {
        write(&path.join(file), file.as_bytes());
    }
    desk.repo.git_in(&path, ["add", "."]);
    desk.repo.git_in(&path, ["commit", "-q", "-m", "work"]);
    let id = desk.job(name, "succeeded");
    write(&path.join("edited"), b"EDITED");
    write(&path.join("staged"), b"STAGED");
    write(&path.join("both"), b"BOTH");
    desk.repo.git_in(&path, ["add", "staged", "both"]);
    write(&path.join("both"), b"BOTH, again");
    fs::remove_file(path.join("deleted")).expect("it is there");
    desk.repo.git_in(&path, ["mv", "renamed", "elsewhere"]);
    write(&path.join("new/notes.md"), b"only here");
    write(&path.join("secret.env"), b"TOKEN=1");
    id
}

fn ignoring(desk: &Desk) {
    let exclude = desk.repo.common_dir().join("info/exclude");
    write(&exclude, b"/.claude/\n*.env\n");
}

#[test]
fn everything_that_is_given_up_is_named_and_agreed_to() {
    let desk = Desk::new();
    ignoring(&desk);
    let id = dirty(&desk, "work");
    let kept = dirty(&desk, "kept");
    let tip = desk.tip("work");
    let said = desk.refused(&format!("jobs accept {id}"));
    assert!(said.contains("--discard"), "{said}");
    let said = desk.refused(&format!("jobs accept {id} --discard"));
    for line in [
        "  M edited",
        "  M  staged",
        "  MM both",
        "   D deleted",
        "elsewhere",
        "?? new/notes.md (N B)",
        "?? secret.env (N B)",
    ] {
        let line = line.trim();
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(said.contains("--yes"), "{said}");
    desk.require_untouched(id, "work", &State::Review, tip.as_deref());
    assert_eq!(
        fs::read(desk.place("work").join("both")).expect("it is there"),
        b"BOTH, again"
    );
    let run = desk.owl(&format!("jobs accept {id} --discard --yes"));
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stderr().contains("secret.env"), "{run}");
    assert!(!desk.place("work").exists());
    assert_eq!(desk.state(id), State::Done);
    assert_eq!(desk.tip("work"), tip);
    // Nobody else's is.
    let tip = desk.tip("kept");
    desk.require_untouched(kept, "kept", &State::Review, tip.as_deref());
    assert!(desk.place("kept").join("new/notes.md").is_file());
    // Without dirt, nothing is asked.
    let clean = desk.review("clean");
    desk.done(&format!("jobs drop {clean} --discard"));
    assert_eq!(desk.state(clean), State::Cancelled);
}

/// What cannot be named file by file is not given up.
#[test]
fn what_cannot_be_named_is_not_given_up() {
    let desk = Desk::under(&format!("{POLICY}precious: [\"*.sqlite\"]\n"));
    let exclude = desk.repo.common_dir().join("info/exclude");
    write(&exclude, b"/.claude/\n*.sqlite\n");
    let control = dirty(&desk, "control");
    let nested = desk.review("nested");
    let inner = desk.place("nested").join("inner");
    fs::create_dir(&inner).expect("it is free");
    desk.repo.git_in(&inner, ["init", "-q"]);
    let precious = desk.review("precious");
    write(&desk.place("precious").join("data.sqlite"), b"rows");
    let merging = desk.review("merging");
    let path = desk.place("merging");
    write(&desk.repo.main().join("merging.txt"), b"other\n");
    desk.repo.git(["add", "merging.txt"]);
    desk.repo.git(["commit", "-q", "-m", "other"]);
    let merged = desk.repo.try_git(&path, ["merge", "main"]);
    assert!(!merged.status.success(), "it conflicts");
    for (id, name) in [
        (nested, "nested"),
        (precious, "precious"),
        (merging, "merging"),
    ] {
        desk.refused(&format!("jobs drop {id} --discard --yes"));
        let tip = desk.tip(name);
        desk.require_untouched(id, name, &State::Review, tip.as_deref());
    }
    assert!(inner.join(".git").is_dir());
    assert!(desk.place("precious").join("data.sqlite").is_file());
    desk.done(&format!("jobs drop {control} --discard --yes"));
    assert!(!desk.place("control").exists());
}

/// One more edit, and it is not what was agreed to.
#[test]
fn one_more_edit_is_another_loss() {
    let desk = Desk::new();
    let id = dirty(&desk, "work");
    let edited = desk.place("work").join("edited");
    let yard = Yard::of(desk.repo);
    let policy = Policy::parse("owl.yaml", POLICY.as_bytes(), Origin::User).expect("it is valid");
    let policy = policy.under_order(Order {
        job: id.to_string(),
        then: Action::Accept,
        discard: true,
    });
    let row = |policy: &Policy| {
        let scope = yard.scope(policy);
        let plan = Plan::new(policy, &yard.observe_in(policy, &scope));
        plan.row(&yard.address("work"))
            .expect("it has a row")
            .clone()
    };
    let first = row(&policy);
    assert_eq!(moved(&first, &row(&policy)), Vec::<String>::new());
    let was = fs::metadata(&edited).expect("it is there");
    write(&edited, b"eDITED");
    let file = fs::File::options()
        .write(true)
        .open(&edited)
        .expect("it is there");
    file.set_modified(was.modified().expect("it has a time"))
        .expect("it can be set");
    let found = moved(&first, &row(&policy));
    assert_eq!(found, ["its steps are others now"]);
}

/// What was named is what goes: a question or a lock may wait, and somebody may go on working.
#[test]
fn what_came_in_while_a_lock_was_waited_for_is_not_given_up() {
    let desk = Desk::new();
    let id = dirty(&desk, "work");
    let clean = desk.review("clean");
    let control = dirty(&desk, "control");
    for (id, name) in [(id, "work"), (clean, "clean")] {
        // Held by a process of its own: a lock of this one would be the child's as well.
        let common_dir = desk.repo.common_dir();
        let mut holder = desk.repo.command("flock");
        holder.arg(common_dir).args(["sleep", "6"]);
        let mut holder = holder.spawn().expect("flock is there");
        let words = format!("jobs drop {id} --discard --yes");
        let late = desk.place(name).join("late.txt");
        let run = std::thread::scope(|scope| {
            let run = scope.spawn(|| desk.owl(&words));
            // It has named what there is, and waits for the lock.
            std::thread::sleep(std::time::Duration::from_secs(4));
            write(&late, b"written meanwhile");
            run.join().expect("it ran")
        });
        holder.wait().expect("it ends");
        assert_eq!(run.code(), Some(2), "{run}");
        assert_eq!(fs::read(&late).expect("it is there"), b"written meanwhile");
        let tip = desk.tip(name);
        desk.require_untouched(id, name, &State::Review, tip.as_deref());
    }
    desk.done(&format!("jobs drop {control} --discard --yes"));
    assert!(!desk.place("control").exists());
}

/// Somebody else's decision wins, and nothing was given up for the one that was refused.
#[test]
fn a_refused_decision_gives_nothing_up() {
    let desk = Desk::new();
    let words = "jobs add --branch work --worktree .claude/worktrees/work --ttl 1";
    let path = desk.repo.agent("work");
    desk.repo.commit(&path, "work.txt", b"work");
    let id: i64 = desk.done(words).parse().expect("a number");
    desk.done(&format!("jobs start {id}"));
    desk.done(&format!("jobs finish {id} --outcome interrupted"));
    write(&path.join("notes"), b"only here");
    let bin = desk.repo.root().join("bin");
    let owl = env!("CARGO_BIN_EXE_owl");
    let find = desk
        .repo
        .command("sh")
        .args(["-c", "command -v git"])
        .output();
    let git = find.expect("sh is there").stdout;
    let git = String::from_utf8_lossy(&git).trim().to_owned();
    let body = format!(
        "case \"$*\" in *update-ref*) {owl} jobs extend {id} >/dev/null;; esac\nexec {git} \"$@\""
    );
    desk.repo.script(&bin.join("git"), &body);
    let mut command = desk.repo.owl_command(&desk.repo.main());
    let vars = desk.repo.vars();
    let rest = vars.iter().find(|(name, _)| name == "PATH");
    let rest = rest.map(|(_, value)| value.to_string_lossy().into_owned());
    let path_of = format!("{}:{}", bin.display(), rest.expect("there is a PATH"));
    let words = format!("jobs drop {id} --discard --yes");
    command.args(words.split(' ')).env("PATH", path_of);
    let run = desk.repo.run(command);
    assert_ne!(run.code(), Some(0), "{run}");
    assert_eq!(desk.state(id), State::Pending, "{run}");
    assert_eq!(
        fs::read(path.join("notes")).expect("it is there"),
        b"only here"
    );
    assert!(desk.tip("work").is_some());
}

/// Makes the index believe that an edited file is the committed one: its stat data are those of the
/// edit, its id is still the old one.
fn lie(desk: &Desk, name: &str, file: &str) {
    let path = desk.place(name).join(file);
    let found = fs::metadata(&path).expect("it is there");
    let index = desk
        .repo
        .common_dir()
        .join("worktrees")
        .join(name)
        .join("index");
    let mut bytes = fs::read(&index).expect("an index");
    let wanted = [file.as_bytes(), b"\0"].concat();
    let at = bytes.windows(wanted.len()).position(|part| part == wanted);
    let at = at.expect("the path is in the index") - 62;
    let low = |number: i64| u32::try_from(number).expect("small").to_be_bytes();
    let size = i64::try_from(found.size()).expect("small");
    for (offset, number) in [
        (0, found.ctime()),
        (4, found.ctime_nsec()),
        (8, found.mtime()),
        (12, found.mtime_nsec()),
        (36, size),
    ] {
        bytes[at + offset..at + offset + 4].copy_from_slice(&low(number));
    }
    fs::write(&index, bytes).expect("it can be written");
}

/// An edit that git does not see, beside one that was named.
#[test]
fn a_hidden_edit_beside_a_named_one_is_not_given_up() {
    let desk = Desk::new();
    let [id, control] = ["work", "control"].map(|name| {
        let id = desk.review(name);
        let path = desk.place(name);
        write(&path.join(format!("{name}.txt")), b"edited");
        write(
            &path.join("README.md"),
            if name == "work" { b"two\n" } else { b"one\n" },
        );
        let file = fs::File::options().write(true).open(path.join("README.md"));
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(1_000_000);
        file.expect("it is there")
            .set_modified(long_ago)
            .expect("it can be set");
        lie(&desk, name, "README.md");
        let status = desk.repo.git_in(&path, ["status", "--porcelain"]);
        assert!(
            !status.contains("README.md"),
            "git does not see it: {status}"
        );
        id
    });
    let run = desk.owl(&format!("jobs accept {id} --discard --yes"));
    assert_ne!(run.code(), Some(0), "{run}");
    let text = fs::read(desk.place("work").join("README.md"));
    assert_eq!(text.expect("it is there"), b"two\n");
    let tip = desk.tip("work");
    desk.require_untouched(id, "work", &State::Review, tip.as_deref());
    desk.done(&format!("jobs accept {control} --discard --yes"));
    assert!(!desk.place("control").exists());
}

/// Where it cannot be moved out of everybody's reach, nothing is given up: git would not look any more.
#[test]
fn what_cannot_be_moved_is_not_given_up() {
    let name = "what_cannot_be_moved_is_not_given_up";
    if !is_root() {
        return skipped(name, "mounting needs root");
    }
    let desk = Desk::new();
    let store = desk.repo.main().join(".claude/worktrees");
    fs::create_dir_all(&store).expect("it is free");
    let mount = desk
        .repo
        .command("mount")
        .args(["-t", "tmpfs", "none"])
        .arg(&store)
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        return skipped(name, "a tmpfs cannot be mounted");
    }
    let id = dirty(&desk, "work");
    let control = desk.review("control");
    let run = desk.owl(&format!("jobs accept {id} --discard --yes"));
    let here = (
        desk.state(id),
        fs::read(desk.place("work").join("new/notes.md")),
    );
    // The control: what is clean is removed in place.
    let clean = desk.owl(&format!("jobs accept {control}"));
    let is_gone = !desk.place("control").exists();
    let unmounted = desk.repo.command("umount").arg("-l").arg(&store).status();
    assert!(unmounted.expect("umount is there").success());
    assert_eq!(run.code(), Some(3), "{run}");
    assert!(run.stderr().contains("out of reach"), "{run}");
    assert_eq!(here.0, State::Review);
    assert_eq!(here.1.expect("it is there"), b"only here");
    assert_eq!(clean.code(), Some(0), "{clean}");
    assert!(is_gone, "{clean}");
}
