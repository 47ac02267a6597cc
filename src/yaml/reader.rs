//! Text to tree; the only file that knows the YAML crate.
//!
//! The tree is built from the crate's events and not through serde, because serde stops at the
//! first error, forgets how a scalar was spelt, and loses places in flattened and tagged types.
//! Invariants: the work is bounded by the [`Document`], aliases included; every error of
//! shape is reported, and the first error of syntax, after which nothing can be read.

use super::node::{Entry, Kind, Node};
use crate::diag::{Code, Sink, Span};
use serde_yaml::granit_parser::{self, Event, Options, Parser, ScalarStyle, ScanError, StrInput};
use std::collections::HashMap;

/// What a text should be, and how large it may grow.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// What it is, without an article, such as `policy`.
    pub what: &'static str,
    /// The most values that it may have, each copy that an alias makes included.
    pub nodes: usize,
    /// The deepest nesting.
    pub depth: usize,
}

/// Reads the one document of a text; `None` after an error that makes the rest unreadable.
pub fn read<'text>(document: Document, text: &'text str, sink: &mut Sink<'text>) -> Option<Node> {
    let mut options = Options::default();
    options.emit_unresolved_aliases = true;
    let mut reader = Reader {
        parser: Parser::new_from_str_with_options(text, options),
        anchors: HashMap::new(),
        left: document.nodes,
        depth: 0,
        document,
        sink,
    };
    let (mut event, mut at) = reader.next()?;
    while matches!(event, Event::StreamStart | Event::DocumentStart(..)) {
        (event, at) = reader.next()?;
    }
    if matches!(event, Event::StreamEnd) {
        let (at, text) = (Span::START, String::new());
        let kind = Kind::Scalar { text, plain: true };
        return Some(Node { at, kind });
    }
    let root = reader.node(event, at)?;
    loop {
        let (event, at) = reader.next()?;
        if matches!(event, Event::StreamEnd) {
            return Some(root);
        }
        if matches!(event, Event::DocumentStart(..)) {
            let message = "a second document begins here";
            let hint = format!("a {} is one document; remove this line", document.what);
            let sink = reader.sink;
            sink.error_with_hint(Code::YamlFeature, at, message, hint);
            return None;
        }
    }
}

struct Reader<'run, 'text> {
    parser: Parser<'text, StrInput<'text>>,
    anchors: HashMap<usize, Node>,
    left: usize,
    depth: usize,
    document: Document,
    sink: &'run mut Sink<'text>,
}

