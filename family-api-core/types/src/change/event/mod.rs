//! Changes and updates of events.

mod change;
mod recurrence;
mod rules;

pub use change::{EventChange, EventUpdate};
pub use rules::EventFacts;
