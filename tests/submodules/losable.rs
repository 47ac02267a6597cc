//! Everything that could be lost with a submodule holds by itself, beside worktrees that go.

use super::built::{Built, brief, put, shell};
use super::scene::{Scene, is_root};
use super::support::skipped;
use std::fs;
use std::path::Path;

type Spoil = fn(&Built, &Path, &Path);

/// What is done to a worktree and the repository of its submodule; the code that then holds it, and
/// a word of the reason.
const LOSABLE: &[(&str, &str, &str, Spoil)] = &[
    ("untracked", "uncommitted", "lib", |_, at, _| {
        put(&at.join("lib/idea.txt"), "x");
    }),
    ("untracked-deep", "uncommitted", "lib", |_, at, _| {
        put(&at.join("lib/deep/idea.txt"), "x");
    }),
    ("changed", "uncommitted", "lib", |_, at, _| {
        put(&at.join("lib/lib.txt"), "mine\n");
    }),
    ("staged", "uncommitted", "lib", |built, at, _| {
        put(&at.join("lib/lib.txt"), "mine\n");
        built.git(&at.join("lib"), &["add", "."]);
        put(&at.join("lib/lib.txt"), "lib two\n");
    }),
    ("new-commit", "uncommitted", "lib", |built, at, _| {
        put(&at.join("lib/lib.txt"), "mine\n");
        built.commit(&at.join("lib"));
    }),
    ("older-commit", "uncommitted", "lib", |built, at, _| {
        built.git(&at.join("lib"), &["checkout", "-q", "HEAD~1"]);
    }),
    // Incident 47: recorded and merged, and nowhere else.
    (
        "unpublished",
        "submodule",
        "no remote has its commit",
        |built, at, _| {
            put(&at.join("lib/lib.txt"), "mine\n");
            built.commit(&at.join("lib"));
            built.commit(at);
            built.git(
                &built.scene.main(),
                &["merge", "-q", "--ff-only", "unpublished"],
            );
        },
    ),
    (
        "branch-commit",
        "submodule",
        "branch-commit has commits",
        |built, at, _| {
            let lib = at.join("lib");
            built.git(&lib, &["checkout", "-q", "-b", "branch-commit"]);
            built.git(&lib, &["commit", "-q", "--allow-empty", "-m", "own"]);
            built.git(&lib, &["checkout", "-q", "--detach", "HEAD~1"]);
        },
    ),
    (
        "branch-name",
        "submodule",
        "a branch that no remote has",
        |built, at, _| {
            built.git(&at.join("lib"), &["branch", "mine"]);
        },
    ),
    ("stash", "submodule", "refs/stash", |built, at, _| {
        put(&at.join("lib/lib.txt"), "mine\n");
        built.git(&at.join("lib"), &["stash", "-q"]);
    }),
    (
        "dropped-stash",
        "submodule",
        "the object",
        |built, at, _| {
            put(&at.join("lib/lib.txt"), "mine\n");
            built.git(&at.join("lib"), &["stash", "-q"]);
            built.git(&at.join("lib"), &["stash", "drop", "-q"]);
        },
    ),
    ("reflog", "submodule", "a reflog names", |built, at, _| {
        let lib = at.join("lib");
        built.git(&lib, &["commit", "-q", "--allow-empty", "-m", "own"]);
        built.git(&lib, &["reset", "-q", "--hard", "HEAD~1"]);
    }),
    (
        "reflog-deep",
        "submodule",
        "lib/deep: a reflog names",
        |built, at, _| {
            let deep = at.join("lib/deep");
            built.git(&deep, &["commit", "-q", "--allow-empty", "-m", "own"]);
            built.git(&deep, &["reset", "-q", "--hard", "HEAD~1"]);
        },
    ),
    ("tag", "submodule", "refs/tags/mine", |built, at, _| {
        built.git(&at.join("lib"), &["tag", "-a", "mine", "-m", "mine"]);
    }),
    ("tag-object", "submodule", "the object", |built, at, _| {
        built.git(&at.join("lib"), &["tag", "-a", "mine", "-m", "mine"]);
        built.git(&at.join("lib"), &["tag", "-d", "mine"]);
    }),
    ("notes", "submodule", "refs/notes", |built, at, _| {
        built.git(&at.join("lib"), &["notes", "add", "-m", "mine"]);
    }),
    ("merging", "submodule", "in progress", |_, _, module| {
        fs::copy(module.join("HEAD"), module.join("MERGE_HEAD")).expect("it is there");
    }),
    ("draft", "submodule", "lib: a message", |_, _, module| {
        put(&module.join("COMMIT_EDITMSG"), ":sparkles: careful words\n");
    }),
    (
        "draft-deep",
        "submodule",
        "lib/deep: a message",
        |_, _, module| {
            put(
                &module.join("modules/deep/COMMIT_EDITMSG"),
                "careful words\n",
            );
        },
    ),
    (
        "locked-index",
        "submodule",
        "in progress: index.lock",
        |_, _, module| {
            put(&module.join("index.lock"), "");
        },
    ),
    ("flag", "submodule", "behind a flag", |built, at, _| {
        built.git(
            &at.join("lib"),
            &["update-index", "--assume-unchanged", "lib.txt"],
        );
        put(&at.join("lib/lib.txt"), "mine\n");
    }),
    ("flag-deep", "submodule", "behind a flag", |built, at, _| {
        built.git(
            &at.join("lib/deep"),
            &["update-index", "--skip-worktree", "deep.txt"],
        );
        put(&at.join("lib/deep/deep.txt"), "mine\n");
    }),
    ("ignored", "ignored-data", "lib/build", |_, at, _| {
        put(&at.join("lib/build/result"), "x");
    }),
    (
        "nested",
        "nested-repository",
        "lib/build/inner",
        |built, at, _| {
            put(&at.join("lib/build/inner/x"), "x");
            built.scene.own(at);
            built.git(&at.join("lib/build/inner"), &["init", "-q"]);
        },
    ),
    ("fifo", "special-file", "lib/pipe", |_, at, _| {
        shell(at, "mkfifo lib/pipe");
    }),
    ("own-worktree", "submodule", "worktrees", |built, at, _| {
        let elsewhere = built.other("elsewhere");
        let elsewhere = elsewhere.to_str().expect("it is text");
        built.git(
            &at.join("lib"),
            &["worktree", "add", "-q", "--detach", elsewhere],
        );
    }),
    (
        "lends",
        "submodule",
        "borrows objects",
        |built, _, module| {
            let file = built
                .scene
                .common()
                .join("modules/lib/objects/info/alternates");
            put(&file, &format!("{}\n", module.join("objects").display()));
        },
    ),
    (
        "lends-further",
        "submodule",
        "main/.git/objects borrows objects",
        |built, _, module| {
            let between = built.scene.root.join("between/objects");
            let borrow = |at: &Path, from: &Path| {
                put(
                    &at.join("info/alternates"),
                    &format!("{}\n", from.display()),
                );
            };
            borrow(&built.scene.common().join("objects"), &between);
            borrow(&between, &module.join("objects"));
        },
    ),
    (
        "borrows",
        "submodule",
        "objects/info/alternates",
        |built, _, module| {
            let from = built.other("lib").join(".git/objects");
            put(
                &module.join("objects/info/alternates"),
                &format!("{}\n", from.display()),
            );
        },
    ),
    // Incident 46.
    ("deinit", "submodule", "modules", |built, at, _| {
        built.git(at, &["submodule", "--quiet", "deinit", "-f", "lib"]);
    }),
    ("hook", "submodule", "hooks/pre-commit", |_, _, module| {
        put(&module.join("hooks/pre-commit"), "#!/bin/sh\n");
    }),
    ("config", "submodule", "user.email", |built, at, _| {
        built.git(&at.join("lib"), &["config", "user.email", "me@example.com"]);
    }),
    ("exclude", "submodule", "info/exclude", |_, _, module| {
        put(&module.join("info/exclude"), "mine\n");
    }),
    ("stranger", "submodule", "notes.txt", |_, _, module| {
        put(&module.join("notes.txt"), "x");
    }),
    (
        "stray",
        "submodule",
        "none that is checked out",
        |_, _, module| {
            put(&module.with_file_name("other").join("notes.txt"), "x");
        },
    ),
    (
        "inside",
        "submodule",
        "lies in the worktree",
        |built, at, module| {
            shell(at, "rm lib/.git");
            fs::rename(module, at.join("lib/.git")).expect("it can be moved");
            let config = at.join("lib/.git/config");
            let config = config.to_str().expect("it is text");
            built
                .scene
                .git(&["config", "--file", config, "--unset", "core.worktree"]);
            // Its own submodule finds its way back.
            shell(at, "echo 'gitdir: ../.git/modules/deep' > lib/deep/.git");
            let deep = at.join("lib/.git/modules/deep/config");
            let deep = deep.to_str().expect("it is text");
            built
                .scene
                .git(&["config", "--file", deep, "core.worktree", "../../../deep"]);
        },
    ),
    (
        "other-link",
        "submodule",
        "not the worktree's own",
        |built, at, _| {
            let other = built.scene.common().join("modules/lib");
            put(
                &at.join("lib/.git"),
                &format!("gitdir: {}\n", other.display()),
            );
        },
    ),
    (
        "other-place",
        "submodule",
        "another working tree",
        |built, at, module| {
            let config = module.join("config");
            let config = config.to_str().expect("it is text");
            let lib = built.other("lib");
            let lib = lib.to_str().expect("it is text");
            built
                .scene
                .git(&["config", "--file", config, "core.worktree", lib]);
            let _ = at;
        },
    ),
    (
        "no-remote",
        "submodule",
        "no remote of it",
        |built, at, _| {
            built.git(
                &at.join("lib"),
                &["config", "--remove-section", "remote.origin"],
            );
        },
    ),
    (
        "own-remote",
        "submodule",
        "no remote of it",
        |built, at, module| {
            let url = module.to_str().expect("it is text");
            built.git(&at.join("lib"), &["config", "remote.origin.url", url]);
        },
    ),
    (
        "mutual-remote",
        "submodule",
        "no remote of it",
        |built, at, _| {
            let other = built.scene.place("control").join("lib");
            let url = other.to_str().expect("it is text");
            built.git(&at.join("lib"), &["config", "remote.origin.url", url]);
        },
    ),
    (
        "old-remote",
        "submodule",
        "refs/remotes/gone",
        |built, at, _| {
            let lib = at.join("lib");
            built.git(&lib, &["commit", "-q", "--allow-empty", "-m", "own"]);
            built.git(&lib, &["update-ref", "refs/remotes/gone/main", "HEAD"]);
            built.git(&lib, &["reset", "-q", "--hard", "HEAD~1"]);
            built.git(&lib, &["reflog", "expire", "--expire=now", "--all"]);
        },
    ),
    // Probes that fail.
    (
        "bad-log",
        "unknown-submodule",
        "no reflog entry",
        |_, _, module| {
            put(&module.join("logs/HEAD"), "no reflog\n");
        },
    ),
    (
        "bad-refs",
        "unknown-submodule",
        "refs/heads/broken",
        |_, _, module| {
            put(&module.join("refs/heads/broken"), "no id\n");
        },
    ),
    (
        "bad-config",
        "unknown-uncommitted",
        "bad config",
        |_, _, module| {
            let file = module.join("modules/deep/config");
            let text = fs::read_to_string(&file).expect("it is there");
            put(&file, &text.replace("[remote", "[\u{1}remote"));
        },
    ),
];

