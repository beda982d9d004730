//! Calendar events.

use crate::Timestamp;
use crate::calendar::EventRange;
use crate::resource::{Document, Event};
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::instant::Instant;
use crate::storage::postgres::rows::{Values, revision};
use crate::storage::postgres::shapes::{event, event_columns};
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    "SELECT ",
    event_columns!(),
    ", (SELECT revision FROM families WHERE id = $1)
    FROM events e
    LEFT JOIN users assignee ON assignee.id = e.assignee_id AND assignee.family_id = $1
    WHERE e.family_id = $1 AND e.start_date >= $2 AND e.end_date <= $3
    ORDER BY e.start_date, e.id"
);

/// An open end is the first or the last instant there is, so that the range always leads the index.
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
    let events: Result<Vec<_>, _> = rows.iter().map(|row| event(&mut Values::of(row))).collect();
    Ok(Document::of(&events?)?.at(revision(&rows)?))
}
