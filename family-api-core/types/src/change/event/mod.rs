//! Changes and updates of events.

mod change;
mod participants;
mod recurrence;
mod rules;

pub use change::{EventChange, EventUpdate};
pub use participants::MAX_PARTICIPANTS;
pub use rules::EventFacts;
