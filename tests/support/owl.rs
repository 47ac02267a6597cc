//! The binary as a user runs it, and what it said, in one value (`style 4.5`).

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses a part of it, so an expectation would not always hold"
)]

use super::support::Repo;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A policy that lets go what has landed, however young it is.
pub const POLICY: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
rules:
  - name: finished
    when: { landed: true }
    then: accept
ttl: { grace: 0s }
";

/// One run of the binary.
pub struct Run {
    /// The words after `owl`.
    pub words: String,
    /// The raw output.
    pub output: Output,
    root: PathBuf,
}

impl Run {
    /// The exit code; none after a signal that was not caught.
    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    /// Standard output, normalised.
    pub fn stdout(&self) -> String {
        normal(&self.output.stdout, &self.root)
    }

    /// Standard error, normalised.
    pub fn stderr(&self) -> String {
        normal(&self.output.stderr, &self.root)
    }

    /// Standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.output.stdout).unwrap_or_else(|why| panic!("{why}: {self}"))
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ owl {}", self.words)?;
        f.write_str(&self.stdout())?;
        let stderr = self.stderr();
        if !stderr.is_empty() {
            write!(f, "[stderr]\n{stderr}")?;
        }
        match self.code() {
            Some(code) => writeln!(f, "[exit {code}]"),
            None => writeln!(f, "[{:?}]", self.output.status),
        }
    }
}

impl Repo {
    /// The binary with a cleared environment, standing in `here`, with nobody to ask.
    pub fn owl_command(&self, here: &Path) -> Command {
        let temp = self.root().join("tmp");
        std::fs::create_dir_all(&temp).expect("the directory can be made");
        #[expect(clippy::disallowed_methods, reason = "the tests run the binary")]
        let mut command = Command::new(env!("CARGO_BIN_EXE_owl"));
        command
            .env_clear()
            .envs(self.vars())
            .env("COLUMNS", "200")
            .env("TMPDIR", temp)
            .current_dir(here)
            .stdin(Stdio::null());
        command
    }

    /// Runs the binary in `here`.
    pub fn owl_in<A: AsRef<OsStr>>(&self, here: &Path, words: impl IntoIterator<Item = A>) -> Run {
        let mut command = self.owl_command(here);
        command.args(words);
        self.run(command)
    }

    /// Runs the binary in the main worktree.
    pub fn owl(&self, words: &str) -> Run {
        self.owl_in(&self.main(), words.split_whitespace())
    }

    /// Runs a command and keeps what it said.
    pub fn run(&self, mut command: Command) -> Run {
        let output = command.output().expect("the binary is there");
        let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
        Run {
            words: normal(words.join(" ").as_bytes(), self.root()),
            output,
            root: self.root().to_owned(),
        }
    }

    /// Adds a worktree to the store of [`POLICY`] on a new branch of the same name.
    pub fn agent(&self, name: &str) -> PathBuf {
        let path = self.main().join(".claude/worktrees").join(name);
        let words = ["worktree", "add", "-q", "-b", name].map(OsStr::new);
        self.git(words.into_iter().chain([path.as_os_str()]));
        path
    }

    /// A worktree in the store with a commit of its own, which is then merged.
    pub fn landed(&self, name: &str) -> PathBuf {
        let path = self.agent(name);
        self.commit(&path, &format!("{name}.txt"), b"work\n");
        self.git(["merge", "-q", "--no-ff", "--no-edit", name]);
        path
    }

    /// Commits [`POLICY`] on the base branch.
    pub fn with_policy(self) -> Self {
        self.commit(&self.main(), "owl.yaml", POLICY.as_bytes());
        self
    }

    /// The lines of the audit log.
    pub fn audit(&self) -> Vec<String> {
        let log = self.root().join("home/.local/state/owl/audit.jsonl");
        match std::fs::read_to_string(log) {
            Ok(text) => text.lines().map(str::to_owned).collect(),
            Err(_) => Vec::new(),
        }
    }
}

/// The text without what differs from run to run: paths, ids, sizes, and with them the width of the
/// columns, and the line about processes that this user may not inspect.
pub fn normal(text: &[u8], root: &Path) -> String {
    let text = String::from_utf8_lossy(text).replace(&*root.to_string_lossy(), "[TMP]");
    let hidden = |line: &&str| !line.contains("counts as unused");
    let mut out = String::new();
    for line in text.split_inclusive('\n').filter(hidden) {
        out.push_str(&normal_line(line));
    }
    out
}

fn normal_line(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(normal_word).collect();
    for index in 1..words.len() {
        let unit = ["B", "KiB", "MiB"]
            .iter()
            .any(|unit| words[index].trim_end_matches([')', ';', ',', '.', '\n']) == *unit);
        let number = words[index - 1].trim_start_matches('(');
        if unit && number.parse::<f32>().is_ok() {
            let start = words[index - 1].len() - number.len();
            words[index - 1].replace_range(start.., "N");
            words[index] = words[index].replace("MiB", "B").replace("KiB", "B");
        }
    }
    let indent = words.iter().take_while(|word| word.is_empty()).count();
    let line = words.join(" ");
    let (indent, rest) = line.split_at(indent);
    let mut out = indent.to_owned();
    let mut spaces = 0;
    for c in rest.chars() {
        spaces = if c == ' ' { spaces + 1 } else { 0 };
        if spaces <= 2 {
            out.push(c);
        }
    }
    out
}

/// Replaces the ids in a word.
fn normal_word(word: &str) -> String {
    let is_id = |part: &str| {
        [12, 40, 64].contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let core = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if is_id(core) {
        word.replace(core, "[ID]")
    } else if is_time(core) && word.ends_with("):") {
        word.replace(core, "[TIME]")
    } else {
        word.to_owned()
    }
}

/// `2026-11-30T02:00:00Z`.
fn is_time(word: &str) -> bool {
    let form = "0000-00-00T00:00:00Z";
    let is_digit = |c: char| if c.is_ascii_digit() { '0' } else { c };
    word.chars().map(is_digit).eq(form.chars())
}

/// Compares a text with `snapshots/NAME.snap`.
pub fn snap(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
