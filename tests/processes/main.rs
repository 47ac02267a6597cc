//! The pass over `/proc`, held against real processes (`spec 5.2`, guard 14, C5).
//!
//! Each test has a control in the same pass: `agent-10`, which nobody uses, beside `agent-1`.
//! Helpers are this test binary itself, run again with `OWL_TEST_HELPER` set.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start the processes that owl is to find, and may fail"
)]

mod helper;
mod world;

use owl::observe::processes::{How, PidNamespace, ProcessError, pid_namespace, survey};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use world::{
    Running, World, await_until, helper, hows, is_root, namespace, place, skip, sleep,
    survey_as_nobody, survey_of,
};

#[test]
fn nobody_is_no_use() {
    let world = World::new();
    let survey = world.survey();
    assert!(!survey.places[0].is_used());
    assert!(survey.processes > 1);
}

/// A directory that is open and lies deeper than the kernel tells paths: what is above it tells.
#[test]
fn a_path_longer_than_the_kernel_tells_is_told_by_what_is_above() {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let deep = |from: &Path| {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut at = openat(CWD, from, flags, Mode::empty()).unwrap();
        let name = "d".repeat(200);
        for _ in 0..25 {
            mkdirat(&at, &name, Mode::from(0o755)).unwrap();
            at = openat(&at, &name, flags, Mode::empty()).unwrap();
        }
        at
    };
    let world = World::new();
    let elsewhere = world.tree().with_file_name("far-away");
    fs::create_dir(&elsewhere).unwrap();
    let _outside = Running::start(sleep().current_dir("/").stdin(deep(&elsewhere)));
    assert!(!world.survey().places[0].is_used());
    let places = [place(&[world.tree()])];
    let inside = Running::start(sleep().current_dir("/").stdin(deep(&world.tree())));
    let survey = survey(Path::new("/proc"), std::process::id(), &places).unwrap();
    // A child of another test that has not become its program yet has the handle, too.
    let mut uses = survey.places[0].uses();
    let found = uses.find(|one| one.pid == inside.0.id()).unwrap();
    assert!(found.path.as_path().starts_with(world.tree()));
}

#[test]
fn a_working_directory_is_a_use() {
    let world = World::new();
    let process = Running::start(sleep().current_dir(world.tree().join("src")));
    let survey = world.survey();
    let found = survey.places[0].uses().next().unwrap();
    assert_eq!(survey.places[0].processes(), 1);
    assert_eq!((found.pid, found.how), (process.0.id(), How::Cwd));
    assert_eq!(found.path.as_path(), world.tree().join("src"));
    assert_eq!(found.command, "sleep");
}

#[test]
fn a_working_directory_is_found_by_path_alone_and_by_inode_alone() {
    let world = World::new();
    let process = Running::start(sleep().current_dir(world.tree().join("src")));
    for half in [0, 1] {
        let mut places = world.places();
        for place in &mut places {
            match half {
                0 => place.inodes.clear(),
                _ => place.roots.clear(),
            }
        }
        let survey = survey_of(&places);
        assert_eq!(hows(&survey, process.0.id()), [How::Cwd]);
    }
}

#[test]
fn a_deleted_working_directory_is_a_use() {
    let world = World::new();
    fs::create_dir(world.tree().join("gone")).unwrap();
    let process = Running::start(sleep().current_dir(world.tree().join("gone")));
    fs::remove_dir(world.tree().join("gone")).unwrap();
    assert_eq!(world.how(&process), [How::Cwd]);
}

#[test]
fn a_tree_that_was_deleted_and_made_again_is_still_used() {
    let world = World::new();
    let tree = world.home.join("elsewhere");
    let process = Running::start(sleep().current_dir(&tree));
    fs::remove_dir(&tree).unwrap();
    fs::create_dir(&tree).unwrap();
    let places = [place(&[tree]), place(&[world.home.join("agent-10")])];
    let survey = survey_of(&places);
    assert_eq!(hows(&survey, process.0.id()), [How::Cwd]);
}

#[test]
fn a_working_directory_of_a_thread_is_a_use() {
    let world = World::new();
    let process = Running::start(&mut helper(&world, "thread", &[world.tree()]));
    world.await_ready();
    assert_eq!(world.how(&process), [How::Cwd]);
}

