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

#[cfg(test)]
mod tests {
    use family_api_testing::{Server, postgres_tests};
    use sqlx::Executor;

    use super::LIST;
    use crate::storage::postgres::PostgresStorage;
    use crate::storage::postgres::query_plans::rows_read;

    /// A family with 5,000 events of an hour on the days before the range, one in the range, and one that recurs.
    const SEED: &str = "
        INSERT INTO families (id, name, created_at, updated_at) VALUES ('f', '', '2026-01-01Z', '2026-01-01Z');
        INSERT INTO events (family_id, id, title, start_date, end_date, all_day, recurrence, created_at, updated_at)
        SELECT 'f', 'e' || n, '', at, at + interval '1 hour', FALSE, CASE WHEN n = 4000 THEN 'FREQ=DAILY' END,
               '2026-01-01Z', '2026-01-01Z'
        FROM (SELECT n, timestamptz '2026-11-20Z' - n * interval '1 day' AS at FROM generate_series(0, 5000) AS n) events;";

    postgres_tests! {
        async fn earlier_events_do_not_increase_the_number_of_rows_read() {
            let database = Server::shared().create_database().await;
            PostgresStorage::open(database.url()).await.unwrap().close().await;
            let mut connection = database.connect().await;
            connection.execute(SEED).await.unwrap();
            for analyze in ["SELECT 1", "ANALYZE events"] {
                connection.execute(analyze).await.unwrap();
                let rows = rows_read(&mut connection, LIST, "'f', '2026-11-20Z', '2026-11-21Z'").await;
                // The family and the two events. A bitmap scan reads each row twice: in the index and in the table.
                assert!(rows <= 6.0, "{rows} rows after {analyze}");
            }
        }
    }
}
