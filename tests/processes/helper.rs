//! What this binary does when a test has started it as a process to be found, or to look.

use owl::observe::processes::{Place, survey};
use rustix::fs::inotify;
use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

#[test]
fn as_helper() {
    let Some(what) = env::var_os("OWL_TEST_HELPER") else {
        return;
    };
    let ready = PathBuf::from(env::var_os("OWL_TEST_READY").unwrap());
    let paths: Vec<PathBuf> = env::split_paths(&env::var_os("OWL_TEST_PATHS").unwrap()).collect();
    let wait = || loop {
        thread::park();
    };
    match what.to_str().unwrap() {
        "inotify" => {
            let watcher = inotify::init(inotify::CreateFlags::CLOEXEC).unwrap();
            for path in &paths {
                inotify::add_watch(&watcher, path, inotify::WatchFlags::ALL_EVENTS).unwrap();
            }
            fs::write(ready, "").unwrap();
            wait();
        }
        "root" => {
            let mut file = File::create(ready).unwrap();
            rustix::process::chroot(&paths[0]).unwrap();
            file.write_all(b"done").unwrap();
            wait();
        }
        "thread" => {
            thread::spawn(move || {
                #[expect(
                    deprecated,
                    reason = "its successor is unsafe, which is forbidden here"
                )]
                rustix::thread::unshare(rustix::thread::UnshareFlags::FS).unwrap();
                rustix::process::chdir(&paths[0]).unwrap();
                fs::write(ready, "").unwrap();
                wait();
            });
            wait();
        }
        "survey" => {
            let own = std::process::id();
            let places: Vec<Place> = paths
                .iter()
                .map(|path| Place {
                    roots: vec![path.clone()],
                    inodes: Vec::new(),
                })
                .collect();
            let open: Vec<File> = paths.iter().map(|path| File::open(path).unwrap()).collect();
            let survey = survey(Path::new("/proc"), own, &places).unwrap();
            drop(open);
            let used: Vec<String> = survey
                .places
                .iter()
                .flat_map(|place| place.uses().map(|found| format!("{:?}", found.how)))
                .collect();
            let hides = survey
                .hidden_list
                .iter()
                .any(|hidden| hidden.pid == 1 && hidden.uid == Some(0) && hidden.command.is_some());
            let line = format!(
                "{} {hides} {} {}",
                survey.hidden,
                survey.blind,
                used.join(",")
            );
            fs::write(ready, line).unwrap();
        }
        other => panic!("no such helper: {other}"),
    }
}
