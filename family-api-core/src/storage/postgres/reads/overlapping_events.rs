//! Reads of the events that overlap a range of instants.

use std::ops::Range;

use crate::Timestamp;
use crate::resource::{Document, Event};
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::decode::{records, revision};
use crate::storage::postgres::decode_records::{event, event_columns};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::timestamp::PgTimestamp;
use crate::storage::{Member, StorageError};

/// `IS TRUE` keeps the condition on the start out of the index lookup. Otherwise, PostgreSQL may read all earlier events
/// by the index on the start.
///
/// There is no `ORDER BY`, because a sort in Rust is cheaper.
pub(super) const LIST: &str = concat!(
    "SELECT ",
    event_columns!(),
    ", f.revision
    FROM families f
    LEFT JOIN (
        SELECT * FROM events
        WHERE family_id = $1 AND recurrence IS NULL AND end_date >= $2 AND (start_date < $3) IS TRUE
        UNION ALL
        SELECT * FROM events
        WHERE family_id = $1 AND recurrence IS NOT NULL AND start_date < $3
    ) e ON TRUE
    LEFT JOIN users assignee ON assignee.id = e.assignee_id AND assignee.family_id = $1
    WHERE f.id = $1"
);

/// Lists the events that overlap the range and do not recur, and those that recur and start before its end.
pub(super) async fn list(
    connections: &Connections,
    member: &Member,
    range: &Range<Timestamp>,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query =
        sqlx::query(LIST).bind(member.family.as_str()).bind(PgTimestamp(range.start)).bind(PgTimestamp(range.end));
    let rows = query.fetch_all(&mut *connections.lease().await?).await.map_err(fault)?;
    let mut events = records(&rows, event)?;
    events.sort_by(|one, other| (one.start_date, &one.id).cmp(&(other.start_date, &other.id)));
    Ok(Document::of(&events)?.with_revision(revision(&rows)?))
}
