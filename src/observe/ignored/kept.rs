//! Names that a person keeps, whatever directory they lie in (`ecosystem 5c`).
//!
//! They matter only inside a directory that is otherwise proven rebuildable: everywhere else a
//! name proves nothing, and an ignored file holds anyway. Names are compared in whatever case, and
//! every list is in lower case.

use super::documents::DOCUMENTS;
use super::pattern::any_case as any;

/// Environment files that are meant to be published, with nothing secret in them.
const SAMPLES: &[&str] = &[
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.defaults",
    ".env.schema",
];

/// What `id_*` files of programs end in: nobody calls a key `id_token.js`.
const CODE: &[&str] = &[
    "*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx", "*.map", "*.py", "*.pyc",
    "*.pyi", "*.pyo", "*.rs", "*.rb", "*.go", "*.c", "*.h", "*.cc", "*.cpp", "*.hpp", "*.o", "*.d",
    "*.php",
];

/// Keys, and files that hold credentials or the state of something real.
const KEYS: &[&str] = &[
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.kdbx",
    "*.ppk",
    "*.jks",
    "*.keystore",
    "credentials*",
    ".npmrc",
    ".pypirc",
    ".netrc",
    ".vault*",
    "*.tfvars",
    "terraform.tfstate*",
];

/// Directories that are never proven by a tag or a producer around them: what they hold was found
/// or written by somebody (`ecosystem 5b`: `.hypothesis`, and the last row).
const DIRECTORIES: &[&str] = &[
    ".hypothesis",
    ".ipynb_checkpoints",
    ".dvc",
    ".mlruns",
    "mlruns",
    "outputs",
    "terraform.tfstate.d",
    ".claude",
    ".coding-owl",
    ".symphony",
    ".zensu",
];

/// Text that people write for people.
const PROSE: &[&str] = &[
    "*.md",
    "*.markdown",
    "*.mdx",
    "*.txt",
    "*.rst",
    "*.adoc",
    "*.asciidoc",
    "*.org",
    "*.rtf",
    "*.pdf",
    "*.eml",
];

/// Prose that programs put beside what they write.
const LICENCES: &[&str] = &["license", "licence", "copyright", "notice"];

/// What a person works on, by an ending that no build output of the table has: tables, databases,
/// papers, and patches. Held below a producer's directory, too.
const WORK: &[&str] = &[
    "*.csv",
    "*.tsv",
    "*.xls",
    "*.xlsx",
    "*.ods",
    "*.doc",
    "*.docx",
    "*.odt",
    "*.ppt",
    "*.pptx",
    "*.tex",
    "*.bib",
    "*.org",
    "*.ipynb",
    "*.sqlite",
    "*.sqlite3",
    "*.sqlite-wal",
    "*.db",
    "*.db-wal",
    "*.dump",
    "*.patch",
    "*.diff",
    "*.bundle",
    "*.stash",
    "*.bak",
    "*.orig",
    "*.env",
];

/// Databases of build tools, which are made anew.
const BUILD_DATABASES: &[&str] = &["build.db", "cache.db", "xcbuilddata*"];

/// A file that a person works on, wherever it lies.
pub(super) fn is_work(name: &[u8]) -> bool {
    any(WORK, name) && !any(BUILD_DATABASES, name)
}

/// An `.env*` or an `id_*` file: held anywhere.
pub(super) fn is_secret(name: &[u8]) -> bool {
    let environment = any(&[".env*"], name) && !any(SAMPLES, name);
    environment || (any(&["id_*"], name) && !any(CODE, name))
}

/// An `id_*` file that may as well be something else, such as the locale `id_ID`, if the record of
/// a package names it. An environment file is filled in by people, whoever brought it.
pub(super) fn is_key_by_chance(name: &[u8]) -> bool {
    any(&["id_*"], name) && is_secret(name)
}

/// Another key file: held outside an installed package, which may ship certificates of its own.
pub(super) fn is_key(name: &[u8]) -> bool {
    any(KEYS, name)
}

fn is_licence(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let has = |word: &&str| name.windows(word.len()).any(|part| part == word.as_bytes());
    LICENCES.iter().any(has)
}

/// Text that a person may have put where a producer writes none.
pub(super) fn is_prose(name: &[u8]) -> bool {
    any(PROSE, name) && !is_licence(name)
}

/// A directory whose content no producer around it vouches for.
pub(super) fn is_kept_directory(name: &[u8]) -> bool {
    any(DIRECTORIES, name)
}

/// A file that a person may have put into a cache whose producer owl does not know.
pub(super) fn is_document(name: &[u8]) -> bool {
    any(DOCUMENTS, name)
}

#[cfg(test)]
mod tests {
    use super::{BUILD_DATABASES, CODE, DIRECTORIES, DOCUMENTS, KEYS, SAMPLES, WORK, is_secret};

    #[test]
    fn the_lists_are_in_lower_case() {
        for list in [
            SAMPLES,
            CODE,
            KEYS,
            DIRECTORIES,
            DOCUMENTS,
            WORK,
            BUILD_DATABASES,
        ] {
            for pattern in list {
                assert_eq!(*pattern, pattern.to_ascii_lowercase());
            }
        }
    }

    #[test]
    fn secrets_by_name() {
        for name in [
            ".env",
            ".ENV",
            ".env.local",
            ".envrc",
            "id_rsa",
            "id_work",
            "ID_RSA",
            "id_ed25519.pub",
        ] {
            assert!(is_secret(name.as_bytes()), "{name}");
        }
        for name in [".env.example", "id_token.js", "env", "identity", ".npmrc"] {
            assert!(!is_secret(name.as_bytes()), "{name}");
        }
    }
}
