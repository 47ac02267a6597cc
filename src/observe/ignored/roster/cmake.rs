//! Which programs and libraries were linked right into the directory that `CMake` has set up.

use super::{Roster, folder_in, names_in, text_of};
use crate::observe::ignored::Level;
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

/// What `ar` is called with to make an archive.
const ARCHIVES: [&str; 4] = ["qc", "cr", "rc", "crs"];

/// Reads Ninja's log of what it has built, and the commands that make links with.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let mut built = BTreeSet::new();
    let text = |text: Option<Vec<u8>>| {
        text.map_or_else(String::new, |text| {
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    built.extend(logged(&text(text_of(level.handle(), b".ninja_log")?)));
    if let Some(files) = folder_in(level.handle(), b"CMakeFiles")? {
        for name in names_in(&files)? {
            if name.as_bytes().ends_with(b".dir")
                && let Some(target) = folder_in(&files, name.as_bytes())?
            {
                built.extend(linked(&text(text_of(&target, b"link.txt")?)));
            }
        }
    }
    Ok(Some(Roster {
        built: built.into_iter().filter(is_direct).collect(),
        ..Roster::default()
    }))
}

/// The outputs in Ninja's log: the fourth column of each line.
fn logged(log: &str) -> Vec<OsString> {
    let entries = log.lines().filter(|line| !line.starts_with('#'));
    entries
        .filter_map(|line| line.split('\t').nth(3).map(OsString::from))
        .collect()
}

/// The outputs of a list of commands: the word after `-o`, or after what `ar` is called with.
fn linked(commands: &str) -> Vec<OsString> {
    let mut outputs = Vec::new();
    for line in commands.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let pairs = words.windows(2).enumerate();
        let outcome = pairs.filter(|(at, pair)| {
            pair[0] == "-o" || (*at == 1 && words[0].ends_with("ar") && ARCHIVES.contains(&pair[0]))
        });
        outputs.extend(outcome.map(|(_, pair)| pair[1].trim_matches('"').into()));
    }
    outputs
}

fn is_direct(name: &OsString) -> bool {
    let name = name.as_bytes();
    !name.is_empty() && !name.contains(&b'/') && name != b".."
}

#[cfg(test)]
mod tests {
    use super::{linked, logged};

    #[test]
    fn what_was_built() {
        let log = "# ninja log v7\n1\t2\t3\tCMakeFiles/a.dir/a.c.o\tx\n1\t2\t3\ta\ty\n1\t2\n";
        assert_eq!(logged(log), ["CMakeFiles/a.dir/a.c.o", "a"]);
        let commands =
            "/usr/bin/cc -g a.o -o a  -lm\n/usr/bin/ar qc libb.a b.o\n/usr/bin/ranlib libb.a\n-o\n";
        assert_eq!(linked(commands), ["a", "libb.a"]);
    }
}
