//! Words for a shell, so that a command that is shown can be pasted.

use super::escape::is_invisible;

/// One word of a POSIX shell; control characters, and marks that hide or turn text around, are
/// written as bash, zsh, and ksh read them (`$'...'`). Bytes that are not UTF-8 cannot be shown and typed again, and come out as the
/// replacement character.
pub fn shell_word(word: &[u8]) -> String {
    let word = String::from_utf8_lossy(word);
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    if word.chars().any(is_hidden) {
        return format!("$'{}'", word.chars().map(ansi_c).collect::<String>());
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn is_hidden(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

/// One character in the quoting of `$'...'`.
fn ansi_c(c: char) -> String {
    match c {
        '\\' | '\'' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        c if is_hidden(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn a_path_is_one_word_for_the_shell() {
        assert_eq!(shell_word(b"/a/b-c"), "/a/b-c");
        assert_eq!(shell_word(b"/a b"), "'/a b'");
        assert_eq!(shell_word(b"/it's"), "'/it'\\''s'");
        assert_eq!(shell_word(b"/a\nb"), "$'/a\\nb'");
        assert_eq!(shell_word("/a\u{202e}b".as_bytes()), "$'/a\\u202eb'");
        assert_eq!(shell_word(b"/\x1b[1m\\'"), "$'/\\u001b[1m\\\\\\''");
    }
}
