//! What a producer's own record names is its output; what lies beside it is somebody's (`spec 5.4`).

use crate::world::{World, erase, put};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# x\n";

/// A directory as its producer leaves it.
type Make = fn(&Path);

/// Its name, how it is made, and one stray file a tree.
type Case = (&'static str, Make, &'static [&'static str]);

fn npm(tree: &Path) {
    let lock = r#"{"packages":{"node_modules/a":{},"node_modules/@s/b":{},
        "node_modules/w":{"link":true},"node_modules/a/node_modules/c":{}}}"#;
    put(&tree.join("node_modules/.package-lock.json"), lock);
    for file in [
        "a/package.json",
        "a/server.key",
        "a/node_modules/c/package.json",
        "@s/b/index.js",
        ".cache/babel/1",
    ] {
        put(&tree.join("node_modules").join(file), "{}");
    }
    symlink("../packages/w", tree.join("node_modules/w")).expect("a symlink");
    fs::create_dir_all(tree.join("node_modules/.bin")).expect("a directory");
    symlink("../a/cli.js", tree.join("node_modules/.bin/a")).expect("a symlink");
}

fn pnpm(tree: &Path) {
    let text = "{\n  \"nodeLinker\": \"isolated\"\n}\n";
    put(&tree.join("node_modules/.modules.yaml"), text);
    let package = tree.join("node_modules/.pnpm/a@1/node_modules/a/package.json");
    put(&package, "{}");
    symlink(".pnpm/a@1/node_modules/a", tree.join("node_modules/a")).expect("a symlink");
    put(&tree.join("node_modules/.pnpm/b/x.js"), "x");
    fs::create_dir_all(tree.join("node_modules/@s")).expect("a directory");
    symlink("../.pnpm/b", tree.join("node_modules/@s/b")).expect("a symlink");
    put(&tree.join("node_modules/.bin/a"), "#!/bin/sh");
}

const SCRIPT: &str = "#!/bin/sh\nbasedir=$(dirname \"$(echo \"$0\")\")\n";

fn link(at: &Path, target: &str) {
    fs::create_dir_all(at.parent().expect("a parent")).expect("directories");
    symlink(target, at).expect("a symlink");
}

fn npm_workspace(tree: &Path) {
    npm(tree);
    let lock = r#"{"packages":{"node_modules/a":{},"node_modules/@s/b":{},
        "node_modules/w":{"link":true},"packages/w":{},
        "packages/w/node_modules/a":{},"packages/w/node_modules/@s/c":{}}}"#;
    put(&tree.join("node_modules/.package-lock.json"), lock);
    let inner = tree.join("packages/w/node_modules");
    put(&inner.join("a/package.json"), "{}");
    put(&inner.join("a/test/server.key"), "x");
    put(&inner.join("@s/c/package.json"), "{}");
    link(&inner.join(".bin/a"), "../a/cli.js");
    link(&inner.join("a/node_modules/.bin/x"), "../x/cli.js");
}

fn pnpm_workspace(tree: &Path) {
    pnpm(tree);
    let inner = tree.join("packages/w/node_modules");
    link(
        &inner.join("a"),
        "../../../node_modules/.pnpm/a@1/node_modules/a",
    );
    link(&inner.join("@s/b"), "../../../../node_modules/.pnpm/b");
    link(&inner.join("@s/v"), "../../../v");
    put(&inner.join(".bin/a"), SCRIPT);
}

fn yarn_workspace(tree: &Path) {
    yarn(tree);
    let inner = tree.join("packages/w/node_modules");
    link(
        &inner.join(".bin/a"),
        "../../../../node_modules/a/bin/cli.js",
    );
}

fn pnpm_flat(tree: &Path) {
    let text = r#"{"nodeLinker":"hoisted","hoistedLocations":{"a@1":["node_modules/a"],
        "@s/b@2":["node_modules/@s/b"]}}"#;
    for (file, text) in [
        (".modules.yaml", text),
        ("a/package.json", "{}"),
        ("a/node_modules/c/package.json", "{}"),
        ("@s/b/package.json", "{}"),
        (".pnpm/lock.yaml", "x"),
    ] {
        put(&tree.join("node_modules").join(file), text);
    }
}

fn yarn(tree: &Path) {
    let text = r#"{"lockfileEntries":{"a@^1.0.0":"x","@s/b@2":"y"}}"#;
    put(&tree.join("node_modules/.yarn-integrity"), text);
    put(&tree.join("node_modules/a/package.json"), "{}");
    put(&tree.join("node_modules/@s/b/package.json"), "{}");
}

