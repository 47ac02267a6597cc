//! The reference of the policy language, as the grammar table has it (`owl policy explain`).

use super::grammar::{Key, Level, POLICY, Shape, Support, Word, nearest};

/// What the grammar says of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its path, such as `rules.when.landed`.
    pub path: String,
    /// Whether this version acts on it.
    pub built: bool,
    /// What its value is, in words.
    pub value: String,
    /// The words that its value may be, what each means, and whether this version acts on it.
    pub words: Vec<(&'static str, &'static str, bool)>,
    /// Whether it must be there.
    pub required: bool,
    /// What counts where it is left out.
    pub default: Option<&'static str>,
    /// What it means.
    pub doc: &'static str,
    /// A value.
    pub example: &'static str,
    /// Where the specification has it.
    pub rule: &'static str,
}

impl Topic {
    /// Its key.
    pub fn key(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }

    /// The example as one would write it, key and value.
    pub fn example_line(&self) -> String {
        format!("{}: {}", self.key(), self.example)
    }
}

/// Every key, in the order of the grammar, each section before its keys.
pub fn topics() -> Vec<Topic> {
    let mut topics = Vec::new();
    gather(&POLICY, "", &mut Vec::new(), &mut topics);
    topics
}

/// The topics that a path, its end, or a word of one names; or what was meant instead, if that can
/// be told.
pub fn find(wanted: &str) -> Result<Vec<Topic>, Option<String>> {
    let all = topics();
    let exact: Vec<_> = all
        .iter()
        .filter(|one| one.path == wanted)
        .cloned()
        .collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let end = format!(".{wanted}");
    let by_end: Vec<_> = all
        .iter()
        .filter(|one| one.path.ends_with(&end))
        .cloned()
        .collect();
    if !by_end.is_empty() {
        return Ok(by_end);
    }
    let of_word = |one: &&Topic| {
        one.words
            .iter()
            .any(|(word, ..)| *word == wanted || format!("{}.{word}", one.path).ends_with(wanted))
    };
    let by_word: Vec<_> = all.iter().filter(of_word).cloned().collect();
    if !by_word.is_empty() {
        return Ok(by_word);
    }
    let paths = all.iter().map(|one| one.path.as_str());
    let keys = all.iter().map(Topic::key);
    Err(nearest(wanted, keys.chain(paths)).map(str::to_owned))
}

fn gather(
    level: &'static Level,
    above: &str,
    around: &mut Vec<&'static str>,
    topics: &mut Vec<Topic>,
) {
    around.push(level.what);
    for key in level.keys {
        let path = match above {
            "" => key.name.to_owned(),
            _ => format!("{above}.{}", key.name),
        };
        topics.push(topic(key, path.clone()));
        each_level(&key.shape, &mut |inner| {
            // `any`, `all` and `not` hold conditions again.
            if !around.contains(&inner.what) {
                gather(inner, &path, around, topics);
            }
        });
    }
    around.pop();
}

fn topic(key: &'static Key, path: String) -> Topic {
    let mut words = Vec::new();
    each_word(&key.shape, &mut |word| {
        let told = (word.name, word.doc, word.support == Support::Built);
        if !words.contains(&told) {
            words.push(told);
        }
    });
    Topic {
        path,
        built: key.support == Support::Built,
        value: in_words(&key.shape),
        words,
        required: key.required,
        default: key.default,
        doc: key.doc,
        example: key.example,
        rule: key.rule,
    }
}

fn each_level(shape: &'static Shape, see: &mut dyn FnMut(&'static Level)) {
    match shape {
        Shape::Map(level) => see(level),
        Shape::Free(inner) | Shape::List(inner) | Shape::Some(inner) => each_level(inner, see),
        Shape::Either(shapes) => {
            let mut seen: Vec<&str> = Vec::new();
            for shape in *shapes {
                each_level(shape, &mut |level| {
                    if !seen.contains(&level.what) {
                        seen.push(level.what);
                        see(level);
                    }
                });
            }
        }
        Shape::Version
        | Shape::Text
        | Shape::Boolean
        | Shape::Duration
        | Shape::Size
        | Shape::Share
        | Shape::Count
        | Shape::Words(_)
        | Shape::Patterns => {}
    }
}

fn each_word(shape: &'static Shape, see: &mut dyn FnMut(&'static Word)) {
    match shape {
        Shape::Words(words) => words.iter().for_each(see),
        Shape::Either(shapes) => {
            for shape in *shapes {
                each_word(shape, see);
            }
        }
        Shape::Version
        | Shape::Text
        | Shape::Boolean
        | Shape::Duration
        | Shape::Size
        | Shape::Share
        | Shape::Count
        | Shape::Patterns
        | Shape::Map(_)
        | Shape::Free(_)
        | Shape::List(_)
        | Shape::Some(_) => {}
    }
}

fn in_words(shape: &Shape) -> String {
    match shape {
        Shape::Version => "the text owl/v1".to_owned(),
        Shape::Text => "a text".to_owned(),
        Shape::Boolean => "true or false".to_owned(),
        Shape::Duration => "a duration: a whole number and s, m, h, d or w".to_owned(),
        Shape::Size => "a size: a whole number and B, KiB, MiB, GiB or TiB".to_owned(),
        Shape::Share => "a share, from 0% to 100%".to_owned(),
        Shape::Count => "a whole number".to_owned(),
        Shape::Words(words) => {
            let names: Vec<_> = words.iter().map(|word| word.name).collect();
            names.join(" | ")
        }
        Shape::Patterns => "a glob, or a list of globs".to_owned(),
        Shape::Map(level) => format!("{}: a mapping", level.what),
        Shape::Free(inner) => format!("a mapping of names, each to {}", in_words(inner)),
        Shape::List(inner) => format!("a list, each {}", in_words(inner)),
        Shape::Some(inner) => format!("a list of at least one, each {}", in_words(inner)),
        Shape::Either([Shape::Words(one), Shape::Some(Shape::Words(many))])
            if std::ptr::eq(*one, *many) =>
        {
            format!("{}; or a list of them", in_words(&Shape::Words(one)))
        }
        Shape::Either(shapes) => {
            let words: Vec<_> = shapes.iter().map(in_words).collect();
            words.join("; or ")
        }
    }
}
