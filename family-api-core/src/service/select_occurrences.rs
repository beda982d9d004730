//! Selects occurrences of events.

use crate::calendar::Zone;
use crate::id::EventId;
use crate::occurrences::{DayRange, Expansion};
use crate::query::EventQuery;
use crate::resource::Event;

/// Maximum number of events that a log line names.
const MAX_LOGGED_EVENTS: usize = 5;

/// Selects occurrences, and logs the events whose recurrence is not valid.
pub(super) fn select_occurrences<'e>(
    query: &EventQuery,
    events: &'e [Event],
    days: DayRange,
    zone: &Zone,
) -> Expansion<'e> {
    let found = query.select(events, days, zone);
    if !found.unexpanded.is_empty() {
        let first: Vec<&str> = found.unexpanded.iter().take(MAX_LOGGED_EVENTS).map(EventId::as_str).collect();
        tracing::warn!(count = found.unexpanded.len(), ?first, "events have no valid recurrence and are shown once");
    }
    found
}
