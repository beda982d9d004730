//! Reads of calendar events.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::calendar::EventRange;
use family_api_core::id::EventId;
use family_api_core::resource::{Document, Event};
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::json_sql::{document_sql, event};
use crate::sqlite::reads::document;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| events("start_date >= ?3 AND end_date <= ?4"));

/// `?3` is the event.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| events("events.id = ?3"));

/// Returns the statement for events that meet this condition.
fn events(condition: &str) -> String {
    let events = format!(
        "(
        SELECT events.*, assignee.person AS assignee
        FROM events
        LEFT JOIN people assignee ON assignee.id = assignee_id
        WHERE family_id = ?1 AND {condition}
        ORDER BY start_date, events.id
    ) e"
    );
    document_sql(&event().sql(), &events)
}

/// Lists the events in a range. A missing bound is replaced by the minimum or maximum timestamp, so that the statement
/// always has both conditions and can use the index.
pub(super) async fn list(
    readers: &SqlitePool,
    member: &Member,
    range: &EventRange,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(LIST.as_str())
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(range.from.unwrap_or(Timestamp::MIN).to_string())
        .bind(range.to.unwrap_or(Timestamp::MAX).to_string());
    document(readers, query).await
}

pub(super) async fn find(
    readers: &SqlitePool,
    member: &Member,
    event: &EventId,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(FIND.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(event.as_str());
    document(readers, query).await
}