#[test]
fn an_open_file_is_a_use_deleted_or_not() {
    let world = World::new();
    let path = world.tree().join("src/x");
    let file = File::create(&path).unwrap();
    let process = Running::start(sleep().stdout(file));
    assert_eq!(world.how(&process), [How::OpenFile]);
    fs::remove_file(&path).unwrap();
    assert_eq!(world.how(&process), [How::OpenFile]);
}

#[test]
fn an_open_directory_is_a_use() {
    let world = World::new();
    let process = Running::start(sleep().stdin(File::open(world.tree()).unwrap()));
    assert_eq!(world.how(&process), [How::OpenFile]);
}

#[test]
fn an_open_file_of_the_administrative_entry_is_a_use() {
    let world = World::new();
    let head = File::open(world.home.join("admin/agent-1/HEAD")).unwrap();
    let process = Running::start(sleep().stdin(head));
    assert_eq!(world.how(&process), [How::OpenFile]);
}

#[test]
fn a_name_with_line_feeds_and_escapes_is_a_name() {
    let world = World::new();
    let path = world.tree().join("a\n\\012 (deleted) 🦉");
    let process = Running::start(sleep().stdin(File::create(&path).unwrap()));
    assert_eq!(world.how(&process), [How::OpenFile]);
}

#[test]
fn a_running_program_is_a_use() {
    let world = World::new();
    let program = world.tree().join("app");
    fs::copy(fs::canonicalize("/bin/sleep").unwrap(), &program).unwrap();
    let mut command = Command::new(&program);
    command.arg("600").current_dir("/");
    // A copy that another test's child still holds open for writing cannot be run.
    let mut process = None;
    await_until("the copy can be run", || {
        process = command.spawn().map(Running).ok();
        process.is_some()
    });
    let how = world.how(&process.unwrap());
    assert!(how.contains(&How::Exe), "{how:?}");
}

#[test]
fn a_mapped_library_is_a_use() {
    let world = World::new();
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let Some(library) = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]))
        .find(|path| path.contains("/libc.so") || path.contains("/libc-"))
    else {
        skip("a_mapped_library_is_a_use", "no shared library to map");
        return;
    };
    let name = Path::new(library).file_name().unwrap();
    fs::copy(library, world.tree().join(name)).unwrap();
    let process = Running::start(sleep().env("LD_LIBRARY_PATH", world.tree()));
    await_until("the library is mapped", || {
        world.how(&process) == [How::Mapping]
    });
}

#[test]
fn a_root_directory_is_a_use() {
    if !is_root() {
        skip("a_root_directory_is_a_use", "only root may chroot");
        return;
    }
    let world = World::new();
    let process = Running::start(&mut helper(&world, "root", &[world.tree()]));
    let ready = world.ready();
    await_until("it has changed its root", || {
        fs::read(&ready).is_ok_and(|text| text == b"done")
    });
    assert_eq!(world.how(&process), [How::Root]);
}

#[test]
fn a_mount_of_the_tree_in_another_namespace_is_a_use() {
    let world = World::new();
    let Some(process) = namespace(&world, &world.tree(), "", "") else {
        skip(
            "a_mount_of_the_tree_in_another_namespace_is_a_use",
            "no unshare",
        );
        return;
    };
    assert_eq!(world.how(&process), [How::Cwd, How::Mount]);
    let mut places = world.places();
    for place in &mut places {
        place.inodes.clear();
    }
    let by_path = survey_of(&places);
    assert_eq!(hows(&by_path, process.0.id()), [How::Cwd, How::Mount]);
}

#[test]
fn a_mount_alone_is_a_use() {
    let world = World::new();
    let Some(process) = namespace(&world, &world.tree().join("src"), "", "cd / &&") else {
        skip("a_mount_alone_is_a_use", "no unshare");
        return;
    };
    assert_eq!(world.how(&process), [How::Mount]);
}

#[test]
fn a_deleted_directory_below_a_mount_of_its_parent_is_a_use() {
    let world = World::new();
    fs::create_dir(world.tree().join("gone")).unwrap();
    let Some(process) = namespace(&world, &world.home, "agent-1/gone", "") else {
        skip(
            "a_deleted_directory_below_a_mount_of_its_parent_is_a_use",
            "no unshare",
        );
        return;
    };
    fs::remove_dir(world.tree().join("gone")).unwrap();
    assert_eq!(world.how(&process), [How::Cwd]);
}

