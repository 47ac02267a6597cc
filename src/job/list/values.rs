//! Single values of a job list.

use crate::diag::{Code, Sink};
use crate::resource::BytePath;
use crate::yaml::Level;
use crate::yaml::Support::Built;
use crate::yaml::fields::Fields;
use crate::yaml::node::{Kind, Node};
use jiff::Timestamp;
use std::fmt::Write as _;

const HEX: Level = Level {
    what: "a path in hexadecimal digits",
    keys: &[("bytes_hex", Built)],
    extras: false,
};

/// A text that is not empty.
pub(super) fn text(node: &Node, what: &str, sink: &mut Sink<'_>) -> Option<String> {
    let text = node.text(what, sink)?;
    if text.is_empty() {
        sink.error(Code::BadValue, node.at, format!("{what} is empty"));
        return None;
    }
    Some(text.to_owned())
}

/// A path or a branch.
pub(super) fn bytes(node: &Node, what: &str, sink: &mut Sink<'_>) -> Option<BytePath> {
    let path = if matches!(node.kind, Kind::Map(_)) {
        let digits = Fields::read(node, &HEX, sink)?.require("bytes_hex", "\"ff\"", sink)?;
        // Only digits: whether a plain scalar counts as a number does not matter here.
        let path = digits.spelling().and_then(BytePath::from_hex);
        if path.is_none() {
            let message = "`bytes_hex` must be an even number of hexadecimal digits";
            sink.error(Code::BadValue, digits.at, message);
        }
        path?
    } else {
        BytePath::from_bytes(node.text(what, sink)?.as_bytes())
    };
    if path.as_bytes().is_empty() || path.as_bytes().contains(&0) {
        sink.error(
            Code::BadValue,
            node.at,
            format!("{what} is empty or has a NUL byte"),
        );
        return None;
    }
    Some(path)
}

/// A moment, in UTC or with an offset.
pub(super) fn time(node: &Node, what: &str, sink: &mut Sink<'_>) -> Option<Timestamp> {
    let time = node.text(what, sink)?.parse().ok();
    if time.is_none() {
        let hint = "write it as in 2026-11-30T02:00:00Z";
        sink.error_with_hint(Code::BadValue, node.at, format!("{what} is no time"), hint);
    }
    time
}

/// A whole number of any size that fits.
pub(super) fn number<T: TryFrom<usize>>(node: &Node, what: &str, sink: &mut Sink<'_>) -> Option<T> {
    let count = node.count(what, sink)?;
    let number = T::try_from(count).ok();
    if number.is_none() {
        sink.error(Code::BadValue, node.at, format!("{what} is too large"));
    }
    number
}

/// The JSON with every character that YAML or a terminal could take amiss as an escape.
pub(super) fn printable(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        let is_odd = matches!(c, '\u{7f}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}')
            || u32::from(c) & 0xfffe == 0xfffe;
        if is_odd {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("because writing to a string cannot fail");
            }
        } else {
            out.push(c);
        }
    }
    out
}