/// Each of them alone in one worktree, and controls that go in the same run; `scene` is as it was
/// built. What holds is as it was afterwards.
fn each_holds(scene: Scene) {
    let built = Built::of(scene);
    for (name, ..) in LOSABLE {
        built.add(name);
    }
    // With what may go with it.
    let control = built.add("control");
    put(
        &control.join("lib/src/__pycache__/app.cpython-311.pyc"),
        "x",
    );
    built.git(&control.join("lib"), &["fetch", "-q"]);
    let said = built.git(&control.join("lib"), &["log", "-1", "--format=%B"]);
    put(&built.module("control").join("COMMIT_EDITMSG"), &said);
    let vacant = built.scene.add("vacant");
    let shallow = built.scene.add("shallow");
    let url = format!("submodule.lib.url=file://{}", built.other("lib").display());
    let words = [
        "submodule",
        "--quiet",
        "update",
        "--init",
        "--depth",
        "1",
        "lib",
    ];
    let allow = ["-c", super::built::ALLOW, "-c", &url];
    built.git(&shallow, &[&allow[..], &words[..]].concat());
    for (name, _, _, spoil) in LOSABLE {
        spoil(&built, &built.scene.place(name), &built.module(name));
    }
    built.scene.own(&built.scene.main());
    assert!(vacant.is_dir());
    let plan = built.scene.plan();
    let mut wrong = Vec::new();
    for (name, code, word, _) in LOSABLE {
        let item = plan.item(name);
        let message = item["message"].as_str().expect("a sentence");
        let is_right = item["verdict"] == "hold" && item["reason"] == *code;
        if !is_right || !message.contains(word) {
            wrong.push(format!(
                "{name}: {} {}: {message}",
                item["verdict"], item["reason"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for name in ["control", "vacant", "shallow"] {
        assert_eq!(
            plan.item(name)["verdict"],
            "remove",
            "{:#}",
            plan.item(name)
        );
    }
    let before: Vec<_> = LOSABLE
        .iter()
        .map(|(name, ..)| built.picture(name))
        .collect();
    let said = built.scene.apply();
    assert_eq!(said.code, Some(0), "{}{}", brief(&said), said.stderr);
    built.scene.assert_gone(&["control", "vacant", "shallow"]);
    for ((name, ..), before) in LOSABLE.iter().zip(before) {
        assert!(built.picture(name) == before, "{name} was touched");
    }
}

#[test]
fn whatever_a_submodule_alone_has_holds() {
    each_holds(Scene::new(5));
}

#[test]
fn whatever_a_submodule_alone_has_holds_for_an_ordinary_user() {
    match Scene::ordinary(5) {
        Some(scene) => each_holds(scene),
        None => skipped(
            "whatever_a_submodule_alone_has_holds_for_an_ordinary_user",
            "only root can be another user",
        ),
    }
}

/// A probe that may not read fails, which root cannot see.
#[test]
fn a_repository_that_may_not_be_read_holds() {
    let name = "a_repository_that_may_not_be_read_holds";
    let Some(scene) = Scene::ordinary(5) else {
        return skipped(name, "only root can be another user");
    };
    let built = Built::of(scene);
    for (name, what) in [
        ("refs", "refs/heads"),
        ("logs", "logs"),
        ("objects", "objects/pack"),
    ] {
        built.add(name);
        let done = super::scene::command("chmod")
            .arg("0")
            .arg(built.module(name).join(what))
            .status();
        assert!(done.expect("chmod runs").success());
    }
    built.add("control");
    let plan = built.scene.plan();
    for name in ["refs", "logs", "objects"] {
        assert_eq!(plan.item(name)["verdict"], "hold", "{:#}", plan.item(name));
    }
    built.scene.apply();
    built.scene.assert_gone(&["control"]);
    for name in ["refs", "logs", "objects"] {
        assert!(built.scene.place(name).join("lib/lib.txt").is_file());
    }
    assert!(is_root());
}

/// The default: any that is initialised holds, however clean it is.
#[test]
fn without_the_policys_word_none_goes() {
    let built = Built::new();
    let text = super::built::POLICY.replace("remove-published", "hold");
    put(&built.scene.root.join("policy.yaml"), &text);
    built.add("clean");
    built.scene.add("vacant");
    let before = built.picture("clean");
    let said = built.scene.apply();
    assert_eq!(
        said.item("clean")["reason"],
        "submodule",
        "{}",
        brief(&said)
    );
    built.scene.assert_gone(&["vacant"]);
    assert!(built.picture("clean") == before);
}

/// A worktree whose directory is gone: what is in its `modules/` is not looked at, and holds.
#[test]
fn an_entry_with_the_repository_of_a_submodule_is_not_pruned() {
    let built = Built::new();
    for name in ["held", "control"] {
        built.scene.add(name);
    }
    built.update(&built.scene.place("held"));
    for name in ["held", "control"] {
        shell(
            &built.scene.main(),
            &format!("rm -rf .claude/worktrees/{name}"),
        );
    }
    let said = built.scene.apply();
    assert_eq!(said.item("held")["reason"], "submodule", "{}", brief(&said));
    assert_eq!(said.fate("control"), "pruned");
    assert!(built.module("held").join("HEAD").is_file());
}