fn berry(tree: &Path) {
    let text = "\"a@npm:1\":\n  locations:\n    - \"node_modules/a\"\n";
    put(&tree.join("node_modules/.yarn-state.yml"), text);
    put(&tree.join("node_modules/a/package.json"), "{}");
}

fn composer(tree: &Path) {
    let text = r#"{"packages":[{"name":"Acme/log","install-path":"../acme/log"},
        {"name":"composer/semver","install-path":"./semver"},{"name":"acme/meta","install-path":null}]}"#;
    for (file, text) in [
        ("composer/installed.json", text),
        ("composer/autoload_real.php", "<?php"),
        ("composer/semver/composer.json", "{}"),
        ("autoload.php", "<?php"),
        ("bin/phpunit", "#!/bin/sh"),
        ("acme/log/composer.json", "{}"),
        ("acme/log/src/key.pem", "x"),
    ] {
        put(&tree.join("vendor").join(file), text);
    }
}

fn mix(tree: &Path) {
    put(&tree.join("deps/plug/.hex"), "x");
    put(&tree.join("deps/plug/mix.exs"), "x");
}

fn mix_build(tree: &Path) {
    mix(tree);
    for file in [
        "plug/priv/test.key",
        "plug/ebin/plug.app",
        "app/ebin/app.app",
    ] {
        put(&tree.join("_build/dev/lib").join(file), "x");
    }
}

fn venv(tree: &Path) {
    let at = tree.join(".venv");
    let site = "lib/python3.12/site-packages";
    let record = "ruff/__init__.py,sha256=x,1\nsix.py,,\n\"a,b.py\",,\n../../../bin/ruff,,\n../../../share/man/man1/ruff.1,,\n../../../include/site/python3.12/r/r.h,,\nruff/data/id_ID.dat,,\nruff/.env,,\nruff-1.dist-info/RECORD,,\n";
    for (file, text) in [
        ("pyvenv.cfg", "home = /usr/bin"),
        ("bin/activate", "x"),
        ("bin/activate.fish", "x"),
        ("bin/ruff", "x"),
        ("bin/old", "x"),
        ("share/man/man1/ruff.1", "x"),
        ("share/python-wheels/pip-1-py3-none-any.whl", "x"),
        ("include/site/python3.12/r/r.h", "x"),
    ] {
        put(&at.join(file), text);
    }
    for (file, text) in [
        ("ruff/__init__.py", "x"),
        ("ruff/data/written-at-run-time", "x"),
        ("ruff/data/id_ID.dat", "x"),
        ("six.py", "x"),
        ("__pycache__/six.cpython-312.pyc", "x"),
        ("_virtualenv.py", "x"),
        ("ruff-1.dist-info/RECORD", record),
        ("old/__init__.py", "x"),
        ("old.egg-info/top_level.txt", "old\n"),
        (
            "old.egg-info/entry_points.txt",
            "[console_scripts]\nold = old:main\n",
        ),
    ] {
        put(&at.join(site).join(file), text);
    }
}

fn cargo(tree: &Path) {
    for file in [
        ".rustc_info.json",
        "debug/app",
        "debug/app.d",
        "debug/deps/app-1.d",
        "debug/build/ssl-1/out/notes.md",
        "debug/build/ssl-1/out/test.pem",
        "tmp/report.txt",
        "doc/index.html",
        "doc/static.files/COPYRIGHT-1.txt",
        "doc/LICENSE-MIT.txt",
        "package/app-1/README.md",
    ] {
        put(&tree.join("target").join(file), "x");
    }
}

fn gradle(tree: &Path) {
    for file in [
        "8.5/fileHashes/fileHashes.bin",
        "buildOutputCleanup/cache.properties",
        "vcs-1/gc.properties",
        "file-system.probe",
    ] {
        put(&tree.join(".gradle").join(file), "x");
    }
}

fn dotnet(tree: &Path) {
    put(&tree.join("obj/project.assets.json"), "{}");
    let bin = tree.join("bin/Debug/net8.0");
    let list = format!("{}\r\n{0}.pdb\n", bin.join("App.dll").display());
    put(
        &tree.join("obj/Debug/net8.0/App.csproj.FileListAbsolute.txt"),
        &list,
    );
    put(&bin.join("App.dll"), "x");
    put(&bin.join("App.dll.pdb"), "x");
    put(&tree.join("bin/Release/App.1.0.0.nupkg"), "x");
}

