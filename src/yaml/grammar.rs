//! The keys that a mapping may have: what errors and suggestions are made from.

/// Whether this version acts on a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It does.
    Built,
    /// The key is part of `owl/v1`, and this version refuses it.
    Later,
}

/// The keys of one kind of mapping.
#[derive(Debug)]
pub struct Level {
    /// What the mapping is, with its article.
    pub what: &'static str,
    /// Its keys.
    pub keys: &'static [(&'static str, Support)],
    /// Whether `x-` keys are allowed, as places for anchors.
    pub extras: bool,
}

/// The keys of one kind of mapping, in whatever table they stand.
pub trait Keys {
    /// What the mapping is, with its article.
    fn what(&self) -> &'static str;
    /// Its keys, and whether this version acts on each.
    fn keys(&self) -> Vec<(&'static str, Support)>;
    /// Whether `x-` keys are allowed, as places for anchors.
    fn has_extras(&self) -> bool;
}

impl Keys for Level {
    fn what(&self) -> &'static str {
        self.what
    }

    fn keys(&self) -> Vec<(&'static str, Support)> {
        self.keys.to_vec()
    }

    fn has_extras(&self) -> bool {
        self.extras
    }
}

/// The known word that is nearest to a wrong one, if any is near enough to be meant.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| word.to_lowercase().replace('_', "-");
    let wrong = plain(wrong);
    // A third of the letters may be wrong: more finds words that nobody meant.
    let most = (wrong.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&wrong, &plain(word)), word))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}
