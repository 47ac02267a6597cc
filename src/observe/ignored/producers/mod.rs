//! The table of producers: who writes which directory, and how that is proven (`ecosystem 5b`).
//!
//! Each row asks for something inside that only the producer writes, and for the input beside that
//! it was made from; a name alone proves nothing, and neither does a manifest. A row names the
//! files that lie directly in the directory: any other one was put there by somebody. Not here,
//! on purpose: `dist`, `out`, `coverage` and `zig-out` (nothing inside tells who wrote them),
//! `.hypothesis` (it holds failing examples that were found), `bazel-*` (symlinks).

use super::producer::{Check, Producer};
use super::roster::Record;

mod built;

/// What rows leave out.
const NONE: Producer = Producer {
    names: &[],
    inside: &[],
    beside: &[],
    up: 1,
    check: None,
    writes: &[],
    spelled: &[],
    folders: None,
    marks: &[],
    links: &[],
    packages: &[],
    manifest: None,
    record: None,
    terse: &[],
};

const TAG: &str = "CACHEDIR.TAG";

/// A directory that only its tag vouches for; what may lie in it is not known.
pub(super) const ANONYMOUS: Producer = Producer {
    names: &["*"],
    ..NONE
};

/// Every producer; the first whose proof holds is the one.
pub(super) fn all() -> impl Iterator<Item = &'static Producer> {
    PACKAGED.iter().chain(built::BUILT)
}

/// A Python environment.
const ENVIRONMENT: Producer = Producer {
    writes: &[
        "pyvenv.cfg",
        ".gitignore",
        TAG,
        ".lock",
        "pip-selfcheck.json",
    ],
    folders: Some(&[
        "bin", "include", "lib", "lib64", "share", "man", "etc", "Scripts", "Lib", "Include",
    ]),
    links: &["lib64"],
    packages: &["lib/*/site-packages/*", "Lib/site-packages/*"],
    record: Some(Record::Python),
    ..NONE
};

