//! What a plan says without git is what apply finds when it looks exactly, so that it is carried out.

use crate::settled::{settle, told};
use crate::support::write;
use crate::support::yard::{Yard, require_fate};
use owl::apply::Fate;
use owl::plan::Verdict;

const POLICY: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
rules:
  - name: finished
    when: { landed: true, idle-over: 1h }
    then: accept
expendable: [notes.tmp, scratch]
rebuildable: [dist]
pid-namespace: own
";

/// The digest of what is untracked and ignored is one of the things that may not move in between;
/// told by the glance, it must be the one that the exact look tells.
#[test]
fn a_row_that_was_told_without_git_is_carried_out() {
    let yard = Yard::new().under(POLICY);
    write(
        &yard.repo.common_dir().join("info/exclude"),
        b"/.claude/\ntarget/\ndist\n*.tmp\n__pycache__/\n",
    );
    let path = yard.landed("built");
    let tag = b"Signature: 8a477f597d28d172789f06886806bc55\n";
    write(&path.join("target/CACHEDIR.TAG"), tag);
    write(&path.join("target/debug/deps/a.o"), b"o");
    write(&path.join("dist/app.js"), b"j");
    write(&path.join("notes.tmp"), b"n");
    write(&path.join("scratch/deep/x"), b"x");
    std::fs::create_dir_all(path.join("target/empty/er")).expect("it can be made");
    assert!(yard.landed("plain").exists());
    settle(&yard, &["built", "plain"]);
    for name in ["built", "plain"] {
        told(&yard, name).expect("it is told without git");
    }
    let plan = yard.look();
    for name in ["built", "plain"] {
        let row = plan.row(&yard.address(name)).expect("it has a row");
        assert_eq!(row.verdict, Verdict::Remove, "{name}: {}", row.message);
    }
    let done = yard.apply();
    for name in ["built", "plain"] {
        require_fate(&done, &yard.address(name), Fate::Removed);
        assert!(!yard.path(name).exists());
    }
}
