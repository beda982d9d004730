//! Reads of the events that overlap a range of instants.

use std::ops::Range;
use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::resource::{Document, Event};
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::json_sql::{document_sql, event};
use crate::sqlite::reads::document;

/// `INDEXED BY` chooses the index on the end. Without it, SQLite reads all earlier events by the index on the start,
/// because that index returns them in order.
pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    let events = "(
        SELECT overlapping.*, people.person AS assignee
        FROM (
            SELECT * FROM (
                SELECT * FROM events INDEXED BY events_by_end
                WHERE family_id = ?1 AND recurrence IS NULL AND end_date >= ?3 AND start_date < ?4
                UNION ALL
                SELECT * FROM events INDEXED BY recurring_events
                WHERE family_id = ?1 AND recurrence IS NOT NULL AND start_date < ?4
            )
            ORDER BY start_date, id
        ) overlapping
        LEFT JOIN people ON people.id = overlapping.assignee_id
    ) e";
    document_sql(&event().sql(), events)
});

/// Lists the events that overlap the range and do not recur, and those that recur and start before its end.
pub(super) async fn list(
    readers: &SqlitePool,
    member: &Member,
    range: &Range<Timestamp>,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(LIST.as_str())
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(range.start.to_string())
        .bind(range.end.to_string());
    document(readers, query).await
}
