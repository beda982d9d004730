//! Reads of the events that overlap a range of instants.

use std::ops::Range;
use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::resource::{Document, Event, Person};
use family_api_core::storage::{Member, StorageError};

use crate::columns::columns;
use crate::postgres::database::Database;
use crate::postgres::reads::document;
use crate::postgres::reads::events::events;
use crate::postgres::timestamp::PgTimestamp;
use crate::visible::is_member;

/// `IS TRUE` keeps the condition on the start out of the index lookup. Otherwise, PostgreSQL may read all earlier events
/// by the index on the start.
pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {event}, {assignee}, f.revision
        FROM families f
        LEFT JOIN (
            SELECT * FROM events
            WHERE family_id = $1 AND recurrence IS NULL AND end_date >= $3 AND (start_date < $4) IS TRUE
            UNION ALL
            SELECT * FROM events
            WHERE family_id = $1 AND recurrence IS NOT NULL
        ) e ON TRUE
        LEFT JOIN users assignee ON assignee.id = e.assignee_id AND assignee.family_id = $1
        WHERE f.id = $1 AND {is_member}",
        event = columns::<Event>("e"),
        assignee = columns::<Person>("assignee"),
        is_member = is_member!("$2" of "$1"),
    )
});

/// Lists the events that overlap the range and do not recur, and all events that recur.
pub(super) async fn list(
    database: &Database,
    member: &Member,
    range: &Range<Timestamp>,
) -> Result<Document<Vec<Event>>, StorageError> {
    let query = sqlx::query(LIST.as_str())
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(PgTimestamp(range.start))
        .bind(PgTimestamp(range.end));
    document(database, member, query, events).await
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;
    use sqlx::Executor;

    use super::LIST;
    use crate::postgres::query_plans::{create_migrated_database, rows_read};

    /// A family with 5,000 events of an hour on the days before the range, one in the range, and one that recurs.
    const SEED: &str = "
        INSERT INTO families (id, name, created_at, updated_at) VALUES ('f', '', '2026-01-01Z', '2026-01-01Z');
        INSERT INTO users (id, family_id, name, email, display_currency, time_zone, personal_api_enabled,
            llm_key_configured, created_at, updated_at)
        VALUES ('ana', 'f', '', 'ana@x', 'EUR', 'UTC', TRUE, FALSE, '2026-01-01Z', '2026-01-01Z');
        INSERT INTO events (family_id, id, title, start_date, end_date, all_day, recurrence, created_at, updated_at)
        SELECT 'f', 'e' || n, '', at, at + interval '1 hour', FALSE, CASE WHEN n = 4000 THEN 'FREQ=DAILY' END,
               '2026-01-01Z', '2026-01-01Z'
        FROM (SELECT n, timestamptz '2026-11-20Z' - n * interval '1 day' AS at FROM generate_series(0, 5000) AS n) events;";

    postgres_tests! {
        async fn earlier_events_do_not_increase_the_number_of_rows_read() {
            let database = create_migrated_database().await;
            let mut connection = database.connect().await;
            connection.execute(SEED).await.unwrap();
            for analyze in ["SELECT 1", "ANALYZE events"] {
                connection.execute(analyze).await.unwrap();
                let rows = rows_read(&mut connection, &LIST, "'f', 'ana', '2026-11-20Z', '2026-11-21Z'").await;
                // The family, the member and the two events. A bitmap scan reads each row twice: in the index and in the
                // table.
                assert!(rows <= 8.0, "{rows} rows after {analyze}");
            }
        }
    }
}