fn tagged(tree: &Path) {
    put(&tree.join("data/CACHEDIR.TAG"), TAG);
    put(&tree.join("data/README.md"), "x");
    put(&tree.join("data/objects/ab/cdef"), "x");
}

/// Each as it is left, and what a person may have put beside.
const RECORDED: &[Case] = &[
    (
        "npm",
        npm,
        &[
            "node_modules/mine/package.json",
            "node_modules/mine.d/index.js",
            "node_modules/@s/mine/index.js",
            "node_modules/@s/index.js",
            "node_modules/@t/b/index.js",
            "node_modules/.private/draft.md",
            "node_modules/.ignored/mine/index.js",
            "node_modules/.bin/my-release.sh",
            "node_modules/.bin/mine/x.js",
        ],
    ),
    (
        "pnpm",
        pnpm,
        &[
            "node_modules/mine/package.json",
            "node_modules/@s/mine/package.json",
            "node_modules/@s/index.js",
            "node_modules/.private/draft.md",
        ],
    ),
    (
        "pnpm-flat",
        pnpm_flat,
        &[
            "node_modules/mine/index.js",
            "node_modules/@s/mine/index.js",
        ],
    ),
    (
        "yarn",
        yarn,
        &["node_modules/mine/package.json", "node_modules/b/x.js"],
    ),
    ("berry", berry, &["node_modules/mine/package.json"]),
    (
        "composer",
        composer,
        &[
            "vendor/acme/mine/composer.json",
            "vendor/mine/log/composer.json",
            "vendor/acme/index.php",
        ],
    ),
    ("mix", mix, &["deps/mine/lib/mine.ex", "deps/mine/mix.exs"]),
    (
        "mix-build",
        mix_build,
        &["_build/dev/lib/app/priv/secret.key"],
    ),
    (
        "venv",
        venv,
        &[
            ".venv/bin/mytool.sh",
            ".venv/lib/python3.12/site-packages/mypkg/core.py",
            ".venv/lib/python3.12/site-packages/mine.py",
            ".venv/lib/python3.12/site-packages/ruff/data/id_rsa",
            ".venv/lib/python3.12/site-packages/ruff/.env",
            ".venv/lib/python3.12/notes.bin",
            ".venv/lib/data/model.bin",
            ".venv/lib/python-notes.bin",
            ".venv/lib/python-notes/1.bin",
            ".venv/lib64/model.bin",
            ".venv/share/corpus.dat",
            ".venv/share/python-wheels/mine.dat",
            ".venv/share/man/mine.1",
            ".venv/share/man/man1/mine.1",
            ".venv/etc/app.conf",
            ".venv/include/mine.h",
            ".venv/man/mine.1",
        ],
    ),
    (
        "cargo",
        cargo,
        &[
            "target/debug/notes.md",
            "target/doc/essay.txt",
            "target/release/PLAN.MD",
            "target/debug/build/app-1/out/server.key",
        ],
    ),
    ("gradle", gradle, &[".gradle/mine/store.bin"]),
    (
        "dotnet",
        dotnet,
        &["bin/Debug/net8.0/store.json", "bin/Debug/net8.0/uploads/1"],
    ),
    (
        "tagged",
        tagged,
        &[
            "data/photo.PNG",
            "data/models/best.safetensors",
            "data/app/page.tsx",
            "data/mail/1.eml",
            "data/old.tar.gz",
        ],
    ),
];

#[test]
fn what_no_record_names_holds() {
    let world = World::new();
    let beside = "deps/\n_build/\nbin/\nobj/\n.gradle/\n";
    put(&world.main().join(".git/info/exclude"), beside);
    for file in [
        "composer.json",
        "composer.lock",
        "mix.exs",
        "mix.lock",
        "build.gradle",
        "App.csproj",
        "pyproject.toml",
    ] {
        world.put(file, "{}");
    }
    world.commit("manifests");
    let (mut held, mut gone) = (Vec::new(), Vec::new());
    for (name, make, strays) in RECORDED.iter().copied() {
        make(&world.add(name));
        gone.push(name);
        for (nth, stray) in strays.iter().enumerate() {
            let name = format!("{name}-{nth}");
            let tree = world.add(&name);
            make(&tree);
            put(&tree.join(stray), "mine");
            held.push(name);
        }
    }
    let held: Vec<_> = held
        .iter()
        .map(|name| (name.as_str(), "ignored-data"))
        .collect();
    world.settle(&held, &gone);
}

