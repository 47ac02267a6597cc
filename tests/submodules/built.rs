//! A repository with a submodule that has a submodule, both published, and worktrees with both.

use super::scene::{Scene, command, picture};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const POLICY: &str = "apiVersion: owl/v1
stores: [{path: .claude/worktrees/*}]
rules: [{name: landed, when: {landed: true}, then: accept}]
ttl: {grace: 0s}
limits: {max-gone: 100%}
pid-namespace: own
submodules: remove-published
";

pub(crate) struct Built {
    pub(crate) scene: Scene,
}

/// Every path below with kind, mode, and bytes, and the mtime of files.
pub(crate) type Picture = Vec<(PathBuf, u32, Option<i64>, Vec<u8>)>;

impl Built {
    pub(crate) fn new() -> Self {
        Self::of(Scene::new(5))
    }

    pub(crate) fn of(scene: Scene) -> Self {
        let built = Self { scene };
        let (deep, lib) = (built.other("deep"), built.other("lib"));
        for place in [&deep, &lib] {
            fs::create_dir(place).expect("it is new");
            built.scene.own(place);
            built.git(place, &["init", "-q", "-b", "main"]);
        }
        put(&deep.join("deep.txt"), "deep\n");
        built.commit(&deep);
        put(&lib.join("lib.txt"), "lib\n");
        put(&lib.join("src/app.py"), "print(1)\n");
        put(&lib.join(".gitignore"), "build/\n__pycache__/\n");
        built.add_submodule(&lib, &deep, "deep");
        built.commit(&lib);
        // A commit between two: what is recorded is not the tip of the remote.
        put(&lib.join("lib.txt"), "lib two\n");
        built.commit(&lib);
        built.git(&lib, &["tag", "-a", "v1", "-m", "v1"]);
        built.git(&lib, &["branch", "topic", "HEAD~1"]);
        built.add_submodule(&built.scene.main(), &lib, "lib");
        let main = built.scene.main();
        built.git(
            &main,
            &[
                "-c",
                ALLOW,
                "submodule",
                "--quiet",
                "update",
                "--init",
                "--recursive",
            ],
        );
        built.commit(&main);
        put(&built.scene.root.join("policy.yaml"), POLICY);
        built.scene.own(&built.scene.root);
        built
    }

    /// A repository beside the main one.
    pub(crate) fn other(&self, name: &str) -> PathBuf {
        self.scene.root.join(name)
    }

    pub(crate) fn git(&self, at: &Path, args: &[&str]) -> String {
        let at = at.to_str().expect("it is text");
        self.scene.git(&[&["-C", at], args].concat())
    }

    pub(crate) fn commit(&self, at: &Path) {
        self.scene.own(at);
        self.git(at, &["add", "-A"]);
        self.git(at, &["commit", "-q", "-m", "a commit"]);
    }

    fn add_submodule(&self, at: &Path, from: &Path, name: &str) {
        let url = from.to_str().expect("it is text");
        self.git(at, &["-c", ALLOW, "submodule", "--quiet", "add", url, name]);
    }

    /// A worktree whose work has landed, with its submodules checked out.
    pub(crate) fn add(&self, name: &str) -> PathBuf {
        let place = self.scene.add(name);
        self.update(&place);
        place
    }

    pub(crate) fn update(&self, place: &Path) {
        let words = ["submodule", "--quiet", "update", "--init", "--recursive"];
        self.git(place, &[&["-c", ALLOW], &words[..]].concat());
    }

    /// The repository of the submodule of a worktree.
    pub(crate) fn module(&self, name: &str) -> PathBuf {
        self.scene.entry(name).join("modules/lib")
    }

    /// A worktree and its entry, as they are.
    pub(crate) fn picture(&self, name: &str) -> Picture {
        let all = [self.scene.place(name), self.scene.entry(name)];
        let all = all.iter().flat_map(|one| picture(one));
        all.map(|(path, mode, at, bytes)| {
            let is_directory = mode & 0o170_000 == 0o040_000;
            (path, mode, (!is_directory).then_some(at), bytes)
        })
        .collect()
    }
}

pub(crate) const ALLOW: &str = "protocol.file.allow=always";

/// Writes a file and the directories on the way.
pub(crate) fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    fs::write(path, text).expect("a file");
}

/// Runs a line of shell in a directory of the test's own.
pub(crate) fn shell(at: &Path, line: &str) {
    let done = command("sh").args(["-ec", line]).current_dir(at).status();
    assert!(done.expect("sh runs").success(), "{line}");
}

/// What became of each row, for people.
pub(crate) fn brief(said: &super::scene::Said) -> String {
    let rows = said
        .items()
        .chain(said.document["recovered"].as_array().into_iter().flatten());
    let told = rows.map(|row| {
        let (address, outcome) = (&row["address"], &row["outcome"]);
        format!(
            "{address} {} {}: {} {}",
            row["verdict"], row["reason"], row["message"], outcome
        )
    });
    told.collect::<Vec<_>>().join("\n")
}

/// What became of a worktree: its fate and its message, that of an earlier run's row first.
pub(crate) fn became(said: &super::scene::Said, name: &str) -> (String, String) {
    let recovered = said.document["recovered"].as_array().into_iter().flatten();
    let address = format!("main/{name}");
    let found = recovered
        .chain(said.items())
        .find(|row| row["address"] == address.as_str() && !row["outcome"].is_null());
    let outcome = found.map_or(&serde_json::Value::Null, |row| &row["outcome"]);
    let text = |key: &str| outcome[key].as_str().unwrap_or("").to_owned();
    (text("fate"), text("message"))
}
