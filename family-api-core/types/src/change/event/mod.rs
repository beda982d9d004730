//! Changes and updates of events.

mod change;
mod following;
mod occurrence;
mod participants;
mod recurrence;
mod rules;
mod scope;
mod series;

pub use change::{EventChange, EventUpdate};
pub use participants::MAX_PARTICIPANTS;
pub use rules::EventFacts;
pub use scope::{OccurrenceScope, UnknownOccurrenceScope};
