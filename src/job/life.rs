//! Verb by state, as one function (`spec 8`, A1.4, A3.2).

use super::{Outcome, State, Verb};
use std::fmt;

/// Why a verb is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was to be done.
    pub verb: Verb,
    /// The state that the job is in.
    pub state: State,
    /// What is possible from there, each verb once.
    pub possible: Vec<Verb>,
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is {}, and ", self.state)?;
        if !self.state.is_known() {
            return write!(
                f,
                "this owl does not know that state, so it leaves it alone"
            );
        }
        let verb = self.verb.as_str();
        let words: Vec<_> = self.possible.iter().map(|verb| verb.as_str()).collect();
        write!(
            f,
            "{verb} is not possible then; possible: {}",
            words.join(", ")
        )
    }
}

/// The state after a verb, or why it is refused. `left` is how many runs are left once the verb has
/// spent or added what it does.
pub fn next(verb: Verb, state: &State, left: u32) -> Result<State, Refusal> {
    state_after(verb, state, left).ok_or_else(|| Refusal {
        verb,
        state: state.clone(),
        possible: possible(state),
    })
}

/// Whether the verb ends the run in progress, and so spends one of the job's runs (A1.6).
pub fn spends(verb: Verb, state: &State) -> bool {
    let ends = match verb {
        Verb::Finish(_) | Verb::Block | Verb::Cancel => true,
        Verb::Start | Verb::Accept | Verb::Drop | Verb::Extend | Verb::Unblock => false,
    };
    ends && *state == State::Active
}

fn state_after(verb: Verb, state: &State, left: u32) -> Option<State> {
    // What waits for a run has one: without, it is reported and not started again.
    let waiting = || match left {
        0 => State::Exhausted,
        _ => State::Pending,
    };
    Some(match (verb, state) {
        (Verb::Start, State::Pending) => State::Active,
        (Verb::Finish(Outcome::Succeeded), State::Active) => State::Review,
        (Verb::Finish(Outcome::Failed), State::Active) => State::Blocked,
        (Verb::Finish(Outcome::Interrupted), State::Active) | (Verb::Unblock, State::Blocked) => {
            waiting()
        }
        (Verb::Accept, State::Review | State::Blocked | State::Exhausted) => State::Done,
        (Verb::Drop, State::Review | State::Blocked | State::Exhausted)
        | (Verb::Cancel, State::Pending | State::Active) => State::Cancelled,
        // Only the disposal is finished; the decision stands.
        (Verb::Accept | Verb::Drop, State::Done | State::Cancelled) => state.clone(),
        (Verb::Extend, State::Pending | State::Active | State::Blocked | State::Review) => {
            state.clone()
        }
        (Verb::Extend, State::Exhausted) => State::Pending,
        (Verb::Block, State::Pending | State::Active | State::Blocked | State::Review) => {
            State::Blocked
        }
        (
            Verb::Start
            | Verb::Finish(_)
            | Verb::Accept
            | Verb::Drop
            | Verb::Extend
            | Verb::Block
            | Verb::Unblock
            | Verb::Cancel,
            State::Pending
            | State::Active
            | State::Review
            | State::Blocked
            | State::Done
            | State::Cancelled
            | State::Exhausted
            | State::Other(_),
        ) => return None,
    })
}

fn possible(state: &State) -> Vec<Verb> {
    let mut found: Vec<Verb> = Vec::new();
    for verb in Verb::ALL {
        let is_new = found.iter().all(|one| one.as_str() != verb.as_str());
        if is_new && state_after(verb, state, 1).is_some() {
            found.push(verb);
        }
    }
    found
}
