//! The text of a source that is no ledger: a file, or what a program prints.

use crate::git::Git;
use crate::job::MOST_BYTES;
use crate::observe::ObserveError;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// How long a program may take: an apply asks it again before each row.
const LIMIT: Duration = Duration::from_secs(30);

/// What the program prints; an error says why it counts as not asked.
pub(super) fn printed(git: &Git, words: &[String]) -> Result<Vec<u8>, String> {
    let answer = git.ask_program(words, LIMIT, MOST_BYTES);
    answer.map_err(|why| told(&why))
}

/// What is in the file, which must be there, and be a file: a FIFO would never end.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    contents(path).map_err(|why| why.to_string())
}

fn contents(path: &Path) -> Result<Vec<u8>, ObserveError> {
    let failed = |why| ObserveError::read(path, why);
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(ObserveError::malformed(path, "is not a regular file"));
    }
    let mut bytes = Vec::new();
    // One byte more than is read, so that the parser says that it is too large.
    let most = MOST_BYTES as u64 + 1;
    let file = File::open(path).map_err(failed)?;
    file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// An error with its cause.
fn told(why: &dyn std::error::Error) -> String {
    match why.source() {
        Some(cause) => format!("{why}: {cause}"),
        None => why.to_string(),
    }
}