/// Cargo, Maven, Python, and what grew around `package.json`.
const PACKAGED: &[Producer] = &[
    // Cargo. The tag is missing where the directory was there before; many tools write
    // `.rustc_info.json` alone, so the manifest must be beside (C4).
    Producer {
        names: &["target"],
        inside: &[&[
            ".rustc_info.json",
            "debug/.fingerprint/",
            "release/.fingerprint/",
        ]],
        beside: &[&["Cargo.toml"]],
        writes: &[
            TAG,
            ".rustc_info.json",
            ".rustdoc_fingerprint.json",
            ".future-incompat-report.json",
            ".cargo-lock",
        ],
        spelled: &["package/*/Cargo.toml.orig"],
        // Directories of profiles and targets are called anything; Cargo's own files tell them.
        folders: Some(&[
            "debug",
            "release",
            "doc",
            "cargo-timings",
            "package",
            "tmp",
            "nextest",
            "flycheck*",
            "rust-analyzer",
            "miri",
        ]),
        marks: &[
            ".fingerprint/",
            "deps/",
            "debug/.fingerprint/",
            "release/.fingerprint/",
            "debug/deps/",
            "release/deps/",
        ],
        packages: &["*/build/*/out"],
        record: Some(Record::Cargo),
        // Programs and libraries go right there; `tmp` is for tests to write into.
        terse: &["debug", "release", "doc", "*/debug", "*/release", "*/doc"],
        ..NONE
    },
    // Maven uses the same name.
    Producer {
        names: &["target"],
        inside: &[&["maven-status/", "maven-archiver/", "classes/"]],
        beside: &[&["pom.xml"]],
        writes: &[
            "*.jar",
            "*.jar.original",
            "*.war",
            "*.war.original",
            ".plxarc",
        ],
        folders: Some(&[
            "classes",
            "test-classes",
            "generated-sources",
            "generated-test-sources",
            "maven-status",
            "maven-archiver",
            "surefire-reports",
            "failsafe-reports",
            "antrun",
            "site",
            "javadoc-bundle-options",
        ]),
        ..NONE
    },
    // npm, pnpm, yarn 1, yarn 2 and later with its `node-modules` linker. Symlinks are how pnpm and
    // workspaces install; a lock file is not asked for (`spec 5.4`).
    Producer {
        names: &["node_modules"],
        inside: &[&[
            ".package-lock.json",
            ".modules.yaml",
            ".yarn-integrity",
            ".yarn-state.yml",
        ]],
        beside: &[&["package.json"]],
        writes: &[
            ".package-lock.json",
            ".modules.yaml",
            ".yarn-integrity",
            ".yarn-state.yml",
            ".package-map.json",
            ".pnpm-workspace-state*.json",
            ".pnpm-debug.log",
            ".yarn-metadata.json",
        ],
        links: &["*"],
        packages: &[
            "*",
            "*/*",
            ".pnpm/*/node_modules/*",
            ".pnpm/*/node_modules/*/*",
        ],
        manifest: Some(b"package.json"),
        record: Some(Record::Node),
        ..NONE
    },
    // A package of a workspace has what does not fit at the top, and links.
    Producer {
        names: &["node_modules"],
        beside: &[&["package.json"]],
        check: Some(Check::Workspace),
        packages: &["*", "*/*"],
        manifest: Some(b"package.json"),
        record: Some(Record::Workspace),
        ..NONE
    },
    // Python environments: without a list of packages beside, nobody knows what was in it.
    Producer {
        names: &[".venv", "venv"],
        inside: &[&["pyvenv.cfg"]],
        beside: &[&[
            "uv.lock",
            "poetry.lock",
            "pdm.lock",
            "Pipfile",
            "Pipfile.lock",
            "pyproject.toml",
            "requirements*.txt",
            "setup.py",
            "setup.cfg",
        ]],
        ..ENVIRONMENT
    },
    // nox makes one a session, and lays a tag beside them.
    Producer {
        names: &["*"],
        inside: &[&["pyvenv.cfg"], &["bin/"]],
        beside: &[&["noxfile.py"]],
        up: 2,
        check: Some(Check::In(b".nox")),
        ..ENVIRONMENT
    },
    Producer {
        names: &[".nox"],
        writes: &[TAG, ".gitignore"],
        folders: Some(&[]),
        ..NONE
    },
    Producer {
        names: &[".pytest_cache"],
        inside: &[&[TAG], &["v/"]],
        writes: &[TAG, "README.md", ".gitignore"],
        ..NONE
    },
    Producer {
        names: &[".mypy_cache", ".ruff_cache"],
        writes: &[TAG, ".gitignore", "missing_stubs"],
        // mypy's, since its version 2.
        spelled: &["#.#/cache.#.db"],
        ..NONE
    },
    Producer {
        names: &[".tox"],
        inside: &[&[".tox-info.json", "*/.tox-info.json"]],
        beside: &[&["tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"]],
        writes: &[TAG, ".gitignore", ".tox-info.json"],
        packages: &["*/lib/*/site-packages/*"],
        ..NONE
    },
    Producer {
        names: &["htmlcov"],
        inside: &[&["status.json"]],
        check: Some(Check::Says(b".gitignore", b"Created by coverage.py")),
        writes: &[
            ".gitignore",
            "status.json",
            "*.html",
            "*.js",
            "*.css",
            "*.png",
            "*.svg",
        ],
        ..NONE
    },
    // Python packaging metadata (C4 names it).
    Producer {
        names: &["*.egg-info"],
        inside: &[&["PKG-INFO"], &["SOURCES.txt"]],
        beside: &[&["setup.py", "setup.cfg", "pyproject.toml"]],
        writes: &[
            "PKG-INFO",
            "SOURCES.txt",
            "dependency_links.txt",
            "entry_points.txt",
            "requires.txt",
            "top_level.txt",
            "not-zip-safe",
            "zip-safe",
            "namespace_packages.txt",
        ],
        folders: Some(&[]),
        ..NONE
    },
    Producer {
        names: &[".next"],
        inside: &[&["BUILD_ID", "build-manifest.json"]],
        beside: &[&["package.json"]],
        writes: &[
            "BUILD_ID",
            "*-manifest.json",
            "*-manifest.js",
            "export-marker.json",
            "export-detail.json",
            "package.json",
            "required-server-files.js*",
            "trace",
            "trace-build",
            "turbopack",
            "*.nft.json",
            "*.log",
        ],
        folders: Some(&[
            "cache",
            "server",
            "static",
            "types",
            "trace",
            "standalone",
            "diagnostics",
            "export",
            "build",
            "dev",
        ]),
        ..NONE
    },
    Producer {
        names: &[".nuxt"],
        inside: &[&["nuxt.d.ts", "nuxt.json"]],
        beside: &[&["nuxt.config.*"]],
        writes: &["*.ts", "*.mjs", "*.json", "*.d.ts"],
        ..NONE
    },
    Producer {
        names: &[".svelte-kit"],
        inside: &[&["generated/", "types/", "output/"]],
        beside: &[&["svelte.config.*"]],
        writes: &[
            "tsconfig.json",
            "ambient.d.ts",
            "non-ambient.d.ts",
            "env.d.ts",
        ],
        ..NONE
    },
    Producer {
        names: &[".angular"],
        inside: &[&["cache/"]],
        beside: &[&["angular.json"]],
        folders: Some(&["cache"]),
        ..NONE
    },
    Producer {
        names: &[".parcel-cache"],
        inside: &[&["data.mdb", "*.blob"]],
        beside: &[&["package.json"]],
        writes: &["data.mdb", "lock.mdb", "*.blob"],
        spelled: &[
            "%-AssetGraph",
            "%-BundleGraph",
            "%-RequestGraph",
            "snapshot-%.txt",
        ],
        ..NONE
    },
    Producer {
        names: &[".docusaurus"],
        inside: &[&["globalData.json", "client-manifest.json", "routes.js"]],
        beside: &[&["docusaurus.config.*"]],
        writes: &["*.json", "*.js", "*.mjs", "*.css", "DONT-EDIT-THIS-FOLDER"],
        ..NONE
    },
    Producer {
        names: &[".astro"],
        inside: &[&["types.d.ts", "content.d.ts", "settings.json"]],
        beside: &[&["astro.config.*"]],
        writes: &[
            "types.d.ts",
            "content.d.ts",
            "settings.json",
            "data-store.json",
            "content-assets.mjs",
            "content-modules.mjs",
        ],
        ..NONE
    },
    Producer {
        names: &[".turbo"],
        inside: &[&["cache/", "cookies/", "daemon/", "runs/", "preferences/"]],
        beside: &[&["turbo.json"]],
        writes: &["turbo-*.log", "preferences.json"],
        folders: Some(&["cache", "cookies", "daemon", "runs", "preferences"]),
        ..NONE
    },
    // In a package it keeps the output of the last run of each task, to print it again.
    Producer {
        names: &[".turbo"],
        inside: &[&["turbo-*.log"]],
        beside: &[&["package.json"]],
        check: Some(Check::Above(b"turbo.json")),
        writes: &["turbo-*.log"],
        folders: Some(&[]),
        ..NONE
    },
    Producer {
        names: &[".nx"],
        inside: &[&["cache/", "workspace-data/"]],
        beside: &[&["nx.json"]],
        spelled: &["workspace-data/%.db"],
        folders: Some(&["cache", "workspace-data"]),
        ..NONE
    },
    Producer {
        names: &[".vite"],
        inside: &[&["deps/_metadata.json"]],
        beside: &[&["package.json"]],
        ..NONE
    },
];
