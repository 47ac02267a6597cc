//! Judges the entry of a half-deleted worktree again, before the rest goes (`spec 7.4`).
//!
//! Git deletes the files first and the entry last: until then the entry is alive, and whoever found
//! the tree may have gone on working in it. Input: an open record whose entry is still owl's own.
//! Output: nothing, or why it is left. Invariants: the entry is looked at through the same code as
//! any other, and every guard of an entry must pass; HEAD is what it was; each commit that only the
//! entry names is reached by a rescue ref of the record. The files are for [`super::leftover`].

use super::taken::Taken;
use super::{Hands, marks, rescue};
use crate::assess::{Answer, Assessment, Code, Decision, assess};
use crate::fact::Fact;
use crate::git::{Oid, Repository};
use crate::journal::{Pinned, Record};
use crate::observe::{Aside, Focus, Tree, observe};
use crate::resource::escape;
use std::io;

/// Why what is left is not deleted.
#[derive(Debug)]
pub(super) enum Unproven {
    /// It could not be told, or what is in the way passes.
    Yet(String),
    /// Somebody has gone on working in it, or a rule speaks for it now.
    Theirs(String),
}

impl From<String> for Unproven {
    fn from(why: String) -> Self {
        Self::Yet(why)
    }
}

impl From<&str> for Unproven {
    fn from(why: &str) -> Self {
        Self::Yet(why.to_owned())
    }
}

impl Unproven {
    /// The sentence.
    pub(super) fn why(self) -> String {
        match self {
            Self::Yet(why) | Self::Theirs(why) => why,
        }
    }
}

/// Requires that nothing has happened to the entry since its deletion was announced.
pub(super) fn require_as_it_was(
    taken: &Taken,
    repository: &Repository,
    hands: &Hands<'_>,
) -> Result<(), Unproven> {
    let record = &taken.record;
    let aside = Aside {
        op: record.op.clone(),
        address: record.address.clone(),
        entry: record.entry.clone(),
        store: record.store.clone(),
        path: record.path.as_path().to_owned(),
        git_path: None,
        place: taken.place().to_owned(),
        is_remnant: true,
        lock_reason: record.lock_reason(),
        lifted: None,
        modules: taken.taken_modules(),
    };
    let scope = hands.scope.only(&record.project);
    let focus = Focus::Taken(Box::new(aside));
    let observation = observe(&hands.world, hands.policy, &scope, &focus);
    let Some(project) = observation.projects.first() else {
        return Err("its project is no longer in scope".into());
    };
    if let Some(problem) = &project.problem {
        return Err(format!("its project cannot be read whole: {problem}").into());
    }
    let assessments = assess(hands.policy, &observation);
    let mut all = assessments.iter();
    let Some(found) = all.find(|one| one.subject.tree.address == record.address) else {
        return Err("no administrative entry claims it".into());
    };
    require_head(record, found.subject.tree)?;
    require_guards(record, found)?;
    let rescues = rescue::write(repository, &record.rescues, &record.address);
    rescues.map(drop)?;
    require_covered(record, found.subject.tree, repository)
}

fn require_head(record: &Record, tree: &Tree) -> Result<(), Unproven> {
    if let Fact::Unknown(why) = &tree.head {
        return Err(format!("unknown: {why}").into());
    }
    let branch = tree.branch().map(String::from_utf8_lossy);
    if branch.as_deref() == record.branch.as_deref() && tree.commit() == record.head.as_deref() {
        Ok(())
    } else {
        Err(Unproven::Theirs("HEAD has moved since".to_owned()))
    }
}

/// Commits at risk are asked for below: what gets a rescue ref must have it by now.
fn require_guards(record: &Record, found: &Assessment<'_>) -> Result<(), Unproven> {
    if let Decision::Keep(index) = found.decision {
        let rule = escape(found.subject.policy.rules[index].name.as_bytes());
        return Err(Unproven::Theirs(format!("rule {rule} keeps it now")));
    }
    let is_given_up = is_index_given_up(record).map_err(|why| why.to_string())?;
    // A person has decided about its job since, however young it is.
    let is_decided = record
        .job
        .as_ref()
        .is_some_and(|job| job.disposal.is_some());
    let mut held = found
        .findings
        .iter()
        .filter(|one| one.result != Answer::Pass);
    let held = held.find(|one| {
        one.guard != Code::CommitsAtRisk
            && !(is_given_up && one.guard == Code::Uncommitted)
            && !(is_decided && one.guard == Code::Fresh)
    });
    let Some(held) = held else {
        return Ok(());
    };
    let why = match &held.message {
        Some(why) => format!("{}: {why}", held.guard),
        None => held.guard.to_string(),
    };
    let passes = matches!(held.guard, Code::Fresh | Code::InUse | Code::ProcessInside);
    Err(if passes || held.result == Answer::Unknown {
        Unproven::Yet(why)
    } else {
        Unproven::Theirs(why)
    })
}

/// Whether a person has given up what is not committed, and the index is what it was then.
fn is_index_given_up(record: &Record) -> io::Result<bool> {
    if record.discards.is_empty() {
        return Ok(false);
    }
    let index = marks::mark_of(&record.entry_dir().join("index"))?;
    Ok(index.is_some() && index == record.index_mark)
}

fn require_covered(record: &Record, tree: &Tree, repository: &Repository) -> Result<(), Unproven> {
    let pins = if record.deletes.is_some() {
        tree.drop.as_ref().map(|dropping| dropping.pins.as_slice())
    } else {
        tree.pins.as_ref().map(Vec::as_slice)
    };
    let pins = match pins {
        Fact::Known(pins) => pins,
        Fact::Absent => return Ok(()),
        Fact::Unknown(why) => return Err(format!("unknown: {why}").into()),
    };
    for pin in pins {
        if !is_reached(repository, pin, &record.rescues)? {
            let why = format!("only its entry names the commit {pin}");
            return Err(Unproven::Theirs(why));
        }
    }
    Ok(())
}

/// Whether one of these refs reaches a commit.
fn is_reached(repository: &Repository, hex: &str, rescues: &[Pinned]) -> Result<bool, String> {
    let commit = Oid::parse(hex.as_bytes()).ok_or_else(|| format!("{hex} is no object id"))?;
    let tips = rescues
        .iter()
        .map(rescue::oid)
        .collect::<Result<Vec<_>, _>>()?;
    let beyond = repository.unpublished_count(&commit, &tips);
    Ok(beyond.map_err(|why| why.to_string())? == 0)
}
