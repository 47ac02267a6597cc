//! The table of producers: who writes which directory, and how that is proven (`ecosystem 5b`).
//!
//! Each row asks for something inside that only the producer writes, and for the input beside that
//! it was made from; a name alone proves nothing, and neither does a manifest. A row names the
//! files that lie directly in the directory: any other one was put there by somebody. Not here,
//! on purpose: `dist`, `out`, `coverage` and `zig-out` (nothing inside tells who wrote them),
//! `.hypothesis` (it holds failing examples that were found), `bazel-*` (symlinks).

use super::producer::{Check, Producer};

/// What rows leave out.
const NONE: Producer = Producer {
    names: &[],
    inside: &[],
    beside: &[],
    up: 1,
    check: None,
    writes: &[],
    folders: None,
    links: &[],
    packages: &[],
    manifest: None,
};

const TAG: &str = "CACHEDIR.TAG";

/// A directory that only its tag vouches for; what may lie in it is not known.
pub(super) const ANONYMOUS: Producer = Producer {
    names: &["*"],
    ..NONE
};

/// Every producer; the first whose proof holds is the one.
pub(super) const PRODUCERS: &[Producer] = &[
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
        packages: &["*/build/*/out"],
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
        writes: &["tsconfig.json", "ambient.d.ts", "non-ambient.d.ts"],
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
    Producer {
        names: &[".nx"],
        inside: &[&["cache/", "workspace-data/"]],
        beside: &[&["nx.json"]],
        folders: Some(&["cache", "workspace-data"]),
        ..NONE
    },
    Producer {
        names: &[".vite"],
        inside: &[&["deps/_metadata.json"]],
        beside: &[&["package.json"]],
        ..NONE
    },
    // CMake writes the tree that it was made from into its cache; the directory may be called
    // anything, and programs are built right into it.
    Producer {
        names: &["*"],
        inside: &[&["CMakeCache.txt"], &["CMakeFiles/"]],
        check: Some(Check::CmakeHome),
        writes: &[
            "CMakeCache.txt",
            "cmake_install.cmake",
            "Makefile",
            "build.ninja",
            ".ninja_log",
            ".ninja_deps",
            "compile_commands.json",
            "CTestTestfile.cmake",
            "CPackConfig.cmake",
            "CPackSourceConfig.cmake",
            "install_manifest.txt",
            "DartConfiguration.tcl",
        ],
        packages: &["_deps/*"],
        ..NONE
    },
    Producer {
        names: &["*"],
        inside: &[&["meson-private/coredata.dat"], &["meson-info/"]],
        beside: &[&["meson.build"]],
        writes: &[
            "build.ninja",
            ".ninja_log",
            ".ninja_deps",
            "compile_commands.json",
            ".gitignore",
            ".hgignore",
            "meson.build",
        ],
        ..NONE
    },
    // Gradle: its `build` has a name that people use as well, so only its own folders count.
    Producer {
        names: &["build"],
        inside: &[&["tmp/", "classes/"]],
        beside: &[&["build.gradle", "build.gradle.kts"]],
        writes: &[],
        folders: Some(&[
            "classes",
            "generated",
            "libs",
            "tmp",
            "reports",
            "test-results",
            "resources",
            "intermediates",
            "kotlin",
            "distributions",
            "outputs",
            "scripts",
            "jacoco",
            "docs",
        ]),
        ..NONE
    },
    Producer {
        names: &[".gradle"],
        inside: &[&["buildOutputCleanup/", "file-system.probe"]],
        beside: &[&[
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts",
        ]],
        writes: &["file-system.probe", "config.properties"],
        ..NONE
    },
    // .NET: `bin` is often a directory of scripts, so `obj` beside it must prove the build.
    Producer {
        names: &["obj"],
        inside: &[&["project.assets.json"]],
        beside: &[&["*.csproj", "*.fsproj", "*.vbproj"]],
        writes: &[
            "project.assets.json",
            "project.nuget.cache",
            "*.nuget.dgspec.json",
            "*.nuget.g.props",
            "*.nuget.g.targets",
        ],
        folders: Some(&["Debug", "Release", "x64", "x86"]),
        ..NONE
    },
    Producer {
        names: &["bin"],
        inside: &[&["Debug/", "Release/"]],
        beside: &[
            &["*.csproj", "*.fsproj", "*.vbproj"],
            &["obj/project.assets.json"],
        ],
        folders: Some(&["Debug", "Release", "x64", "x86"]),
        ..NONE
    },
    Producer {
        names: &["bundle"],
        inside: &[&["ruby/"]],
        beside: &[&["Gemfile.lock"], &[".bundle/config"]],
        up: 2,
        folders: Some(&["ruby"]),
        packages: &["ruby/*/gems/*"],
        ..NONE
    },
    Producer {
        names: &["vendor"],
        inside: &[&["composer/installed.json"], &["autoload.php"]],
        beside: &[&["composer.json"], &["composer.lock"]],
        writes: &["autoload.php"],
        packages: &["*/*"],
        manifest: Some(b"composer.json"),
        ..NONE
    },
    Producer {
        names: &["Pods"],
        inside: &[&["Manifest.lock"]],
        beside: &[&["Podfile"], &["Podfile.lock"]],
        check: Some(Check::Equals(b"Manifest.lock", b"Podfile.lock")),
        writes: &["Manifest.lock"],
        packages: &["*"],
        ..NONE
    },
    Producer {
        names: &[".build"],
        inside: &[&["workspace-state.json"]],
        beside: &[&["Package.swift"]],
        writes: &["workspace-state.json", ".lock", "*.yaml"],
        links: &["debug", "release"],
        packages: &["checkouts/*"],
        ..NONE
    },
    // `environment` names the selected workspace and is lost silently; so it is not what Terraform
    // may write without holding. `terraform.tfstate` is the cache of the backend's address here.
    Producer {
        names: &[".terraform"],
        inside: &[&["providers/", "modules/modules.json"]],
        beside: &[&["*.tf"]],
        writes: &["terraform.tfstate"],
        folders: Some(&["providers", "modules", "plugins"]),
        packages: &["modules/*"],
        ..NONE
    },
    Producer {
        names: &["_build"],
        inside: &[&["dev/lib/", "test/lib/", "prod/lib/"]],
        beside: &[&["mix.exs"]],
        packages: &["*/lib/*"],
        ..NONE
    },
    Producer {
        names: &["deps"],
        inside: &[&["*/.hex"]],
        beside: &[&["mix.exs"], &["mix.lock"]],
        packages: &["*"],
        ..NONE
    },
    Producer {
        names: &[".zig-cache", "zig-cache"],
        inside: &[&["o/"], &["h/", "z/", "tmp/"]],
        beside: &[&["build.zig"]],
        folders: Some(&["o", "h", "z", "tmp", "b", "c"]),
        ..NONE
    },
    Producer {
        names: &[".stack-work"],
        inside: &[&["stack.sqlite3", "install/", "dist/"]],
        beside: &[&["stack.yaml", "*.cabal", "package.yaml"]],
        writes: &[
            "stack.sqlite3",
            "stack.sqlite3.pantry-write-lock",
            "stack.sqlite3-*",
        ],
        ..NONE
    },
    Producer {
        names: &["dist-newstyle"],
        inside: &[&["cache/plan.json"]],
        beside: &[&["cabal.project", "*.cabal"]],
        folders: Some(&["build", "cache", "packagedb", "tmp", "src", "sdist"]),
        ..NONE
    },
    Producer {
        names: &[".direnv"],
        inside: &[&["flake-inputs/", "python-*/", "flake-profile*.rc"]],
        beside: &[&[".envrc"]],
        writes: &[TAG, "flake-profile*.rc"],
        folders: Some(&[
            "bin",
            "flake-inputs",
            "python-3",
            "python-3.8",
            "python-3.9",
            "python-3.10",
            "python-3.11",
            "python-3.12",
            "python-3.13",
            "python-3.14",
        ]),
        links: &["flake-profile*", "nix-profile*"],
        packages: &["*/lib/*/site-packages/*"],
        ..NONE
    },
    // `.devenv/state` holds databases.
    Producer {
        names: &[".devenv"],
        inside: &[&["gc/", "nix-eval-cache.db"]],
        beside: &[&["devenv.nix"]],
        writes: &[
            "nix-eval-cache.db*",
            "*.json",
            "tasks.db*",
            "load-exports",
            "imports.txt",
            "input-paths.txt",
        ],
        folders: Some(&["gc"]),
        links: &["profile", "run", "gc"],
        ..NONE
    },
    Producer {
        names: &[".dart_tool"],
        inside: &[&["package_config.json"]],
        beside: &[&["pubspec.yaml"]],
        writes: &[
            "package_config.json",
            "package_config_subset",
            "package_graph.json",
            "version",
        ],
        ..NONE
    },
    Producer {
        names: &[".godot"],
        inside: &[&["uid_cache.bin", "global_script_class_cache.cfg"]],
        beside: &[&["project.godot"]],
        writes: &["uid_cache.bin", "*.cfg", ".gdignore"],
        folders: Some(&["imported", "shader_cache", "exported", "mono"]),
        ..NONE
    },
    Producer {
        names: &["Library"],
        inside: &[&["ArtifactDB"], &["SourceAssetDB"]],
        beside: &[&["ProjectSettings/ProjectVersion.txt"]],
        writes: &[
            "ArtifactDB*",
            "SourceAssetDB*",
            "*.asset",
            "*.json",
            "*.db",
            "*.info",
            "expectedShaderCacheSize",
        ],
        packages: &["PackageCache/*"],
        ..NONE
    },
];
