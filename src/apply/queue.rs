//! The rows in their order, their deletions side by side.
//!
//! Unlinking waits for the disk (`performance 5`), so that several deletions at once take the time
//! of one. Everything else is done here, by one thread, one row after another: looking, taking,
//! journal, audit. Invariants: a nested worktree is gone before its container is looked at; what
//! could not be read while git was deleting something, or differed, is looked at once more when
//! nothing is: a child of owl's own that has not become git yet still holds what owl has open.

use super::look_again::{self, Stop};
use super::remove::Doomed;
use super::{Done, Event, Hands, Outcome, decide, expire, prune, remove, witness};
use crate::git::GitError;
use crate::plan::{ResourceKind, Row, Step};
use crate::resource::Address;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// How many deletions run at once.
const SIDE_BY_SIDE: usize = 8;

/// Told of everything that happens.
pub(super) type Watch<'a> = &'a mut dyn FnMut(Event<'_>);

struct Deleted<'a> {
    row: &'a Row,
    doomed: Doomed,
    said: Result<(), String>,
}

struct Queue<'a, 'w> {
    under_way: Vec<Address>,
    deleted: Receiver<Deleted<'a>>,
    sender: Sender<Deleted<'a>>,
    outcomes: BTreeMap<Address, Outcome>,
    /// The rows whose outcome nobody has been told yet.
    untold: VecDeque<&'a Row>,
    watch: Watch<'w>,
}

/// Carries out the rows; the outcomes come in the order of the rows, and are told in it.
pub(super) fn run<'a>(
    rows: impl Iterator<Item = &'a Row>,
    hands: &mut Hands<'_>,
    watch: Watch<'_>,
) -> Vec<Done> {
    let rows: Vec<&Row> = rows.collect();
    let (sender, deleted) = channel();
    let mut queue = Queue {
        under_way: Vec::new(),
        deleted,
        sender,
        outcomes: BTreeMap::new(),
        untold: rows.iter().copied().collect(),
        watch,
    };
    std::thread::scope(|scope| {
        for row in &rows {
            queue.row(row, hands, scope);
        }
        queue.drain(hands);
    });
    let mut outcomes = queue.outcomes;
    let done = |row: &&Row| {
        Some(Done {
            address: row.address.clone(),
            outcome: outcomes.remove(&row.address)?,
        })
    };
    rows.iter().filter_map(done).collect()
}

