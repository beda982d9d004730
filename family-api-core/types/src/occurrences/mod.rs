//! The occurrences of events: recurrences (RFC 5545) expanded in civil time, for a range of days.
//!
//! [`Recurrence::parse`] reads the field `recurrence` of an event. [`expand`] returns every occurrence of a list of
//! events that overlaps a range of days. A [`TaskRecurrence`] is that of a task, which is due at one occurrence after
//! the other.
//!
//! - **The zone of the event.** Every reader gets the same instants. The reader's zone only says which instants the
//!   days of a query have. It also counts for an event without a zone.
//! - **Civil time.** A rule yields local dates and times. Each is then resolved to an instant in the zone, so a weekly
//!   18:30 stays 18:30 across a clock change. A local time that the clock skips moves forward by the length of the gap.
//!   If a local time occurs twice, the first one counts.
//! - **The event itself is the first occurrence**, also if it does not match its rule (RFC 5545, section 3.3.10:
//!   `DTSTART` always counts as the first occurrence of `COUNT`). Only an `EXDATE` removes it.
//! - **A changed occurrence** ([`Override`]) replaces the one that starts at its [`LocalStart`] by the rule, wherever it
//!   moves. It also replaces one that an `EXDATE` excludes.
//! - **Timed events** keep their exact duration.
//! - **All-day events** take civil days, from the local date of `startDate` to its
//!   [last day](crate::calendar::Zone::last_day), inclusive.
//!   Each occurrence has the same number of days, and the same local times at both ends.
//! - **The work is bounded**, also for rules that never match: an expansion without `COUNT` jumps to the range. One
//!   with `COUNT` jumps too if each period has the same number of occurrences. Otherwise, it counts from the start. Each
//!   event and each query has a maximum number of steps.

mod calendar_rule;
mod day_filter;
pub(crate) mod edit;
mod event_span;
mod exclusions;
mod expand;
mod expansion;
mod find;
mod invalid_recurrence;
mod local_start;
pub(crate) mod locate;
mod moment;
mod number_list;
mod occurrence_start;
mod overrides;
mod parse_rule;
mod period;
mod recurrence;
mod rule;
mod rule_starts;
mod rule_text;
mod satisfiable;
pub(crate) mod shift;
pub(crate) mod spans;
mod steps;
mod task_recurrence;
#[cfg(test)]
pub(crate) mod tests;
mod unrolled;

pub use event_span::{DayRange, InvalidDayRange, MAX_DAYS};
pub use expand::{Occurrences, expand};
pub use expansion::MAX_OCCURRENCES;
pub use expansion::{Expansion, OccurrenceRef};
pub use find::find_occurrence;
pub use invalid_recurrence::InvalidRecurrence;
pub use local_start::{InvalidLocalStart, LocalStart};
pub use occurrence_start::{InvalidOccurrenceStart, OccurrenceStart};
pub use overrides::{InvalidOverrides, MAX_OVERRIDES, MAX_OVERRIDES_BYTES, Override, Overrides};
pub use recurrence::{MAX_RECURRENCE_LENGTH, Recurrence};
pub(crate) use task_recurrence::TooManySteps;
pub use task_recurrence::{MAX_TASK_RECURRENCE_LENGTH, TaskRecurrence};
pub use unrolled::{MAX_SINGLE_OCCURRENCES, TooMuchWork, Unrolled, UnrolledOccurrence, UnrolledRule, Unroller};
