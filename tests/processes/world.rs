//! Two worktrees, and processes that end with the test.

use owl::observe::processes::{How, Inode, Place, Survey, survey};
use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Two worktrees and their administrative entries; `agent-1` is used, `agent-10` is not.
pub(crate) struct World {
    pub(crate) home: PathBuf,
    _directory: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(directory.path()).unwrap();
        for name in ["agent-1", "agent-10"] {
            fs::create_dir_all(home.join(name).join("src")).unwrap();
            fs::write(home.join(name).join("src/main.rs"), name).unwrap();
            fs::create_dir_all(home.join("admin").join(name)).unwrap();
            fs::write(home.join("admin").join(name).join("HEAD"), name).unwrap();
        }
        fs::create_dir(home.join("elsewhere")).unwrap();
        Self {
            home,
            _directory: directory,
        }
    }

    pub(crate) fn tree(&self) -> PathBuf {
        self.home.join("agent-1")
    }

    pub(crate) fn places(&self) -> Vec<Place> {
        ["agent-1", "agent-10"]
            .map(|name| place(&[self.home.join(name), self.home.join("admin").join(name)]))
            .into()
    }

    pub(crate) fn survey(&self) -> Survey {
        survey_of(&self.places())
    }

    /// The only way in which a process is found to use `agent-1`.
    pub(crate) fn how(&self, process: &Running) -> Vec<How> {
        hows(&self.survey(), process.0.id())
    }

    pub(crate) fn ready(&self) -> PathBuf {
        self.home.join("ready")
    }

    pub(crate) fn await_ready(&self) {
        let ready = self.ready();
        await_until("the helper is ready", || ready.exists());
    }
}

/// One pass, in which the control must not be used.
pub(crate) fn survey_of(places: &[Place]) -> Survey {
    let survey = survey(Path::new("/proc"), std::process::id(), places).unwrap();
    assert!(
        !survey.places[1].is_used(),
        "the control is used: {survey:?}"
    );
    survey
}

pub(crate) fn place(roots: &[PathBuf]) -> Place {
    let mut inodes = Vec::new();
    let mut ahead = roots.to_vec();
    while let Some(path) = ahead.pop() {
        let found = fs::symlink_metadata(&path).unwrap();
        inodes.push(Inode {
            device: found.dev(),
            number: found.ino(),
        });
        if found.is_dir() {
            ahead.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
    }
    Place {
        roots: roots.to_vec(),
        inodes,
    }
}

pub(crate) fn hows(survey: &Survey, pid: u32) -> Vec<How> {
    let mut hows: Vec<How> = survey.places[0]
        .uses()
        .filter(|found| found.pid == pid)
        .map(|found| found.how)
        .collect();
    hows.dedup();
    hows
}

pub(crate) fn await_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < end, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A process that ends with the test, whatever its outcome.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let ended = self.0.kill().and_then(|()| self.0.wait());
        drop(ended);
    }
}

pub(crate) fn sleep() -> Command {
    let mut command = Command::new("sleep");
    command
        .arg("600")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

/// This binary as a process that does what `helper` says, then creates `ready` and waits.
pub(crate) fn helper(world: &World, what: &str, arguments: &[PathBuf]) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "helper::as_helper", "--quiet"])
        .env("OWL_TEST_HELPER", what)
        .env("OWL_TEST_READY", world.ready())
        .env("OWL_TEST_PATHS", env::join_paths(arguments).unwrap())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Says on the real standard error that a test cannot be run here.
pub(crate) fn skip(name: &str, why: &str) {
    let mut stderr = File::options().append(true).open("/dev/stderr").unwrap();
    writeln!(stderr, "SKIPPED {name}: {why}").unwrap();
}

/// A process in a mount namespace of its own, which mounts `what` on `elsewhere`, stands there in
/// `inside`, then does `more`.
pub(crate) fn namespace(world: &World, what: &Path, inside: &str, more: &str) -> Option<Running> {
    let script =
        format!("mount --bind \"$1\" \"$2\" && cd \"$2/$3\" && {more} : >\"$4\" && exec sleep 600");
    let is_allowed = Command::new("unshare")
        .args(["-m", "true"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !is_root() || !is_allowed {
        return None;
    }
    let mut command = Command::new("unshare");
    command
        .args(["-m", "sh", "-c", &script, "sh"])
        .args([what, &world.home.join("elsewhere")])
        .arg(inside)
        .arg(world.ready())
        .current_dir("/");
    let process = Running::start(&mut command);
    world.await_ready();
    Some(process)
}

/// What a pass sees in the eyes of nobody, after `prepare` has been done in a mount namespace of
/// its own: the words that the helper writes. `None` if that cannot be had here.
pub(crate) fn survey_as_nobody(world: &World, prepare: &str) -> Option<Vec<String>> {
    let script =
        format!("{prepare} exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"");
    let mut unshare = Command::new("unshare");
    unshare.args(["-m", "sh", "-c", &script, "sh"]);
    let is_allowed = unshare.arg("true").output();
    if !is_root() || !is_allowed.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let binary = world.home.join("helper");
    fs::copy(env::current_exe().unwrap(), &binary).unwrap();
    fs::write(world.ready(), "").unwrap();
    for path in [&world.home, &world.ready()] {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        fs::set_permissions(path, mode).unwrap();
    }
    let prepared = helper(world, "survey", &[world.tree()]);
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &script, "sh"]);
    command.arg(&binary).args(prepared.get_args());
    command.envs(
        prepared
            .get_envs()
            .filter_map(|(key, value)| Some((key, value?))),
    );
    let done = command.current_dir("/").output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let line = fs::read_to_string(world.ready()).unwrap();
    Some(line.split(' ').map(str::to_owned).collect())
}
