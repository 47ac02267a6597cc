//! Text from the world, made safe for a terminal (`spec 11`, A2.8).

/// Escapes control characters, line and bidirectional marks, and bytes that are not UTF-8, so that
/// a branch or directory name can neither move the cursor nor forge a second line.
pub fn escape(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\\' || c.is_control() || is_invisible(c) {
                out.extend(c.escape_default());
            } else {
                out.push(c);
            }
        }
        for byte in chunk.invalid() {
            out.extend(format!("\\x{byte:02x}").chars());
        }
    }
    out
}

/// Separators and marks that change how the text around them is laid out or hide in it.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_from_the_world_reaches_the_terminal_raw() {
        assert_eq!(escape(b"a\x1b[31mb"), "a\\u{1b}[31mb");
        assert_eq!(escape("a\nb\u{202e}c".as_bytes()), "a\\nb\\u{202e}c");
        assert_eq!(escape(b"\xff\\"), "\\xff\\\\");
        assert_eq!(escape("agent-🦉 ü".as_bytes()), "agent-🦉 ü");
    }
}
