//! `expendable`: untracked and ignored files that may be lost, each as a step (`spec 3`, `spec 5.4`).

use super::scene::Scene;
use super::support::yard::{Yard, outcome, require_fate, row, said};
use super::support::{aging::age, snapshot::Snapshot, write};
use owl::apply::Fate;
use owl::plan::{Step, Verdict};
use std::os::unix::fs::symlink;

/// What somebody does to a file.
type Change = fn(&std::path::Path);

const POLICY: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
rules:
  - name: finished
    when: { landed: true, idle-over: 1h }
    then: accept
expendable: [.agent/settings.local.json, \"scratch\", \"**/*.tmp\"]
pid-namespace: own
";

fn yard() -> Yard {
    let yard = Yard::new().under(POLICY);
    write(
        &yard.repo.common_dir().join("info/exclude"),
        b"/.claude/\n*.tmp\n*.env\n",
    );
    yard
}

fn discards(yard: &Yard, name: &str) -> Vec<String> {
    let plan = yard.look();
    let row = row(&plan, &yard.address(name));
    assert_eq!(row.verdict, Verdict::Remove, "{}", said(&plan));
    let mut paths = Vec::new();
    for step in &row.steps {
        if let Step::DiscardExpendable { path, .. } = step {
            paths.push(path.to_string());
        }
    }
    paths
}

#[test]
fn exactly_what_matches_is_discarded() {
    let yard = yard();
    let outside = yard.repo.root().join("precious.txt");
    write(&outside, b"mine");
    let path = yard.landed("lossy");
    write(&path.join(".agent/settings.local.json"), b"{}");
    write(&path.join("scratch/deep/notes"), b"n");
    write(&path.join("scratch/more"), b"m");
    write(&path.join("d/ignored.tmp"), b"t");
    symlink(&outside, path.join("scratch/link")).expect("the scene is as it was built");
    yard.age("lossy");
    assert_eq!(
        discards(&yard, "lossy"),
        [
            ".agent/settings.local.json",
            "d/ignored.tmp",
            "scratch/deep/notes",
            "scratch/link",
            "scratch/more"
        ]
    );
    let held = yard.landed("held");
    write(&held.join(".agent/settings.local.json"), b"{}");
    write(&held.join(".agent/other.json"), b"{}");
    yard.age("held");
    let ignored = yard.landed("ignored");
    write(&ignored.join("a.tmp"), b"t");
    write(&ignored.join("a.env"), b"SECRET=1");
    yard.age("ignored");
    let before = Snapshot::of(&[&held, &ignored, &outside]);
    let plan = yard.look();
    assert_eq!(
        row(&plan, &yard.address("held")).message,
        "1 untracked: .agent/other.json"
    );
    assert_eq!(
        row(&plan, &yard.address("ignored")).reason.to_string(),
        "ignored-data"
    );
    let done = yard.apply();
    require_fate(&done, &yard.address("lossy"), Fate::Removed);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert_eq!(done.len(), 2);
    before.require_same("what is not expendable", &[&held, &ignored, &outside]);
}

/// A repository inside is never expendable, nor is a FIFO.
#[test]
fn a_repository_or_a_fifo_in_an_expendable_place_holds() {
    let yard = yard();
    let path = yard.landed("repo");
    yard.repo.git_in(&path, ["init", "-q", "scratch"]);
    yard.repo.commit(&path.join("scratch"), "own.txt", b"own");
    yard.age("repo");
    let path = yard.landed("fifo");
    write(&path.join("scratch/x"), b"x");
    let pipe = path.join("scratch/pipe");
    assert!(
        yard.repo
            .command("mkfifo")
            .arg(pipe)
            .status()
            .expect("the scene is as it was built")
            .success()
    );
    yard.age("fifo");
    let plan = yard.look();
    for name in ["repo", "fifo"] {
        assert_eq!(
            row(&plan, &yard.address(name)).verdict,
            Verdict::Hold,
            "{}",
            said(&plan)
        );
    }
    let done = yard.apply();
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert_eq!(done.len(), 1);
}

/// A file that is not the one that was planned keeps the row, and itself.
#[test]
fn a_file_that_changed_meanwhile_is_not_discarded() {
    let changes: [(&str, Change); 4] = [
        ("content", |file| write(file, b"new!")),
        ("another file", |file| {
            let other = file.with_extension("other");
            write(&other, b"old!");
            std::fs::rename(other, file).expect("the scene is as it was built");
        }),
        ("a symlink", |file| {
            let to = file.with_extension("tmp");
            std::fs::rename(file, &to).expect("the scene is as it was built");
            symlink(to, file).expect("the scene is as it was built");
        }),
        ("one more", |file| write(&file.with_file_name("more"), b"x")),
    ];
    for (name, change) in changes {
        let yard = yard();
        let path = yard.landed("moved");
        let file = path.join("scratch/notes");
        write(&file, b"old!");
        yard.age("moved");
        let approved = yard.approved(&["control", "moved"]);
        change(&file);
        age(&path);
        let before = Snapshot::of(&[&path]);
        let done = yard.carry_out(&approved);
        let found = outcome(&done, &yard.address("moved"));
        assert_eq!(found.fate, Fate::Kept, "{name}: {}", found.message);
        before.require_same(name, &[&path]);
        require_fate(&done, &yard.address("control"), Fate::Removed);
    }
}

/// `precious` wins over all else, and over a word of the same policy that something may be lost.
#[test]
fn precious_wins_over_expendable() {
    let policy = POLICY.replace(
        "expendable: [",
        "precious: [scratch/keep, a.tmp]\nexpendable: [",
    );
    let yard = Yard::new().under(&policy);
    write(
        &yard.repo.common_dir().join("info/exclude"),
        b"/.claude/\n*.tmp\n",
    );
    let untracked = yard.landed("untracked");
    write(&untracked.join("scratch/keep"), b"k");
    let ignored = yard.landed("ignored");
    write(&ignored.join("a.tmp"), b"t");
    let other = yard.landed("other");
    write(&other.join("scratch/lose"), b"l");
    write(&other.join("b.tmp"), b"t");
    for name in ["untracked", "ignored", "other"] {
        yard.age(name);
    }
    let before = Snapshot::of(&[&untracked, &ignored]);
    let done = yard.apply();
    before.require_same("what is precious", &[&untracked, &ignored]);
    require_fate(&done, &yard.address("other"), Fate::Removed);
    let plan = yard.look();
    for (name, reason) in [("untracked", "untracked"), ("ignored", "ignored-data")] {
        let row = row(&plan, &yard.address(name));
        assert_eq!(
            (row.verdict, &*row.reason.to_string()),
            (Verdict::Hold, reason)
        );
    }
}

/// What is given back after some of it was given up is told, whether git failed or owl was killed.
#[test]
fn a_tree_that_comes_back_without_what_was_given_up_says_so() {
    for (body, is_killed) in [("exit 1", false), ("kill -9 $PPID; exit 9", true)] {
        let scene = Scene::new(4);
        let policy =
            POLICY.replace(", idle-over: 1h", "") + "ttl: {grace: 0s}\nlimits: {max-gone: 100%}\n";
        write(&scene.root.join("policy.yaml"), policy.as_bytes());
        let place = scene.add("lossy");
        write(&place.join("scratch/notes"), b"may go");
        scene.intercept(&format!(
            "case \"$*\" in *'worktree remove'*) {body};; esac"
        ));
        let said = scene.owl("apply").output().expect("owl runs");
        scene.no_interception();
        assert_eq!(said.status.code(), if is_killed { None } else { Some(3) });
        let again = scene.apply();
        let told = if is_killed {
            again.document["recovered"][0]["outcome"]["message"].to_string()
        } else {
            String::from_utf8_lossy(&said.stdout).into_owned()
        };
        let wanted = "what was given up by name is gone already: scratch/notes";
        assert!(told.contains(wanted), "{body}: {told}");
        scene.assert_gone(&["lossy"]);
    }
}
