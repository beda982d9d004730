//! The state machine that generates sequences of steps.

use family_api_core::Timestamp;
use family_api_core::storage::Record;
use proptest::strategy::{BoxedStrategy, Strategy};
use proptest_state_machine::ReferenceStateMachine;

use crate::generate::instant::start_time;
use crate::generate::{record, step};
use crate::model::Model;
use crate::step::{Operation, Step, Token};

/// The state from which the next step is generated.
#[derive(Clone)]
pub(crate) struct State {
    /// The initial records.
    pub(crate) seed: Vec<Record>,
    pub(crate) model: Model,
    /// The tokens of all sessions that steps tried to open.
    pub(crate) sessions: Vec<Token>,
    pub(crate) now: Timestamp,
}

/// Prints the initial records only. The steps are printed separately.
impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.seed.fmt(f)
    }
}

impl State {
    /// Creates the initial state. Drops invalid records of `seed`. Parents come before children.
    fn of(mut seed: Vec<Record>) -> Self {
        let mut model = Model::default();
        seed.retain(|record| model.insert_if_valid(record));
        model.set_zones();
        Self { seed, model, sessions: Vec::new(), now: start_time() }
    }
}

/// Generates sequences of steps. Each step is applied to the model before the next step is generated.
pub(crate) struct StorageStateMachine;

impl ReferenceStateMachine for StorageStateMachine {
    type State = State;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<State> {
        record::seed().prop_map(State::of).boxed()
    }

    fn transitions(state: &State) -> BoxedStrategy<Step> {
        step::next(state)
    }

    /// Excludes the deletion of an expired session, because some storages can have purged the session already.
    fn preconditions(state: &State, step: &Step) -> bool {
        let Operation::DeleteSession(token) = &step.operation else {
            return true;
        };
        let session = state.model.sessions.iter().find(|session| session.digest == token.digest());
        session.is_none_or(|session| step.at < session.expires_at)
    }

    fn apply(mut state: State, step: &Step) -> State {
        state.model.apply(step);
        state.now = step.at;
        if let Operation::InsertSession(new) = &step.operation {
            state.sessions.push(new.token.clone());
        }
        state
    }
}