impl<'text> Reader<'_, 'text> {
    fn next(&mut self) -> Option<(Event<'text>, Span)> {
        match self.parser.next_event()? {
            Ok((event, at)) => Some((event, span(at))),
            Err(error) => {
                let (at, message) = syntax(&error);
                self.sink.error(Code::Syntax, at, message);
                None
            }
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the crate may add events, and none but these is a node"
    )]
    fn node(&mut self, event: Event<'text>, at: Span) -> Option<Node> {
        self.spend(1, at)?;
        let (anchor, tag, kind) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = matches!(style, ScalarStyle::Plain);
                let text = text.into_owned();
                (anchor, tag, Kind::Scalar { text, plain })
            }
            Event::SequenceStart(_, anchor, tag) => (anchor, tag, self.nested(at, Self::list)?),
            Event::MappingStart(_, anchor, tag) => (anchor, tag, self.nested(at, Self::map)?),
            Event::Alias(anchor) => return self.alias(anchor, at),
            Event::UnresolvedAlias(name) => {
                let message = format!("`*{name}` refers to an anchor that is not defined above");
                let hint = format!("a glob that begins with `*` needs quotes: \"*{name}\"");
                self.sink
                    .error_with_hint(Code::YamlFeature, at, message, hint);
                let kind = Kind::Refused;
                return Some(Node { at, kind });
            }
            _ => {
                self.sink.error(Code::Syntax, at, "this is not YAML");
                return None;
            }
        };
        if let Some(tag) = tag {
            let message = format!(
                "the tag `{}` is not allowed in a {}",
                tag.original(),
                self.document.what
            );
            let hint = "text that begins with `!` needs quotes";
            self.sink
                .error_with_hint(Code::YamlFeature, at, message, hint);
        }
        let node = Node { at, kind };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Some(node)
    }

    /// Counts nodes against the budget, before anything is allocated for them.
    fn spend(&mut self, nodes: usize, at: Span) -> Option<()> {
        let left = self.left.checked_sub(nodes);
        if let Some(left) = left {
            self.left = left;
            return Some(());
        }
        let message = format!(
            "the {} has more than {} values, aliases followed",
            self.document.what, self.document.nodes
        );
        self.sink.error(Code::TooComplex, at, message);
        None
    }

    fn nested(&mut self, at: Span, read: fn(&mut Self) -> Option<Kind>) -> Option<Kind> {
        if self.depth == self.document.depth {
            let message = format!(
                "the {} is nested more than {} levels deep",
                self.document.what, self.document.depth
            );
            self.sink.error(Code::TooComplex, at, message);
            return None;
        }
        self.depth += 1;
        let kind = read(self);
        self.depth -= 1;
        kind
    }

    fn list(&mut self) -> Option<Kind> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Some(Kind::List(items)),
                (event, at) => items.push(self.node(event, at)?),
            }
        }
    }

    fn map(&mut self) -> Option<Kind> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut lines: HashMap<String, usize> = HashMap::new();
        let mut is_sound = true;
        loop {
            let (event, at) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                let kind = Kind::Map(entries);
                return Some(if is_sound { kind } else { Kind::Refused });
            }
            let key = self.node(event, at)?;
            let (event, value_at) = self.next()?;
            let value = self.node(event, value_at)?;
            let Some(key) = self.key(key, at) else {
                is_sound = false;
                continue;
            };
            if let Some(first) = lines.insert(key.clone(), at.line) {
                let message = format!("`{key}` stands twice here, first in line {first}");
                self.sink.error(Code::DuplicateKey, at, message);
            } else {
                entries.push(Entry { key, at, value });
            }
        }
    }

    fn key(&mut self, key: Node, at: Span) -> Option<String> {
        let (message, hint) = match key.kind {
            Kind::Scalar { text, .. } if text != "<<" => return Some(text),
            Kind::Scalar { .. } => (
                format!(
                    "merge keys (`<<`) are not allowed in a {}",
                    self.document.what
                ),
                "use an alias for the whole value: `key: *name`",
            ),
            Kind::List(_) | Kind::Map(_) => {
                ("a key must be a word".to_owned(), "write `key: value`")
            }
            Kind::Refused => return None,
        };
        let sink = &mut *self.sink;
        sink.error_with_hint(Code::YamlFeature, at, message, hint);
        None
    }

    fn alias(&mut self, anchor: usize, at: Span) -> Option<Node> {
        let Some(size) = self.anchors.get(&anchor).map(Node::size) else {
            self.sink.error(
                Code::YamlFeature,
                at,
                "this alias refers to a value around itself",
            );
            return None;
        };
        self.spend(size, at)?;
        self.anchors.get(&anchor).cloned()
    }
}

fn span(at: granit_parser::Span) -> Span {
    let start = place(at.start);
    let end = at.end.byte_offset();
    let len = end.map_or(0, |end| end.saturating_sub(start.offset));
    Span { len, ..start }
}

fn place(at: granit_parser::Marker) -> Span {
    Span {
        line: at.line().max(1),
        column: at.col() + 1,
        offset: at.byte_offset().map_or(0, |offset| offset),
        len: 0,
    }
}

fn syntax(error: &ScanError) -> (Span, String) {
    (
        place(*error.marker()),
        format!("this is not YAML: {}", error.info()),
    )
}