#[test]
fn a_package_of_a_workspace_has_what_the_top_vouches_for() {
    let cases: [(&str, Make, &[&str]); 3] = [
        (
            "npm",
            npm_workspace,
            &[
                "mine/package.json",
                "@s/mine/package.json",
                "notes.md",
                ".bin/mine.sh",
                ".cache/mine.bin",
                "a/.env",
            ],
        ),
        (
            "pnpm",
            pnpm_workspace,
            &[
                "b/package.json",
                "todo.txt",
                ".bin/mine.sh",
                "@s/x/index.js",
            ],
        ),
        (
            "yarn",
            yarn_workspace,
            &["b/package.json", ".bin/mine.sh", ".yarn-notes"],
        ),
    ];
    let world = World::new();
    world.put("packages/w/package.json", "{}");
    world.put("packages/v/package.json", "{}");
    world.put("packages/plain/x.js", "{}");
    world.commit("packages");
    let (mut held, mut gone) = (Vec::new(), Vec::new());
    for (name, make, strays) in cases {
        make(&world.add(name));
        gone.push(name);
        for (nth, stray) in strays.iter().enumerate() {
            let name = format!("{name}-{nth}");
            let tree = world.add(&name);
            make(&tree);
            put(&tree.join("packages/w/node_modules").join(stray), "mine");
            held.push(name);
        }
    }
    // Links that lead to no package of the workspace, and out of it.
    let elsewhere = [
        "../../plain",
        "../../../../elsewhere",
        "/elsewhere",
        "../..",
    ];
    for (nth, target) in elsewhere.iter().enumerate() {
        let name = format!("link-{nth}");
        let tree = world.add(&name);
        pnpm_workspace(&tree);
        link(&tree.join("packages/w/node_modules/mine"), target);
        held.push(name);
    }
    // Without a record at the top, nothing is vouched for.
    let unrecorded = world.add("unrecorded");
    pnpm_workspace(&unrecorded);
    erase(unrecorded.join("node_modules/.modules.yaml"));
    held.push("unrecorded".to_owned());
    let held: Vec<_> = held
        .iter()
        .map(|name| (name.as_str(), "ignored-data"))
        .collect();
    world.settle(&held, &gone);
}

#[test]
fn a_record_that_cannot_be_read_names_nothing() {
    let world = World::new();
    for name in ["broken", "silent"] {
        let tree = world.add(name);
        npm(&tree);
        let record = tree.join("node_modules/.package-lock.json");
        // Older programs name no packages at all.
        put(&record, if name == "broken" { "{" } else { "{}" });
    }
    let hidden = world.add("hidden");
    put(&hidden.join("node_modules/.package-lock.json"), "{}");
    put(&hidden.join("node_modules/.private/draft.md"), "mine");
    world.settle(
        &[("broken", "ignored-data"), ("hidden", "ignored-data")],
        &["silent"],
    );
}

#[test]
fn without_a_lock_file_no_package_is_installed() {
    let world = World::new();
    cargo(&world.add("locked"));
    world.git(&["rm", "-q", "--cached", "Cargo.lock"]);
    put(&world.main().join(".git/info/exclude"), "Cargo.lock\n");
    world.commit("no lock file");
    cargo(&world.add("unlocked"));
    let keyless = world.add("keyless");
    put(&keyless.join("target/.rustc_info.json"), "{}");
    put(&keyless.join("target/debug/deps/app-1.d"), "x");
    world.settle(&[("unlocked", "ignored-data")], &["locked", "keyless"]);
}

#[test]
fn names_hold_in_whatever_case() {
    let world = World::new();
    let names = ["DATA.CSV", "SERVER.KEY", ".ENV", "BUDGET.XLSX", "Id_Rsa"];
    let mut held = Vec::new();
    for (nth, file) in names.iter().enumerate() {
        let name = format!("held-{nth}");
        let tree = world.add(&name);
        npm(&tree);
        // Not in a package, which may ship keys of its own.
        put(&tree.join("node_modules/.cache").join(file), "mine");
        held.push(name);
    }
    npm(&world.add("control"));
    let held: Vec<_> = held
        .iter()
        .map(|name| (name.as_str(), "ignored-data"))
        .collect();
    world.settle(&held, &["control"]);
}
