//! The same tests as an ordinary user: root may read and delete everything, so that half of the
//! guards would never be asked.

use crate::support::{is_root, skipped};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

/// The user `nobody`.
const NOBODY: u32 = 65534;

#[test]
#[expect(clippy::disallowed_methods, reason = "the tests build the world")]
fn the_same_as_an_ordinary_user() {
    if !is_root() {
        return;
    }
    let name = "the_same_as_an_ordinary_user";
    let found = Command::new("setpriv").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        return skipped(name, "there is no setpriv");
    }
    let temp = tempfile::TempDir::new().unwrap();
    std::fs::set_permissions(temp.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    // A copy, since the place of the original may not be open to everybody.
    let own = temp.path().join("tests");
    std::fs::create_dir(&own).unwrap();
    let binary = temp.path().join("guards");
    let copied = Command::new("cp")
        .arg(std::env::current_exe().unwrap())
        .arg(&binary)
        .status();
    assert!(copied.unwrap().success());
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
    chown(&own, Some(NOBODY), Some(NOBODY)).unwrap();
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
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "as nobody:\n{text}");
    assert!(text.contains("test result: ok. "), "{text}");
    report(&skips);
}

/// Passes on what was skipped there.
fn report(skips: &Path) {
    let skipped_there = std::fs::read_to_string(skips).unwrap_or_default();
    for line in skipped_there.lines() {
        let test = line.trim_start_matches("SKIPPED: ");
        skipped(&format!("as nobody: {test}"), "needs root, and ran as root");
    }
}
