//! What the table says of one key.

use crate::yaml::Keys;
pub(in crate::policy) use crate::yaml::Support;

/// The keys of one kind of mapping.
#[derive(Debug)]
pub(in crate::policy) struct Level {
    /// What the mapping is, with its article.
    pub(in crate::policy) what: &'static str,
    /// Its keys.
    pub(in crate::policy) keys: &'static [Key],
    /// Whether `x-` keys are allowed, as places for anchors.
    pub(in crate::policy) extras: bool,
}

impl Keys for Level {
    fn what(&self) -> &'static str {
        self.what
    }

    fn keys(&self) -> Vec<(&'static str, Support)> {
        self.keys
            .iter()
            .map(|key| (key.name, key.support))
            .collect()
    }

    fn has_extras(&self) -> bool {
        self.extras
    }
}

/// One key.
#[derive(Debug)]
pub(in crate::policy) struct Key {
    /// The key.
    pub(in crate::policy) name: &'static str,
    /// Whether this version acts on it.
    pub(in crate::policy) support: Support,
    /// What its value is.
    pub(in crate::policy) shape: Shape,
    /// Whether the mapping needs it.
    pub(in crate::policy) required: bool,
    /// What counts where it is left out, as a policy would spell it.
    pub(in crate::policy) default: Option<&'static str>,
    /// What it means.
    pub(in crate::policy) doc: &'static str,
    /// A value, as a policy would spell it.
    pub(in crate::policy) example: &'static str,
    /// The section of the specification.
    pub(in crate::policy) rule: &'static str,
}

/// What a value is.
#[derive(Debug)]
pub(in crate::policy) enum Shape {
    /// The version of the grammar.
    Version,
    /// Text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// `30s`, `10m`, `1h`, `7d`, `4w`.
    Duration,
    /// `512B`, `10KiB`, `50MiB`, `2GiB`, `1TiB`.
    Size,
    /// `80%`.
    Share,
    /// A whole number.
    Count,
    /// One word of a closed set.
    Words(&'static [Word]),
    /// A glob, or a list of globs that is not empty.
    Patterns,
    /// A mapping.
    Map(&'static Level),
    /// A mapping whose keys are free.
    Free(&'static Shape),
    /// A list.
    List(&'static Shape),
    /// A list of at least one.
    Some(&'static Shape),
    /// One of several.
    Either(&'static [Shape]),
}

/// One word of a closed set.
#[derive(Debug)]
pub(in crate::policy) struct Word {
    /// The word.
    pub(in crate::policy) name: &'static str,
    /// Whether this version acts on it.
    pub(in crate::policy) support: Support,
    /// What it means.
    pub(in crate::policy) doc: &'static str,
}

/// A word that this version acts on.
pub(super) const fn word(name: &'static str, doc: &'static str) -> Word {
    Word {
        name,
        support: Support::Built,
        doc,
    }
}

/// A key that this version acts on.
pub(super) const fn key(
    name: &'static str,
    shape: Shape,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key {
        name,
        support: Support::Built,
        shape,
        required: false,
        default: None,
        doc,
        example,
        rule: "spec 3",
    }
}

impl Word {
    /// The same, as a word that this version refuses.
    pub(super) const fn later(mut self) -> Self {
        self.support = Support::Later;
        self
    }
}

impl Key {
    /// The same, as a key that this version refuses.
    pub(super) const fn later(mut self) -> Self {
        self.support = Support::Later;
        self
    }

    /// The same, as one that must be there.
    pub(super) const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same, with what counts where it is left out.
    pub(super) const fn default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// The same, with another section of the specification.
    pub(super) const fn rule(mut self, rule: &'static str) -> Self {
        self.rule = rule;
        self
    }
}