#[test]
fn a_mount_that_was_detached_is_a_use() {
    let world = World::new();
    let detach = "umount -l \"$2\" &&";
    let Some(process) = namespace(&world, &world.home, "agent-1/src", detach) else {
        skip("a_mount_that_was_detached_is_a_use", "no unshare");
        return;
    };
    assert_eq!(world.how(&process), [How::Cwd]);
}

#[test]
fn watching_is_a_use_unless_something_else_is_watched_too() {
    let world = World::new();
    let inside = [world.tree(), world.tree().join("src/main.rs")];
    let process = Running::start(&mut helper(&world, "inotify", &inside));
    world.await_ready();
    assert_eq!(world.how(&process), [How::Inotify]);
    drop(process);
    fs::remove_file(world.ready()).unwrap();

    let both = [world.tree(), world.home.join("elsewhere")];
    let process = Running::start(&mut helper(&world, "inotify", &both));
    world.await_ready();
    assert!(world.how(&process).is_empty());
    drop(process);
    fs::remove_file(world.ready()).unwrap();

    let two = [world.tree(), world.home.join("agent-10")];
    let process = Running::start(&mut helper(&world, "inotify", &two));
    world.await_ready();
    assert!(world.how(&process).is_empty());
}

#[test]
fn own_files_are_no_use_but_the_own_working_directory_is() {
    let world = World::new();
    for (directory, expected) in [("/".into(), "false "), (world.tree(), "false Cwd")] {
        let mut command = helper(&world, "survey", &[world.tree()]);
        let done = command.current_dir(directory).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        let line = fs::read_to_string(world.ready()).unwrap();
        assert!(line.ends_with(expected), "{line}");
    }
}

#[test]
fn processes_that_come_and_go_do_not_fail_a_pass() {
    let world = World::new();
    let script = "while :; do sleep 0 & (sleep 0 & sleep 0); wait; done";
    let mut shells: Vec<Running> = Vec::new();
    for _ in 0..2 {
        let mut command = Command::new("sh");
        shells.push(Running::start(
            command.args(["-c", script]).current_dir("/"),
        ));
    }
    for _ in 0..20 {
        assert!(!world.survey().places[0].is_used());
    }
    let process = Running::start(sleep().current_dir(world.tree()));
    for _ in 0..20 {
        assert_eq!(world.how(&process), [How::Cwd]);
    }
}

#[test]
fn processes_that_may_not_be_inspected_are_counted() {
    let world = World::new();
    let process = Running::start(sleep().current_dir(world.tree()));
    let script = "while :; do sleep 0 & sleep 0; wait; done";
    let mut busy = Command::new("sh");
    let busy = Running::start(busy.args(["-c", script]).current_dir("/"));
    let Some(words) = survey_as_nobody(&world, "") else {
        skip(
            "processes_that_may_not_be_inspected_are_counted",
            "only root can be nobody",
        );
        return;
    };
    drop((process, busy));
    assert!(words[0].parse::<u64>().unwrap() > 0, "{words:?}");
    assert_eq!(words[1..], ["true", "false", ""], "named, none left out");
}

#[test]
fn a_mount_of_another_user_is_a_use() {
    let world = World::new();
    let Some(process) = namespace(&world, &world.tree(), "", "") else {
        skip("a_mount_of_another_user_is_a_use", "no unshare");
        return;
    };
    let Some(words) = survey_as_nobody(&world, "") else {
        skip(
            "a_mount_of_another_user_is_a_use",
            "only root can be nobody",
        );
        return;
    };
    drop(process);
    assert_eq!(words[3], "Mount", "{words:?}");
}

#[test]
fn processes_that_are_left_out_make_the_pass_blind() {
    let world = World::new();
    let prepare = "mount -t proc -o hidepid=2 proc /proc &&";
    let Some(words) = survey_as_nobody(&world, prepare) else {
        skip(
            "processes_that_are_left_out_make_the_pass_blind",
            "no hidepid",
        );
        return;
    };
    assert_eq!(words, ["0", "false", "true", ""]);
}

