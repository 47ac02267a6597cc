//! The same tests as an ordinary user: root may read and delete everything, so that half of the
//! guards would never be asked.

use super::{is_root, skipped};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

/// The user `nobody`.
const NOBODY: u32 = 65534;

/// Runs this test binary once more as `nobody`, in a directory of its own, and requires that it
/// passes; for the test `name`.
#[expect(clippy::disallowed_methods, reason = "the tests build the world")]
pub fn run_as_nobody(name: &str) {
    if !is_root() {
        return;
    }
    let found = Command::new("setpriv").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        return skipped(name, "there is no setpriv");
    }
    let temp = tempfile::TempDir::new().expect("a temporary directory can be made");
    let open = || std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(temp.path(), open()).expect("it is ours");
    // A copy, since the place of the original may not be open to everybody.
    let own = temp.path().join("tests");
    std::fs::create_dir(&own).expect("it is empty");
    let binary = temp.path().join("binary");
    let copied = Command::new("cp")
        .arg(std::env::current_exe().expect("it is running"))
        .arg(&binary)
        .status();
    assert!(copied.expect("cp is installed").success());
    std::fs::set_permissions(&binary, open()).expect("it is ours");
    chown(&own, Some(NOBODY), Some(NOBODY)).expect("root may");
    let skips = own.join("skipped");
    let output = Command::new("setpriv")
        .args([
            "--reuid",
            "65534",
            "--regid",
            "65534",
            "--clear-groups",
            "--",
        ])
        .arg(&binary)
        .env("TMPDIR", &own)
        .env("HOME", &own)
        .env("OWL_SKIPPED", &skips)
        .current_dir("/")
        .output()
        .expect("it is executable");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "as nobody:\n{text}");
    assert!(text.contains("test result: ok. "), "{text}");
    pass_on(&skips);
}

/// Says what was skipped there, but for what only root can do, which has run as root.
fn pass_on(skips: &Path) {
    let lines = match std::fs::read_to_string(skips) {
        Ok(lines) => lines,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return,
        Err(why) => panic!("{}: {why}", skips.display()),
    };
    for line in lines.lines().filter(|line| !line.contains("(only root ")) {
        let test = line.trim_start_matches("SKIPPED: ");
        skipped(test, "as nobody");
    }
}
