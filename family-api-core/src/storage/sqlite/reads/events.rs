//! Calendar events.

use sqlx::SqlitePool;

use crate::Timestamp;
use crate::calendar::EventRange;
use crate::resource::{Document, Event};
use crate::storage::sqlite::reads::document;
use crate::storage::sqlite::shapes::person;
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    "SELECT json_group_array(
        json_object(
            'id', e.id, 'title', e.title, 'description', e.description, 'emoji', e.emoji, 'color', e.color,
            'startDate', e.start_date, 'endDate', e.end_date, 'allDay', json(iif(e.all_day, 'true', 'false')),
            'location', e.location, 'recurrence', e.recurrence, 'assigneeId', e.assignee_id, 'assignee', ",
    person!("assignee"),
    ",
            'createdAt', e.created_at, 'updatedAt', e.updated_at
        ) ORDER BY e.start_date, e.id
    ), (SELECT revision FROM families WHERE id = ?1)
    FROM events e
    LEFT JOIN users assignee ON assignee.id = e.assignee_id AND assignee.family_id = ?1
    WHERE e.family_id = ?1 AND e.start_date >= ?2 AND e.end_date <= ?3"
);

/// An open end is the first or the last instant there is, so that the range always leads the index.
pub(super) async fn list(
    readers: &SqlitePool,
    member: &Member,
    range: &EventRange,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query_as(LIST)
        .bind(member.family.as_str())
        .bind(range.from.unwrap_or(Timestamp::MIN).to_string())
        .bind(range.to.unwrap_or(Timestamp::MAX).to_string());
    document(readers, query).await
}