#[test]
fn a_pass_that_does_not_see_owl_itself_proves_nothing() {
    let fake = tempfile::tempdir().unwrap();
    let own = std::process::id();
    let run = || survey(fake.path(), own, &[]).unwrap_err();
    assert!(matches!(run(), ProcessError::NotSeen { .. }));
    std::os::unix::fs::symlink("1", fake.path().join("self")).unwrap();
    assert!(matches!(run(), ProcessError::OtherNamespace { .. }));
    fs::remove_file(fake.path().join("self")).unwrap();

    // Everything that the pass reads of itself first, but no working directory.
    std::os::unix::fs::symlink(own.to_string(), fake.path().join("self")).unwrap();
    let folder = fake.path().join(own.to_string());
    fs::create_dir_all(folder.join("ns")).unwrap();
    for file in ["mountinfo", "stat", "maps"] {
        fs::write(
            folder.join(file),
            fs::read(format!("/proc/self/{file}")).unwrap(),
        )
        .unwrap();
    }
    for link in ["root", "ns/mnt", "exe"] {
        let text = fs::read_link(format!("/proc/self/{link}")).unwrap();
        std::os::unix::fs::symlink(text, folder.join(link)).unwrap();
    }
    assert!(matches!(run(), ProcessError::NotSeen { .. }));

    // With one it is a pass, but one in which the first process is missing.
    std::os::unix::fs::symlink("/", folder.join("cwd")).unwrap();
    fs::create_dir_all(folder.join("task").join(own.to_string())).unwrap();
    let thread = folder.join("task").join(own.to_string()).join("cwd");
    std::os::unix::fs::symlink("/", thread).unwrap();
    assert!(survey(fake.path(), own, &[]).unwrap().blind);
    fs::write(folder.join("stat"), "nonsense").unwrap();
    assert!(matches!(run(), ProcessError::Malformed { .. }));
    fs::remove_file(folder.join("stat")).unwrap();
    fs::create_dir(folder.join("stat")).unwrap();
    assert!(matches!(run(), ProcessError::Read { .. }));
}

#[test]
fn the_process_namespace_is_told() {
    let found = pid_namespace(Path::new("/proc")).unwrap();
    let link = fs::read_link("/proc/self/ns/pid").unwrap();
    let is_host = link == Path::new("pid:[4026531836]");
    assert_eq!(found == PidNamespace::Host, is_host);
    let fake = tempfile::tempdir().unwrap();
    assert!(pid_namespace(fake.path()).is_err());
}

/// A3 of the second hostile round: nobody has the file of a loop device open but the kernel.
#[test]
fn the_file_behind_a_loop_device_is_a_use() {
    let world = World::new();
    let proc_root = world.home.join("proc");
    std::os::unix::fs::symlink("/proc", &proc_root).unwrap();
    let survey = || survey(&proc_root, std::process::id(), &world.places()).unwrap();
    // Without `/sys`, as in a container, the devices are what may not be inspected.
    let blind = survey();
    assert!(!blind.places[0].is_used());
    let file = world.home.join("sys/block/loop7/loop/backing_file");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let image = world.tree().join("src/disk.img");
    for suffix in ["", " (deleted)"] {
        fs::write(&file, format!("{}{suffix}\n", image.display())).unwrap();
        let found = survey();
        assert_eq!(found.hidden + 1, blind.hidden);
        let uses: Vec<_> = found.places[0].uses().collect();
        let [one] = uses.as_slice() else {
            panic!("{uses:?}");
        };
        assert_eq!((one.pid, one.how), (0, How::Loop));
        assert_eq!(one.command, "loop7");
        assert!(!found.places[1].is_used());
    }
}

#[test]
fn a_real_loop_device_is_a_use() {
    let name = "a_real_loop_device_is_a_use";
    let world = World::new();
    let image = world.tree().join("src/disk.img");
    File::create(&image).unwrap().set_len(1 << 20).unwrap();
    let attached = Command::new("losetup")
        .args(["--find", "--show"])
        .arg(&image)
        .output();
    let device = match attached {
        Ok(output) if output.status.success() => String::from_utf8(output.stdout).unwrap(),
        _ => return skip(name, "loop devices cannot be made here"),
    };
    let survey = survey(Path::new("/proc"), std::process::id(), &world.places());
    let detached = Command::new("losetup").args(["-d", device.trim()]).status();
    assert!(detached.unwrap().success());
    let survey = survey.unwrap();
    assert_eq!(hows(&survey, 0), [How::Loop]);
    assert!(!survey.places[1].is_used());
}
