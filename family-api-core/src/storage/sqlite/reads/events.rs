//! Reads of calendar events.

use sqlx::SqlitePool;

use crate::calendar::EventRange;
use crate::resource::{Document, Event};
use crate::storage::sqlite::reads::document;
use crate::storage::{Member, StorageError};
use crate::timestamp::Timestamp;

pub(super) const LIST: &str = concat!(
    people!(),
    "SELECT concat(",
    array!(
        object! {
            "id": value!("e.id"),
            "title": value!("e.title"),
            "description": value!("e.description"),
            "emoji": value!("e.emoji"),
            "color": value!("e.color"),
            "startDate": value!("e.start_date"),
            "endDate": value!("e.end_date"),
            "allDay": boolean!("e.all_day"),
            "location": value!("e.location"),
            "recurrence": value!("e.recurrence"),
            "assigneeId": value!("e.assignee_id"),
            "assignee": raw!("e.assignee"),
            "createdAt": value!("e.created_at"),
            "updatedAt": value!("e.updated_at"),
        },
        of "(
            SELECT events.*, people.person AS assignee
            FROM events
            LEFT JOIN people ON people.id = assignee_id
            WHERE family_id = ?1 AND start_date >= ?2 AND end_date <= ?3
            ORDER BY start_date, events.id
        ) e"
    ),
    "), ",
    revision!(),
);

/// Lists the events in a range. A missing bound is replaced by the minimum or maximum timestamp, so that the statement
/// always has both conditions and can use the index.
pub(super) async fn list(
    readers: &SqlitePool,
    member: &Member,
    range: &EventRange,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(LIST)
        .bind(member.family.as_str())
        .bind(range.from.unwrap_or(Timestamp::MIN).to_string())
        .bind(range.to.unwrap_or(Timestamp::MAX).to_string());
    document(readers, query).await
}
