//! The stable names of findings.

use std::fmt;

/// What kind of finding it is; the kebab-case name is stable and appears in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The file holds nothing.
    Empty,
    /// The file is larger than any policy is.
    TooLarge,
    /// The file is not text.
    NotUtf8,
    /// The file is not YAML.
    Syntax,
    /// The file uses a part of YAML that a policy must not use.
    YamlFeature,
    /// The file grows beyond all measure when its aliases are followed.
    TooComplex,
    /// A key stands twice in one mapping.
    DuplicateKey,
    /// `apiVersion` is missing, or of another version.
    ApiVersion,
    /// A key that owl does not know.
    UnknownKey,
    /// A word that owl does not know.
    UnknownValue,
    /// A key or word of the grammar that this version does not support.
    NotSupported,
    /// A mapping where a list belongs, a number where text belongs, and so on.
    WrongType,
    /// A key that must be there is not.
    MissingKey,
    /// A value of the right type that makes no sense.
    BadValue,
    /// A glob that cannot be parsed.
    BadGlob,
    /// Two things of one name.
    DuplicateName,
    /// A policy that came from a repository reaches beyond it.
    BeyondRepository,
    /// A condition that tests nothing.
    EmptyCondition,
    /// No store is declared, so nothing can be removed.
    NoStore,
    /// A store that ends in a name instead of a glob.
    LiteralLeaf,
    /// A rule that can never decide.
    ShadowedRule,
    /// A rule that can never hold.
    ImpossibleRule,
    /// A rule that holds for every worktree.
    SwallowsAll,
    /// A part that changes nothing.
    NoEffect,
    /// A policy that never lets anything go.
    NeverActs,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 25] = [
        Self::Empty,
        Self::TooLarge,
        Self::NotUtf8,
        Self::Syntax,
        Self::YamlFeature,
        Self::TooComplex,
        Self::DuplicateKey,
        Self::ApiVersion,
        Self::UnknownKey,
        Self::UnknownValue,
        Self::NotSupported,
        Self::WrongType,
        Self::MissingKey,
        Self::BadValue,
        Self::BadGlob,
        Self::DuplicateName,
        Self::BeyondRepository,
        Self::EmptyCondition,
        Self::NoStore,
        Self::LiteralLeaf,
        Self::ShadowedRule,
        Self::ImpossibleRule,
        Self::SwallowsAll,
        Self::NoEffect,
        Self::NeverActs,
    ];

    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLarge => "too-large",
            Self::NotUtf8 => "not-utf8",
            Self::Syntax => "syntax",
            Self::YamlFeature => "yaml-feature",
            Self::TooComplex => "too-complex",
            Self::DuplicateKey => "duplicate-key",
            Self::ApiVersion => "api-version",
            Self::UnknownKey => "unknown-key",
            Self::UnknownValue => "unknown-value",
            Self::NotSupported => "not-supported",
            Self::WrongType => "wrong-type",
            Self::MissingKey => "missing-key",
            Self::BadValue => "bad-value",
            Self::BadGlob => "bad-glob",
            Self::DuplicateName => "duplicate-name",
            Self::BeyondRepository => "beyond-repository",
            Self::EmptyCondition => "empty-condition",
            Self::NoStore => "no-store",
            Self::LiteralLeaf => "literal-leaf",
            Self::ShadowedRule => "shadowed-rule",
            Self::ImpossibleRule => "impossible-rule",
            Self::SwallowsAll => "swallows-all",
            Self::NoEffect => "no-effect",
            Self::NeverActs => "never-acts",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_kebab_case() {
        let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for name in names {
            assert!(
                name.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            );
        }
    }
}
