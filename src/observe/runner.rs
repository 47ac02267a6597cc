//! The process that makes a run, so that no other one of its number is taken for it (A4.12).

use super::ObserveError;
use super::place::contents;
use crate::fact::Fact;
use crate::job::Runner;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The process of that number; absent if there is none. `proc_root` is `/proc`.
pub fn runner(proc_root: &Path, pid: u32) -> Result<Option<Runner>, ObserveError> {
    let Some(started) = started(proc_root, pid)? else {
        return Ok(None);
    };
    Ok(Some(Runner {
        pid,
        started,
        boot: boot(proc_root)?,
        pid_namespace: namespace(proc_root)?,
    }))
}

/// Whether a process that was recorded still runs: absent is a proven no.
pub fn is_alive(proc_root: &Path, runner: &Runner) -> Fact<()> {
    match look(proc_root, runner) {
        Ok(answer) => answer,
        Err(why) => Fact::unknown(why),
    }
}

fn look(proc_root: &Path, runner: &Runner) -> Result<Fact<()>, ObserveError> {
    if boot(proc_root)? != runner.boot {
        return Ok(Fact::Absent);
    }
    if namespace(proc_root)? != runner.pid_namespace {
        return Ok(Fact::unknown("it was started in another process namespace"));
    }
    Ok(match started(proc_root, runner.pid)? {
        Some(started) if started == runner.started => Fact::Known(()),
        Some(_) | None => Fact::Absent,
    })
}

/// Field 22 of `stat`; the name before it may have blanks and brackets in it.
fn started(proc_root: &Path, pid: u32) -> Result<Option<u64>, ObserveError> {
    let path = proc_root.join(pid.to_string()).join("stat");
    let text = match fs::read(&path) {
        Ok(text) => text,
        // A process that ends while it is read (ESRCH) is as good as gone.
        Err(why) if why.kind() == ErrorKind::NotFound || why.raw_os_error() == Some(3) => {
            return Ok(None);
        }
        Err(why) => return Err(ObserveError::read(&path, why)),
    };
    let text = String::from_utf8_lossy(&text);
    let after_name = text.rsplit_once(')').map(|(_, rest)| rest);
    let field = after_name.and_then(|rest| rest.split_whitespace().nth(19));
    match field.map(str::parse) {
        Some(Ok(started)) => Ok(Some(started)),
        Some(Err(_)) | None => Err(ObserveError::malformed(&path, "has an unknown form")),
    }
}

fn boot(proc_root: &Path) -> Result<String, ObserveError> {
    let path = proc_root.join("sys/kernel/random/boot_id");
    let Some(text) = contents(&path)? else {
        return Err(ObserveError::malformed(&path, "is missing"));
    };
    Ok(String::from_utf8_lossy(&text).trim().to_owned())
}

fn namespace(proc_root: &Path) -> Result<u64, ObserveError> {
    let path = proc_root.join("self/ns/pid");
    let found = fs::metadata(&path).map_err(|why| ObserveError::read(&path, why))?;
    Ok(found.ino())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{is_alive, runner};
    use crate::fact::Fact;
    use crate::job::Runner;
    use std::path::Path;

    #[test]
    fn a_process_is_known_by_more_than_its_number() {
        let proc_root = Path::new("/proc");
        let own = runner(proc_root, std::process::id()).expect("/proc is there");
        let own = own.expect("this process runs");
        assert_eq!(is_alive(proc_root, &own), Fact::Known(()));
        let started = own.started + 1;
        for gone in [
            Runner {
                started,
                ..own.clone()
            },
            Runner {
                pid: u32::MAX,
                ..own.clone()
            },
            Runner {
                boot: "another".into(),
                ..own.clone()
            },
        ] {
            assert_eq!(is_alive(proc_root, &gone), Fact::Absent, "{gone:?}");
        }
        let elsewhere = Runner {
            pid_namespace: own.pid_namespace + 1,
            ..own
        };
        assert!(is_alive(proc_root, &elsewhere).why_unknown().is_some());
        let blind = is_alive(Path::new("/nowhere"), &elsewhere);
        assert!(blind.why_unknown().is_some(), "{blind:?}");
    }
}
