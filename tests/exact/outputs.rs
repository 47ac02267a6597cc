//! What tools write under names of their own goes, and what lies beside it holds (`spec 5.4`).

use crate::world::{World, put};
use std::path::Path;

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# x\n";
const HASH: &str = "3d1219c7c4c5404aaa1f6d2a48adfda4";

/// A directory as its producer leaves it.
type Make = fn(&Path);

/// Its name, how it is made, and one stray file a tree.
type Case = (&'static str, Make, &'static [&'static str]);

fn all(tree: &Path, files: &[(&str, &str)]) {
    for (file, text) in files {
        put(&tree.join(file), text);
    }
}

fn mypy(tree: &Path) {
    all(
        tree,
        &[
            (".mypy_cache/CACHEDIR.TAG", TAG),
            (".mypy_cache/.gitignore", "*"),
            (".mypy_cache/3.11/cache.0.db", "x"),
            (".mypy_cache/3.11/cache.12.db", "x"),
        ],
    );
}

fn svelte(tree: &Path) {
    all(
        tree,
        &[
            (".svelte-kit/generated/root.js", "x"),
            (".svelte-kit/env.d.ts", "x"),
        ],
    );
}

fn parcel(tree: &Path) {
    all(
        tree,
        &[
            (".parcel-cache/data.mdb", "x"),
            (".parcel-cache/lock.mdb", "x"),
            (".parcel-cache/0069b0ac7e38cb17-AssetGraph", "x"),
            (".parcel-cache/6f504d967087550b-BundleGraph", "x"),
            (".parcel-cache/b268cf1f67e7290d-RequestGraph", "x"),
            (".parcel-cache/snapshot-b268cf1f67e7290d.txt", "x"),
        ],
    );
}

fn nx(tree: &Path) {
    put(&tree.join(format!(".nx/workspace-data/{HASH}.db")), "x");
    put(&tree.join(".nx/cache/run.json"), "{}");
}

fn cargo(tree: &Path) {
    all(
        tree,
        &[
            ("target/.rustc_info.json", "{}"),
            ("target/cargo-timings/cargo-timing.html", "x"),
            (
                "target/cargo-timings/cargo-timing-20261201T010704688Z-4.html",
                "x",
            ),
            ("target/package/b-0.1.0/Cargo.toml", "x"),
            ("target/package/b-0.1.0/Cargo.toml.orig", "x"),
        ],
    );
}

fn turbo(tree: &Path) {
    all(
        tree,
        &[
            (".turbo/cache/1-meta.json", "{}"),
            ("packages/b/.turbo/turbo-build.log", "x"),
        ],
    );
}

fn yarn(tree: &Path) {
    put(&tree.join(".yarn/install-state.gz"), "x");
}

fn nox(tree: &Path) {
    let record = "six.py,,\n../../../bin/six,,\nsix-1.dist-info/RECORD,,\n";
    let site = ".nox/t/lib/python3.11/site-packages";
    all(
        tree,
        &[
            (".nox/CACHEDIR.TAG", TAG),
            (".nox/.gitignore", "*"),
            (".nox/t/CACHEDIR.TAG", TAG),
            (".nox/t/.gitignore", "*"),
            (".nox/t/pyvenv.cfg", "home = /usr/bin"),
            (".nox/t/bin/activate.fish", "x"),
            (".nox/t/bin/six", "x"),
        ],
    );
    put(&tree.join(site).join("six.py"), "x");
    put(&tree.join(site).join("six-1.dist-info/RECORD"), record);
}

fn meson(tree: &Path) {
    let at = tree.join("build");
    let targets = format!(
        r#"[{{"filename":["{}"]}},{{"filename":["{}"]}},{{"filename":["/elsewhere/b"]}}]"#,
        at.join("a").display(),
        at.join("out.csv").display(),
    );
    put(&at.join("meson-info/intro-targets.json"), &targets);
    all(
        &at,
        &[
            ("meson-private/coredata.dat", "x"),
            ("CACHEDIR.TAG", TAG),
            (".gitignore", "*"),
            ("build.ninja", "x"),
            ("a.p/a.c.o", "x"),
            ("a", "x"),
        ],
    );
}

fn cmake(tree: &Path) {
    let at = tree.join("build");
    let home = format!("CMAKE_HOME_DIRECTORY:INTERNAL={}\n", tree.display());
    put(&at.join("CMakeCache.txt"), &home);
    all(
        &at,
        &[
            ("CMakeFiles/a.dir/a.c.o", "x"),
            ("CMakeFiles/m.dir/link.txt", "/usr/bin/cc m.o -o m\n"),
            (
                ".ninja_log",
                "# ninja log v7\n1\t2\t3\ta\tx\n1\t2\t3\tout.csv\tx\n1\t2\t3\tnotes.md\tx\n",
            ),
            ("a", "x"),
            ("m", "x"),
        ],
    );
}

/// Each as it is left, and what a person may have put beside.
const WRITTEN: &[Case] = &[
    (
        "mypy",
        mypy,
        &[
            ".mypy_cache/3.11/cache.mine.db",
            ".mypy_cache/3.11/results.db",
            ".mypy_cache/cache.1.db",
        ],
    ),
    ("svelte", svelte, &[".svelte-kit/mine.d.ts"]),
    (
        "parcel",
        parcel,
        &[
            ".parcel-cache/mine-AssetGraph",
            ".parcel-cache/snapshot-mine.txt",
        ],
    ),
    (
        "nx",
        nx,
        &[".nx/workspace-data/mine.db", ".nx/cache/notes.db"],
    ),
    (
        "cargo",
        cargo,
        &[
            "target/cargo-timings/notes.html",
            "target/cargo-timings/mine/1.html",
            "target/package/b-0.1.0/Cargo.toml.mine.orig",
            "target/Cargo.toml.orig",
        ],
    ),
    (
        "turbo",
        turbo,
        &[
            "packages/b/.turbo/notes.md",
            "packages/b/.turbo/mine/turbo-1.log",
        ],
    ),
    (
        "yarn",
        yarn,
        &[".yarn/mine.gz", ".yarn/mine/install-state.gz"],
    ),
    (
        "nox",
        nox,
        &[
            ".nox/notes.md",
            ".nox/mine/notes.bin",
            ".nox/t/data.sqlite",
            ".nox/t/results/1.bin",
            ".nox/t/bin/deploy.sh",
            ".nox/t/lib/python3.11/site-packages/mine.py",
        ],
    ),
    (
        "meson",
        meson,
        &["build/b", "build/mine", "build/out.csv", "build/mine.p.d/x"],
    ),
    (
        "cmake",
        cmake,
        &[
            "build/b",
            "build/out.csv",
            "build/notes.md",
            "build/mine.sh",
        ],
    ),
];

#[test]
fn what_a_tool_writes_goes_and_what_lies_beside_holds() {
    let world = World::new();
    let ignored = ".mypy_cache\n.svelte-kit\n.parcel-cache\n.nx\n.turbo\n.yarn\n.nox\n";
    put(&world.main().join(".git/info/exclude"), ignored);
    for file in [
        "svelte.config.js",
        "nx.json",
        "turbo.json",
        "noxfile.py",
        "meson.build",
        "packages/b/package.json",
    ] {
        world.put(file, "{}");
    }
    world.commit("manifests");
    let (mut held, mut gone) = (Vec::new(), Vec::new());
    for (name, make, strays) in WRITTEN.iter().copied() {
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
fn a_name_without_what_it_belongs_to_proves_nothing() {
    let world = World::new();
    let ignored = ".turbo\n.yarn\n.nox\nvenv.d\n";
    put(&world.main().join(".git/info/exclude"), ignored);
    world.put("noxfile.py", "");
    world.put("packages/b/package.json", "{}");
    world.commit("manifests");
    // No `turbo.json` anywhere above.
    turbo(&world.add("turbo"));
    // An environment beside a `noxfile.py` that is not one of nox's.
    let outside = world.add("outside");
    put(&outside.join("venv.d/t/pyvenv.cfg"), "x");
    put(&outside.join("venv.d/t/bin/activate"), "x");
    // A state of yarn's in a directory of another name.
    let elsewhere = world.add("elsewhere");
    put(&elsewhere.join("data/install-state.gz"), "x");
    nox(&world.add("control"));
    world.settle(
        &[
            ("turbo", "ignored-data"),
            ("outside", "ignored-data"),
            ("elsewhere", "ignored-data"),
        ],
        &["control"],
    );
}
