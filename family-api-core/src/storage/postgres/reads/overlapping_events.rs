//! Reads of the events that overlap a range of instants.

use std::ops::Range;
use std::sync::LazyLock;

use crate::resource::{Document, Event, Person};
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::reads::events;
use crate::storage::postgres::timestamp::PgTimestamp;
use crate::storage::sql::columns;
use crate::storage::{Member, StorageError};
use crate::timestamp::Timestamp;

/// `IS TRUE` keeps the condition on the start out of the index lookup. Otherwise, PostgreSQL may read all earlier events
/// by the index on the start.
pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {event}, {assignee}, f.revision
        FROM families f
        LEFT JOIN (
            SELECT * FROM events
            WHERE family_id = $1 AND recurrence IS NULL AND end_date >= $2 AND (start_date < $3) IS TRUE
            UNION ALL
            SELECT * FROM events
            WHERE family_id = $1 AND recurrence IS NOT NULL AND start_date < $3
        ) e ON TRUE
        LEFT JOIN users assignee ON assignee.id = e.assignee_id AND assignee.family_id = $1
        WHERE f.id = $1",
        event = columns::<Event>("e"),
        assignee = columns::<Person>("assignee"),
    )
});

/// Lists the events that overlap the range and do not recur, and those that recur and start before its end.
pub(super) async fn list(
    connections: &Connections,
    member: &Member,
    range: &Range<Timestamp>,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(LIST.as_str())
        .bind(member.family.as_str())
        .bind(PgTimestamp(range.start))
        .bind(PgTimestamp(range.end));
    events::document(&query.fetch_all(&mut *connections.lease().await?).await.map_err(fault)?)
}
