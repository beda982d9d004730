//! Reads of calendar events.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::calendar::EventRange;
use family_api_core::id::EventId;
use family_api_core::resource::{Document, Event, Person};
use family_api_core::storage::value::{StoredFields, Values};
use family_api_core::storage::{Member, StorageError};

use crate::columns::columns;
use crate::postgres::database::Database;
use crate::postgres::reads::document;
use crate::postgres::row::{Row, records};
use crate::postgres::timestamp::PgTimestamp;
use crate::visible::is_member;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| matching("e.start_date >= $3 AND e.end_date <= $4"));

/// `$3` is the event.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| matching("e.id = $3"));

/// Returns the statement for events that meet this condition.
fn matching(condition: &str) -> String {
    format!(
        "SELECT {event}, {assignee}, f.revision
        FROM families f
        LEFT JOIN events e ON e.family_id = $1 AND {condition}
        LEFT JOIN users assignee ON assignee.id = e.assignee_id AND assignee.family_id = $1
        WHERE f.id = $1 AND {is_member}",
        event = columns::<Event>("e"),
        assignee = columns::<Person>("assignee"),
        is_member = is_member!("$2" of "$1"),
    )
}

/// Lists the events in a range. A missing bound is replaced by the minimum or maximum timestamp, so that the statement
/// always has both conditions and can use the index.
pub(super) async fn list(
    database: &Database,
    member: &Member,
    range: &EventRange,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(LIST.as_str())
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(PgTimestamp(range.from.unwrap_or(Timestamp::MIN)))
        .bind(PgTimestamp(range.to.unwrap_or(Timestamp::MAX)));
    document(database, member, query, events).await
}

pub(super) async fn find(
    database: &Database,
    member: &Member,
    event: &EventId,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(FIND.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(event.as_str());
    document(database, member, query, events).await
}

/// Reads the events of the rows and sorts them. No statement sorts them: an index returns the events almost in order, so
/// a sort in Rust is cheaper.
pub(super) fn events(rows: &[Row]) -> Result<Vec<Event>, StorageError> {
    let mut events = records(rows, event)?;
    events.sort_by(|one, other| (one.start_date, &one.id).cmp(&(other.start_date, &other.id)));
    Ok(events)
}

fn event(values: &mut Values<'_, Row>) -> Result<Event, StorageError> {
    let event = Event::read(values)?;
    Ok(Event { assignee: values.joined()?, ..event })
}
