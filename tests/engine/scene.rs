//! A repository with worktrees in a store, and owl and git run on it, hermetically.
//!
//! A git of the test's own may stand before the real one on the `PATH`: a script that does something
//! at a chosen moment, such as killing owl or saving a file, and then runs the real git.

use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const POLICY: &str = "apiVersion: owl/v1
stores: [{path: .claude/worktrees/*}]
rules: [{name: landed, when: {landed: true}, then: accept}]
ttl: {grace: 0s}
limits: {max-gone: 100%}
";

/// The user that stands for an ordinary one.
pub(crate) const NOBODY: u32 = 65534;

pub(crate) struct Scene {
    pub(crate) root: PathBuf,
    user: Option<u32>,
    files: usize,
    _temp: TempDir,
}

/// A mount that ends with the test.
pub(crate) struct Bound(PathBuf);

impl Drop for Bound {
    fn drop(&mut self) {
        drop(command("umount").arg(&self.0).status());
    }
}

/// What a run of apply or plan said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) document: Value,
    pub(crate) stderr: String,
}

impl Said {
    /// The item of the worktree that was made under this name.
    pub(crate) fn item(&self, name: &str) -> &Value {
        let wanted = format!("main/{name}");
        self.items()
            .find(|item| item["address"] == wanted.as_str())
            .unwrap_or_else(|| panic!("no row {wanted} in {:#}\n{}", self.document, self.stderr))
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = &Value> {
        self.document["items"].as_array().into_iter().flatten()
    }

    /// The fate of a row.
    pub(crate) fn fate(&self, name: &str) -> &str {
        self.item(name)["outcome"]["fate"]
            .as_str()
            .unwrap_or("none")
    }

    pub(crate) fn message(&self, name: &str) -> &str {
        self.item(name)["outcome"]["message"].as_str().unwrap_or("")
    }
}

impl Scene {
    /// A main worktree with so many tracked files.
    pub(crate) fn new(files: usize) -> Self {
        Self::of(files, None)
    }

    /// The same, owned and used by an ordinary user; none where the test is not root.
    pub(crate) fn ordinary(files: usize) -> Option<Self> {
        is_root().then(|| Self::of(files, Some(NOBODY)))
    }

    fn of(files: usize, user: Option<u32>) -> Self {
        let temp = TempDir::new().expect("a temporary directory");
        let root = temp.path().canonicalize().expect("it is there");
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let scene = Self {
            root,
            user,
            files,
            _temp: temp,
        };
        for directory in ["home", "bin", "main"] {
            fs::create_dir(scene.root.join(directory)).expect("it is new");
        }
        let (built, owl) = (env!("CARGO_BIN_EXE_owl"), scene.root.join("owl"));
        // Another user may not reach where it was built.
        match user {
            Some(_) => fs::copy(built, owl).map(drop),
            None => std::os::unix::fs::symlink(built, owl),
        }
        .expect("owl is built");
        fs::write(scene.root.join("policy.yaml"), POLICY).expect("it can be written");
        scene.fill(&scene.main());
        scene.own(&scene.root);
        scene.git(&["init", "-q", "-b", "main"]);
        fs::write(scene.common().join("info/exclude"), ".claude\n").expect("it can be written");
        scene.git(&["add", "."]);
        scene.git(&["commit", "-q", "-m", "all"]);
        scene
    }

    fn fill(&self, directory: &Path) {
        for nth in 0..self.files {
            let sub = directory.join(format!("d{}", nth % 7));
            fs::create_dir_all(&sub).expect("it can be made");
            fs::write(sub.join(format!("f{nth}")), format!("content {nth}\n")).expect("written");
        }
    }

    pub(crate) fn own(&self, path: &Path) {
        if let Some(user) = self.user {
            let spec = format!("{user}:{user}");
            let done = command("chown").args(["-R", &spec]).arg(path).status();
            assert!(done.expect("chown runs").success());
        }
    }

    pub(crate) fn main(&self) -> PathBuf {
        self.root.join("main")
    }

    pub(crate) fn common(&self) -> PathBuf {
        self.main().join(".git")
    }

    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.main().join(".claude/worktrees").join(name)
    }

    pub(crate) fn entry(&self, name: &str) -> PathBuf {
        self.common().join("worktrees").join(name)
    }

    /// Adds a worktree whose work has landed.
    pub(crate) fn add(&self, name: &str) -> PathBuf {
        let place = self.place(name);
        let shown = place.to_str().expect("it is text");
        self.git(&["worktree", "add", "-q", "-B", name, shown]);
        place
    }

    /// Makes the store a file system of its own as far as a rename can tell: a bind mount of itself,
    /// with equal device numbers. None where that cannot be done here.
    pub(crate) fn bind_store(&self) -> Option<Bound> {
        let store = self.main().join(".claude/worktrees");
        fs::create_dir_all(&store).expect("it can be made");
        if !is_root() {
            return None;
        }
        let mount = command("mount")
            .arg("--bind")
            .args([&store, &store])
            .status();
        mount
            .is_ok_and(|status| status.success())
            .then_some(Bound(store))
    }

    fn dress(&self, mut command: Command) -> Command {
        #[expect(
            clippy::disallowed_methods,
            reason = "git is found where the tests' is"
        )]
        let path = std::env::var_os("PATH").expect("PATH is set");
        let mut search = OsString::from(self.root.join("bin"));
        search.push(":");
        search.push(&path);
        command
            .env_clear()
            .env("PATH", search)
            .env("REAL", &path)
            .env("HOME", self.root.join("home"))
            .env("XDG_STATE_HOME", self.root.join("home/state"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C")
            .current_dir(self.main());
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "A U Thor");
            command.env(format!("GIT_{who}_EMAIL"), "author@example.com");
            command.env(format!("GIT_{who}_DATE"), "2026-01-02T03:04:05Z");
        }
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// Runs the real git in the main worktree.
    pub(crate) fn try_git(&self, args: &[&str]) -> Output {
        let mut git = self.dress(command(real_git()));
        git.args(args).output().expect("git runs")
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Puts a script before the real git: `body` sees the words in `$*` and the last one in `$last`.
    pub(crate) fn intercept(&self, body: &str) {
        let script = format!(
            "#!/bin/sh\nfor last; do :; done\n{body}\nexec {} \"$@\"\n",
            real_git().display()
        );
        let write = r#"printf '%s' "$2" > "$1" && chmod 755 "$1""#;
        let git = self.root.join("bin/git");
        let done = command("sh")
            .args(["-c", write, "sh"])
            .arg(git)
            .arg(script)
            .status();
        assert!(done.expect("sh runs").success());
    }

    pub(crate) fn no_interception(&self) {
        #[expect(clippy::disallowed_methods, reason = "the test's own file")]
        let removed = fs::remove_file(self.root.join("bin/git"));
        removed.expect("it was there");
    }

    pub(crate) fn owl(&self, verb: &str) -> Command {
        let mut owl = self.dress(command(self.root.join("owl")));
        owl.arg(verb);
        if verb == "apply" {
            owl.arg("--yes");
        }
        owl.args(["--format", "json", "--policy"]);
        owl.arg(self.root.join("policy.yaml"));
        owl
    }

    /// `owl apply`, behind a program that runs it; quiet, so that it writes little but what it changes.
    pub(crate) fn owl_under(&self, program: &str, args: &[String]) -> Command {
        let mut outer = self.dress(command(program));
        outer.args(args).arg(self.root.join("owl"));
        outer.args(["apply", "--yes", "--quiet", "--policy"]);
        outer.arg(self.root.join("policy.yaml"));
        outer
    }

    /// Runs owl as people do; the exit code and both streams.
    pub(crate) fn human(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let mut owl = self.dress(command(self.root.join("owl")));
        owl.args(words).arg("--policy");
        owl.arg(self.root.join("policy.yaml"));
        let output = owl.output().expect("owl runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    pub(crate) fn run(&self, verb: &str) -> Said {
        read(&self.owl(verb).output().expect("owl runs"))
    }

    pub(crate) fn plan(&self) -> Said {
        self.run("plan")
    }

    pub(crate) fn apply(&self) -> Said {
        self.run("apply")
    }

    /// Applies, and waits for a git that outlived a killed owl.
    pub(crate) fn apply_patiently(&self) -> Said {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let said = self.apply();
            if !said.stderr.contains("another owl") || Instant::now() > deadline {
                return said;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The files of the journal.
    pub(crate) fn records(&self) -> Vec<PathBuf> {
        names(&self.common().join("owl/journal"))
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect()
    }

    pub(crate) fn standing_aside(&self) -> Vec<PathBuf> {
        names(&self.common().join("owl/aside"))
    }

    /// Whether a worktree has every tracked file, as committed.
    pub(crate) fn is_whole(&self, place: &Path) -> bool {
        (0..self.files).all(|nth| {
            let file = place.join(format!("d{}/f{nth}", nth % 7));
            fs::read_to_string(file).is_ok_and(|text| text == format!("content {nth}\n"))
        })
    }

    /// Whether any file below the whole scene has these bytes.
    pub(crate) fn has_bytes(&self, bytes: &[u8]) -> bool {
        fn below(directory: &Path, bytes: &[u8]) -> bool {
            names(directory).into_iter().any(|path| {
                let kind = fs::symlink_metadata(&path)
                    .expect("it was listed")
                    .file_type();
                if kind.is_dir() {
                    below(&path, bytes)
                } else {
                    kind.is_file() && fs::read(&path).is_ok_and(|found| found == bytes)
                }
            })
        }
        below(&self.root, bytes)
    }

    /// Requires that nothing of owl's is left in the repository, and nothing of these worktrees but
    /// their branches.
    pub(crate) fn assert_gone(&self, trees: &[&str]) {
        assert!(!self.common().join("owl").exists(), "a trace is left");
        let listed = self.git(&["worktree", "list", "--porcelain"]);
        for name in trees {
            assert!(!self.place(name).exists(), "{name} is there");
            assert!(!self.entry(name).exists(), "the entry of {name} is there");
            assert!(!listed.contains(&format!("/{name}\n")), "{listed}");
            self.git(&["rev-parse", "--verify", "-q", &format!("refs/heads/{name}")]);
        }
    }
}

fn read(output: &Output) -> Said {
    Said {
        code: output.status.code(),
        document: serde_json::from_slice(&output.stdout).unwrap_or(Value::Null),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub(crate) fn names(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut names: Vec<_> = entries.map(|entry| entry.expect("listed").path()).collect();
    names.sort();
    names
}

/// Every path below a directory with its kind, mode, mtime and bytes.
pub(crate) fn picture(directory: &Path) -> Vec<(PathBuf, u32, i64, Vec<u8>)> {
    use std::os::unix::fs::MetadataExt;
    let mut all = Vec::new();
    for path in names(directory) {
        let found = fs::symlink_metadata(&path).expect("it was listed");
        let bytes = if found.is_file() {
            fs::read(&path).expect("it is a file")
        } else {
            Vec::new()
        };
        if found.is_dir() {
            all.extend(picture(&path));
        }
        all.push((path, found.mode(), found.mtime(), bytes));
    }
    all
}

pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    #[expect(clippy::disallowed_methods, reason = "the tests build the world")]
    Command::new(program)
}

fn real_git() -> PathBuf {
    find("git").expect("git is installed")
}

/// A program on the `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "programs are where the tests' are"
    )]
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// How many rounds a test of chance runs; `OWL_ROUNDS` says more.
pub(crate) fn rounds(default: usize) -> usize {
    #[expect(
        clippy::disallowed_methods,
        reason = "a longer run is asked for by the caller"
    )]
    let asked = std::env::var("OWL_ROUNDS");
    asked.map_or(default, |text| {
        text.parse().expect("OWL_ROUNDS is a number")
    })
}

/// Small pseudo-random numbers, the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

/// Says that a test did not run.
pub(crate) fn skip(why: &str) {
    eprintln!("SKIPPED: {why}");
}
