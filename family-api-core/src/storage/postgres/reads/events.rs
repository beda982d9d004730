//! Reads of calendar events.

use crate::Timestamp;
use crate::calendar::EventRange;
use crate::resource::{Document, Event};
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::decode::{records, revision};
use crate::storage::postgres::decode_records::{event, event_columns};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::instant::Instant;
use crate::storage::{Member, StorageError};

/// Has no `ORDER BY`: the index returns the events almost in order, so sorting them in Rust is cheaper.
pub(super) const LIST: &str = concat!(
    "SELECT ",
    event_columns!(),
    ", f.revision
    FROM families f
    LEFT JOIN events e ON e.family_id = $1 AND e.start_date >= $2 AND e.end_date <= $3
    LEFT JOIN users assignee ON assignee.id = e.assignee_id AND assignee.family_id = $1
    WHERE f.id = $1"
);

/// Lists the events in a range. A missing bound is replaced by the minimum or maximum, so that the index always
/// applies.
pub(super) async fn list(
    connections: &Connections,
    member: &Member,
    range: &EventRange,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(LIST)
        .bind(member.family.as_str())
        .bind(Instant(range.from.unwrap_or(Timestamp::MIN)))
        .bind(Instant(range.to.unwrap_or(Timestamp::MAX)));
    let rows = query.fetch_all(&mut *connections.lease().await?).await.map_err(fault)?;
    let mut events = records(&rows, event)?;
    events.sort_by(|one, other| (one.start_date, &one.id).cmp(&(other.start_date, &other.id)));
    Ok(Document::of(&events)?.at(revision(&rows)?))
}
