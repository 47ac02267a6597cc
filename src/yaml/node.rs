//! A YAML document as a tree in which everything knows its place.

use crate::diag::{Code, Sink, Span};

/// One value of the document.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stands; for an alias, where the anchored value stands.
    pub at: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Text, number, boolean, or nothing.
    Scalar {
        /// The value as it is spelt, quotes and escapes resolved.
        text: String,
        /// Whether it stands without quotes, so that its type follows from its spelling.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order of the text; no key stands twice.
    Map(Vec<Entry>),
    /// A value that was refused, and the error reported; nothing more is said of it.
    Refused,
}

/// One entry of a mapping.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub at: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The entries of a mapping.
    pub fn entries(&self, what: &str, sink: &mut Sink<'_>) -> Option<&[Entry]> {
        if let Kind::Map(entries) = &self.kind {
            return Some(entries);
        }
        self.refuse(&format!("{what} must be a mapping"), None, sink);
        None
    }

    /// The items of a list.
    pub fn items(&self, what: &str, sink: &mut Sink<'_>) -> Option<&[Node]> {
        if let Kind::List(items) = &self.kind {
            return Some(items);
        }
        self.refuse(&format!("{what} must be a list"), None, sink);
        None
    }

    /// A text; whatever another reader of YAML could take for a number, a boolean or nothing is
    /// refused, so that a policy means the same to everybody.
    pub fn text(&self, what: &str, sink: &mut Sink<'_>) -> Option<&str> {
        if let Kind::Scalar { text, plain } = &self.kind {
            if !plain || type_of(text) == "text" {
                return Some(text);
            }
            let hint = (!is_nothing(text)).then(|| format!("write \"{text}\", with quotes"));
            self.refuse(&format!("{what} must be text"), hint, sink);
        } else {
            self.refuse(&format!("{what} must be text"), None, sink);
        }
        None
    }

    /// A boolean: `true` or `false` and no other spelling.
    pub fn boolean(&self, what: &str, sink: &mut Sink<'_>) -> Option<bool> {
        match self.plain() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(_) | None => {
                let hint = Some("write true or false, without quotes".to_owned());
                self.refuse(&format!("{what} must be true or false"), hint, sink);
                None
            }
        }
    }

    /// A whole number that is not negative, in decimal digits.
    pub fn count(&self, what: &str, sink: &mut Sink<'_>) -> Option<usize> {
        let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let count = self
            .plain()
            .filter(digits)
            .and_then(|text| text.parse().ok());
        if count.is_none() {
            let hint = Some("write it in digits, such as 200".to_owned());
            self.refuse(&format!("{what} must be a whole number"), hint, sink);
        }
        count
    }

    /// The spelling of a scalar, whatever its type.
    pub fn spelling(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            Kind::List(_) | Kind::Map(_) | Kind::Refused => None,
        }
    }

    /// Whether nothing is written where a value belongs.
    pub fn is_nothing(&self) -> bool {
        self.plain().is_some_and(is_nothing)
    }

    /// Whether it is a list of nothing.
    pub fn is_empty_list(&self) -> bool {
        matches!(&self.kind, Kind::List(items) if items.is_empty())
    }

    /// Adds an error of type about this node, saying what stands there instead.
    pub fn refuse(&self, message: &str, hint: Option<String>, sink: &mut Sink<'_>) {
        let Some(found) = self.described() else {
            return;
        };
        let message = format!("{message}, but {found} stands here");
        match hint {
            Some(hint) => sink.error_with_hint(Code::WrongType, self.at, message, hint),
            None => sink.error(Code::WrongType, self.at, message),
        }
    }

    fn plain(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, plain } => plain.then_some(text),
            Kind::List(_) | Kind::Map(_) | Kind::Refused => None,
        }
    }

    fn described(&self) -> Option<String> {
        Some(match &self.kind {
            Kind::Scalar { text, plain: false } => format!("the text \"{text}\""),
            Kind::Scalar { text, .. } if is_nothing(text) => "nothing".to_owned(),
            Kind::Scalar { text, .. } => format!("the {} `{text}`", type_of(text)),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a mapping".to_owned(),
            Kind::Refused => return None,
        })
    }

    /// The number of values in this one, itself included.
    pub fn size(&self) -> usize {
        1 + match &self.kind {
            Kind::Scalar { .. } | Kind::Refused => 0,
            Kind::List(items) => items.iter().map(Self::size).sum(),
            Kind::Map(entries) => entries.iter().map(|entry| 1 + entry.value.size()).sum(),
        }
    }
}

fn is_nothing(plain: &str) -> bool {
    matches!(plain, "" | "~" | "null" | "Null" | "NULL")
}

/// The type that the core schema of YAML gives to a scalar without quotes.
fn type_of(plain: &str) -> &'static str {
    let unsigned = plain.trim_start_matches(['+', '-']);
    if is_nothing(plain) {
        "null"
    } else if matches!(
        plain,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
    ) {
        "boolean"
    } else if (unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.parse::<f64>().is_ok())
        || is_radix(unsigned)
    {
        "number"
    } else {
        "text"
    }
}

fn is_radix(unsigned: &str) -> bool {
    let digits = |prefix: &str, radix| {
        let rest = unsigned
            .strip_prefix(prefix)
            .filter(|rest| !rest.is_empty());
        rest.is_some_and(|rest| rest.chars().all(|c| c.is_digit(radix)))
    };
    digits("0x", 16) || digits("0o", 8)
}
