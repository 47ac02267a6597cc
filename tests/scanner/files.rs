//! Random names, contents and ignore files.

use crate::random::Random;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Names of files and directories: few, so that rules meet them, and some that nobody expects.
const NAMES: &[&[u8]] = &[
    b"a",
    b"b",
    b"c",
    b"foo",
    b"bar",
    b"foo.o",
    b"bar.o",
    b"x.log",
    b"y.log",
    b"build",
    b"out",
    b"foo-bar",
    b"foo.bar",
    b"Foo",
    b"a b",
    b"trail ",
    b"#x",
    b"!y",
    b"-d",
    b"$z",
    b"\xc3\xa9",
    b"n\nl",
    b"\xff\xfe",
    b"[a]",
    b"back\\slash",
    b"*",
    b"tab\t",
    b"cr\r",
    b".env",
    b"target",
    b"+/v8",
];

const LINES: &[&[u8]] = &[
    b"*.o",
    b"*.log",
    b"build/",
    b"out/",
    b"/build",
    b"/foo",
    b"foo/",
    b"foo",
    b"a",
    b"b/",
    b"target/",
    b"foo/bar",
    b"foo/*",
    b"/foo/**",
    b"**/bar",
    b"a/**/b",
    b"a/**",
    b"**",
    b"/*",
    b"*",
    b"*/",
    b"!*/",
    b"f*",
    b"?",
    b"??",
    b"[ab]",
    b"[!ab]",
    b"[a-c]",
    b"*.[ol]",
    b"foo.*",
    b"\\#x",
    b"\\!y",
    b"#x",
    b"!y",
    b"$z",
    b"\\$z",
    b"trail ",
    b"trail\\ ",
    b"a b",
    b"\xc3\xa9",
    b"\xff\xfe",
    b"-d",
    b"back\\\\slash",
    b"\\*",
    b"[[]a]",
    b"\\[a\\]",
    b"tab\t",
    b"cr\r",
    b"+/v8",
    b"",
    b"   ",
    b"# words",
    b"\t",
    b"!",
    b"/",
    b"//",
    b"!/",
    b"a//b",
    b"a**",
    b"***",
    b"**o",
    b"[[:alpha:]]*",
    b"[a-",
    b"[]a]",
    b"\\",
    b"foo\\",
    b"x\0y",
    b"Foo",
    b"foo/bar/",
    b"*/bar",
    b"/*/b",
    b"a/*/",
    b"foo*bar",
    b"**/",
    b"/**/a",
    b"!foo",
    b"!*.o",
    b"!/foo/bar",
    b"!build/",
    b"!a/**",
    b"!*.log",
    b"!**/b",
    b"!?",
    b"!out/*",
    b"!\\#x",
    b"!trail\\ ",
    b"!/*",
    b"!f*",
];

/// A name.
pub(crate) fn name(random: &mut Random) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(random.pick(NAMES)))
}

/// A path of one to three names.
pub(crate) fn path(random: &mut Random) -> PathBuf {
    (0..=random.below(3)).map(|_| name(random)).collect()
}

/// Some bytes.
pub(crate) fn content(random: &mut Random) -> Vec<u8> {
    let length = random.below(40);
    (0..length).map(|_| b"ab\n"[random.below(3)]).collect()
}

/// An ignore file; every third one has a line that is rare.
pub(crate) fn ignore(random: &mut Random) -> Vec<u8> {
    let end: &[u8] = if random.one_in(6) { b"\r\n" } else { b"\n" };
    let mut text = Vec::new();
    match random.below(24) {
        0 => text.extend_from_slice(b"\xef\xbb\xbf"),
        1 => text.extend_from_slice(b"\xfe\xff"),
        _ => {}
    }
    let odd = random.one_in(8);
    if random.one_in(2) {
        text.extend_from_slice(random.pick(&[&b"*.o"[..], b"*.log", b"build/", b"out/", b"foo*"]));
        text.extend_from_slice(end);
    }
    for _ in 0..=random.below(5) {
        let line = random.pick(LINES);
        if is_odd(line) && !odd {
            continue;
        }
        if random.one_in(5) && !line.starts_with(b"!") {
            text.push(b'!');
        }
        text.extend_from_slice(line);
        text.extend_from_slice(end);
    }
    if random.one_in(6) {
        text.pop();
    }
    text
}

/// What the scanner leaves to git on purpose.
fn is_odd(line: &[u8]) -> bool {
    let odd: [&[u8]; 15] = [
        b"\t",
        b"//",
        b"a//b",
        b"a**",
        b"***",
        b"**o",
        b"[[:alpha:]]*",
        b"[a-",
        b"[]a]",
        b"\\",
        b"foo\\",
        b"x\0y",
        b"[[]a]",
        b"tab\t",
        b"/",
    ];
    odd.contains(&line)
}
