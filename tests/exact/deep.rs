//! Directories inside directories, further than anybody makes them by hand (`spec 5.4`, guard 12).

use crate::world::{World, put};
use rustix::fs::{Mode, OFlags};
use std::path::Path;

/// Makes `levels` directories of a name inside each other, the last with a file in it, by handles,
/// since no path may be that long.
fn nest(at: &Path, name: &str, levels: usize) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let mode = Mode::from_raw_mode(0o755);
    let mut handle = rustix::fs::open(at, flags, Mode::empty()).expect("it is there");
    for _ in 0..levels {
        rustix::fs::mkdirat(&handle, name, mode).expect("it is empty");
        handle = rustix::fs::openat(&handle, name, flags, Mode::empty()).expect("it is there");
    }
    let flags = OFlags::WRONLY | OFlags::CREATE;
    drop(rustix::fs::openat(&handle, "index.js", flags, mode).expect("it can be made"));
}

fn node(tree: &Path) -> std::path::PathBuf {
    let modules = tree.join("node_modules");
    put(&modules.join(".package-lock.json"), "{}");
    modules
}

#[test]
fn what_lies_too_deep_to_be_looked_at_holds() {
    let world = World::new();
    nest(&node(&world.add("control")), "d", 200);
    nest(&node(&world.add("deep")), "d", 1_200);
    let plain = world.add("plain").join("data");
    std::fs::create_dir(&plain).expect("it is empty");
    nest(&plain, "d", 5_000);
    // Short of the depth, and longer than git's deletion can name.
    nest(&node(&world.add("long")), &"n".repeat(200), 25);
    // The first guard that rests on the walk.
    let unknown = "unknown-fresh";
    world.settle(
        &[("deep", unknown), ("plain", unknown), ("long", unknown)],
        &["control"],
    );
}

#[test]
fn an_entry_with_directories_too_deep_does_not_stop_owl() {
    let world = World::new();
    world.add("control");
    let places = [
        ("refs", "refs"),
        ("logs", "logs"),
        ("own", "."),
        ("sub", "modules"),
    ];
    for (name, below) in places {
        world.add(name);
        let at = world.entry(name).join(below);
        std::fs::create_dir_all(&at).expect("it can be made");
        nest(&at, "d", 3_000);
    }
    let plan = world.plan();
    for (name, _) in places {
        let row = World::row(&plan, name);
        assert!(!row.verdict.acts(), "{name}: {}", row.message);
    }
    assert!(World::row(&plan, "control").verdict.acts());
}
