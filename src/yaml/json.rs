//! JSON is YAML, but for one habit of it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The same text, with every escaped surrogate pair of JSON (`\ud83e\udd89`) as the one escape that
/// YAML has for it (`\U0001f989`). A text that is not JSON is left alone; places move by two columns
/// after each.
pub fn json_to_yaml(text: &str) -> Cow<'_, str> {
    let has_pair = text.contains("\\ud") || text.contains("\\uD");
    if !has_pair || serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        if let (Some(high), Some(low)) = (unit(escape, 0), unit(escape, 6))
            && let Some(Ok(c)) = char::decode_utf16([high, low]).next()
            && u32::from(c) > 0xffff
        {
            write!(out, "\\U{:08x}", u32::from(c))
                .expect("because writing to a string cannot fail");
            rest = &escape[12..];
        } else {
            // A backslash and what it escapes, so that the second of two begins nothing.
            let taken = escape
                .char_indices()
                .nth(2)
                .map_or(escape.len(), |(at, _)| at);
            out.push_str(&escape[..taken]);
            rest = &escape[taken..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The UTF-16 unit of the escape at that place.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::json_to_yaml;

    #[test]
    fn pairs_become_one_and_nothing_else_changes() {
        assert_eq!(json_to_yaml(r#"["a\ud83e\uDD89b"]"#), r#"["a\U0001f989b"]"#);
        for same in [
            r#"["\\ud83e\\udd89"]"#,
            r#"["\u00e9\u0041"]"#,
            r"- '\ud83e\udd89'",
            r#"["plain"]"#,
        ] {
            assert_eq!(json_to_yaml(same), same);
        }
    }
}