impl<'a> Queue<'a, '_> {
    fn row<'scope>(&mut self, row: &'a Row, hands: &mut Hands<'_>, scope: &'scope Scope<'scope, '_>)
    where
        'a: 'scope,
    {
        while self.under_way.len() >= SIDE_BY_SIDE || self.waits(row) {
            self.settle_next(hands);
        }
        while let Ok(deleted) = self.deleted.try_recv() {
            self.settle(deleted, hands);
        }
        if (hands.interrupted)() {
            return self.end(row, Outcome::not_attempted("interrupted before its turn"));
        }
        if let Some(inner) = self.left_in(row) {
            let why = format!("{inner}, which lies in it, is not gone");
            return self.end(row, Outcome::kept(why));
        }
        (self.watch)(Event::Attempt(row));
        if let Err(why) = hands.audit.attempt((hands.clock)(), row) {
            return self.end(row, Outcome::failed(format!("not attempted: {why}")));
        }
        let mut begun = begin(row, hands);
        if matches!(begun, Err(Stop::Unsure(_))) {
            self.drain(hands);
            begun = begin(row, hands);
        }
        match begun {
            Ok(Begun::Doomed(doomed)) => self.start(row, *doomed, hands, scope),
            Ok(Begun::Ended(outcome)) => self.audited(row, outcome, hands),
            Err(stop) => self.audited(row, stop.outcome(), hands),
        }
    }

    fn waits(&self, row: &Row) -> bool {
        let inner = |address: &Address| row.after.contains(address);
        self.under_way.iter().any(inner)
    }

    /// A worktree inside that this run was to remove first, and that still has to go home.
    fn left_in<'r>(&self, row: &'r Row) -> Option<&'r Address> {
        let is_left = |inner: &&Address| {
            let outcome = self.outcomes.get(inner);
            outcome.is_some_and(|outcome| !outcome.is_gone())
        };
        row.after.iter().find(is_left)
    }

    fn start<'scope>(
        &mut self,
        row: &'a Row,
        doomed: Doomed,
        hands: &mut Hands<'_>,
        scope: &'scope Scope<'scope, '_>,
    ) where
        'a: 'scope,
    {
        // The record goes to the thread's closure only once there is a thread: what cannot be
        // deleted side by side is deleted here.
        let handed = std::sync::Arc::new(std::sync::Mutex::new(Some(doomed)));
        let (sender, taken) = (self.sender.clone(), handed.clone());
        let started = std::thread::Builder::new().spawn_scoped(scope, move || {
            let doomed = taken.lock().map_or(None, |mut doomed| doomed.take());
            if let Some(doomed) = doomed {
                let said = ended(|| remove::delete(&doomed));
                drop(sender.send(Deleted { row, doomed, said }));
            }
        });
        self.under_way.push(row.address.clone());
        if started.is_err() {
            let doomed = handed.lock().map_or(None, |mut doomed| doomed.take());
            if let Some(doomed) = doomed {
                let said = ended(|| remove::delete(&doomed));
                self.settle(Deleted { row, doomed, said }, hands);
            }
        }
    }

    fn drain(&mut self, hands: &mut Hands<'_>) {
        while !self.under_way.is_empty() {
            self.settle_next(hands);
        }
    }

    fn settle_next(&mut self, hands: &mut Hands<'_>) {
        match self.deleted.recv() {
            Ok(deleted) => self.settle(deleted, hands),
            // Cannot be while `sender` is held here; nothing would ever come.
            Err(_) => self.under_way.clear(),
        }
    }

    fn settle(&mut self, deleted: Deleted<'a>, hands: &mut Hands<'_>) {
        let Deleted { row, doomed, said } = deleted;
        self.under_way.retain(|address| *address != row.address);
        let outcome = remove::conclude(doomed, said, hands);
        self.audited(row, outcome, hands);
    }

    fn audited(&mut self, row: &'a Row, outcome: Outcome, hands: &mut Hands<'_>) {
        let outcome = outcome.with_steps(row);
        let outcome = match hands.audit.outcome((hands.clock)(), row, &outcome) {
            Ok(()) => outcome,
            Err(why) => outcome.with_note(&format!("its outcome could not be written down: {why}")),
        };
        self.end(row, outcome);
    }

    fn end(&mut self, row: &Row, outcome: Outcome) {
        self.outcomes.insert(row.address.clone(), outcome);
        while let Some(row) = self.untold.front()
            && let Some(outcome) = self.outcomes.get(&row.address)
        {
            (self.watch)(Event::Settled(row, outcome));
            self.untold.pop_front();
        }
    }
}

/// What a deletion says, however it ends: the queue waits for exactly one word of each. A defect of
/// owl's that ends it is a word, too, and what it left is looked at like any failure.
fn ended(delete: impl FnOnce() -> Result<(), GitError>) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(delete)) {
        Ok(said) => said.map_err(|why| why.to_string()),
        Err(panic) => {
            drop(panic);
            Err("its deletion was ended by a defect of owl's".to_owned())
        }
    }
}

enum Begun {
    Doomed(Box<Doomed>),
    Ended(Outcome),
}

/// Everything up to the deletion.
fn begin(row: &Row, hands: &mut Hands<'_>) -> Result<Begun, Stop> {
    hands.world.now = (hands.clock)();
    if row.kind == ResourceKind::RescueRef {
        return expire::expire(row, hands).map(Begun::Ended);
    }
    if row.kind == ResourceKind::Job {
        return decide::decide(row, hands).map(Begun::Ended);
    }
    let fresh = look_again::look_again(row, hands)?;
    let repository = match hands.world.git.repository(fresh.common_dir.as_path()) {
        Ok(repository) => repository,
        Err(why) => return Err(Stop::Unsure(Outcome::kept(why.to_string()))),
    };
    witness::agrees(&repository, &fresh.row).map_err(Stop::kept)?;
    let steps = &fresh.row.steps;
    if steps.contains(&Step::RemoveWorktree) {
        let doomed = remove::prepare(&repository, &fresh, hands)?;
        return Ok(Begun::Doomed(Box::new(doomed)));
    }
    if steps.contains(&Step::PruneEntry) {
        return prune::prune(&repository, &fresh, hands).map(Begun::Ended);
    }
    Err(Stop::kept("there is nothing to do any more"))
}

#[cfg(test)]
mod tests {
    use super::ended;

    #[test]
    fn a_deletion_that_panics_has_a_word_too() {
        assert_eq!(ended(|| Ok(())), Ok(()));
        let why = ended(|| panic!("a defect")).expect_err("it did not end well");
        assert!(why.contains("defect"), "{why}");
    }
}
