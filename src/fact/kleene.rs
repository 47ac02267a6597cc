//! Kleene's strong three-valued logic (`spec 3`: "Conditions are three-valued throughout").

use super::Fact;

/// A truth value that may be missing; `Unknown` names every fact that was missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kleene {
    /// Proven.
    True,
    /// Disproven.
    False,
    /// Not decided, and these are the facts that were missing.
    Unknown(Vec<String>),
}

impl Kleene {
    /// The conjunction: one false decides, whatever is unknown. Of nothing, it is true.
    pub fn all(values: impl IntoIterator<Item = Self>) -> Self {
        let mut missing = Vec::new();
        for value in values {
            match value {
                Self::True => {}
                Self::False => return Self::False,
                Self::Unknown(why) => missing.extend(why),
            }
        }
        if missing.is_empty() {
            Self::True
        } else {
            Self::Unknown(missing)
        }
    }

    /// The disjunction: one true decides, whatever is unknown. Of nothing, it is false.
    pub fn any(values: impl IntoIterator<Item = Self>) -> Self {
        Self::all(values.into_iter().map(Self::negate)).negate()
    }

    /// The negation; unknown stays unknown.
    #[must_use]
    pub fn negate(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown(why) => Self::Unknown(why),
        }
    }

    /// Whether the fact answers `test` with yes; an absent fact answers `absent`.
    pub fn of<T>(fact: &Fact<T>, absent: bool, test: impl FnOnce(&T) -> bool) -> Self {
        match fact {
            Fact::Known(value) => Self::from(test(value)),
            Fact::Absent => Self::from(absent),
            Fact::Unknown(why) => Self::Unknown(vec![why.clone()]),
        }
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

#[cfg(test)]
mod tests {
    use super::Kleene::{self, False, True};

    fn unknown() -> Kleene {
        Kleene::Unknown(vec!["x".into()])
    }

    #[test]
    fn the_tables_of_kleene() {
        assert_eq!(Kleene::all([True, True]), True);
        assert_eq!(Kleene::all([True, unknown()]), unknown());
        assert_eq!(Kleene::all([unknown(), False]), False);
        assert_eq!(Kleene::all([]), True);
        assert_eq!(Kleene::any([unknown(), True]), True);
        assert_eq!(Kleene::any([unknown(), False]), unknown());
        assert_eq!(Kleene::any([False, False]), False);
        assert_eq!(Kleene::any([]), False);
        assert_eq!(unknown().negate(), unknown());
        assert_eq!(True.negate(), False);
    }
}
