//! The second half of the table: build systems, and other languages and platforms.

use super::{NONE, TAG};
use crate::observe::ignored::producer::{Check, Producer};
use crate::observe::ignored::roster::Record;

/// Their rows.
pub(super) const BUILT: &[Producer] = &[
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
        // The directories mirror those of the source; CMake leaves its files in each.
        folders: Some(&["CMakeFiles", "Testing", ".cmake", "_deps"]),
        marks: &["CMakeFiles/", "cmake_install.cmake"],
        packages: &["_deps/*"],
        record: Some(Record::Cmake),
        ..NONE
    },
    Producer {
        names: &["*"],
        inside: &[&["meson-private/coredata.dat"], &["meson-info/"]],
        beside: &[&["meson.build"]],
        writes: &[
            TAG,
            "build.ninja",
            ".ninja_log",
            ".ninja_deps",
            "compile_commands.json",
            ".gitignore",
            ".hgignore",
            "meson.build",
        ],
        folders: Some(&["meson-*", "*.p", "subprojects"]),
        record: Some(Record::Meson),
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
        // One a version of Gradle, and what it shares between them or keeps for a user.
        folders: Some(&[
            "1*",
            "2*",
            "3*",
            "4*",
            "5*",
            "6*",
            "7*",
            "8*",
            "9*",
            "buildOutputCleanup",
            "caches",
            "checksums",
            "configuration-cache",
            "daemon",
            "jdks",
            "kotlin",
            "nb-cache",
            "native",
            "noVersion",
            "notifications",
            "vcs-*",
            "vcsWorkingDirs",
            "workers",
            "wrapper",
        ]),
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
        record: Some(Record::DotNet),
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
        // The last two are written by plugins of Symfony and CakePHP.
        writes: &[
            "autoload.php",
            "autoload_runtime.php",
            "cakephp-plugins.php",
        ],
        packages: &["*/*"],
        manifest: Some(b"composer.json"),
        record: Some(Record::Composer),
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
        record: Some(Record::Mix),
        ..NONE
    },
    Producer {
        names: &["deps"],
        inside: &[&["*/.hex"]],
        beside: &[&["mix.exs"], &["mix.lock"]],
        // Each package brings its own; a checkout is a repository inside.
        folders: Some(&[]),
        marks: &[".hex"],
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
        folders: Some(&[
            "flutter_build",
            "build",
            "pub",
            "test",
            "dartpad",
            "extension_discovery",
            "chrome-device",
        ]),
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
