//! The statements of calendar events.

use std::sync::LazyLock;

use crate::sqlite::json_sql::event;

/// `?3` is the earliest start, and `?4` is the latest end.
pub(super) static LIST: LazyLock<[String; 1]> = LazyLock::new(|| events("e.start_date >= ?3 AND e.end_date <= ?4"));

/// `?3` is the event.
pub(super) static FIND: LazyLock<[String; 1]> = LazyLock::new(|| events("e.id = ?3"));

/// `?3` and `?4` are the ends of a range. The statement finds the events that overlap it and do not recur, and all
/// events that recur.
///
/// `INDEXED BY` chooses the index on the end. Without it, SQLite reads all earlier events by the index on the start,
/// because that index returns them in order. The sort does not carry the text of the events.
pub(super) static LIST_OVERLAPPING: LazyLock<[String; 1]> = LazyLock::new(|| {
    let events = format!(
        "WITH ordered AS MATERIALIZED (
            SELECT event FROM (
                SELECT rowid AS event, start_date, id FROM events INDEXED BY events_by_end
                WHERE family_id = ?1 AND recurrence IS NULL AND end_date >= ?3 AND start_date < ?4
                UNION ALL
                SELECT rowid AS event, start_date, id FROM events INDEXED BY recurring_events
                WHERE family_id = ?1 AND recurrence IS NOT NULL
            )
            ORDER BY start_date, id
        )
        SELECT {event} FROM ordered CROSS JOIN events e ON e.rowid = ordered.event",
        event = event().columns(),
    );
    [events]
});

/// Returns the statement for events that meet this condition.
fn events(condition: &str) -> [String; 1] {
    let events = format!(
        "SELECT {event}
        FROM events e
        WHERE e.family_id = ?1 AND {condition}
        ORDER BY e.start_date, e.id",
        event = event().columns(),
    );
    [events]
}
