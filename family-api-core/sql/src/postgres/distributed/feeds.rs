//! Calendar feeds: lookup, and changes of the time zone of their owner.

use std::sync::LazyLock;

use family_api_core::calendar::Zone;
use family_api_core::id::UserId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{FoundFeed, StorageError};

use crate::account::ACCOUNT_COLUMNS;
use crate::feeds::{found_columns, found_feed};
use crate::postgres::database::Database;
use crate::postgres::distributed::credentials::move_lease_and_find_family;
use crate::postgres::membership::member_account;
use crate::sql_connection::SqlConnection;

/// Does not join the family, which can be on another server.
static FIND_FEED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, u.family_id, {ACCOUNT_COLUMNS}
        FROM calendar_feeds c
        LEFT JOIN calendar_ids i ON i.name = 'uid'
        LEFT JOIN users u ON u.id = c.user_id
        WHERE c.digest = $1",
        found_columns()
    )
});

const INCREMENT_SEQUENCES: &str = "
    UPDATE calendar_feeds SET sequence = least(sequence + 1, 2147483647)
    WHERE user_id = $1 AND EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.time_zone <> $2)";

/// Finds a feed and its owner's family with two statements, because the family can be on another server.
pub(crate) async fn find_feed(database: &Database, digest: &KeyDigest) -> Result<Option<FoundFeed>, StorageError> {
    let mut connection = database.lease().await?;
    let Some(row) = connection.find_row(&FIND_FEED, vec![Datum::of(digest)]).await? else {
        return Ok(None);
    };
    let mut found = found_feed(&mut Values::of(&row), member_account)?;
    found.account = move_lease_and_find_family(database, connection, found.account).await?;
    Ok(Some(found))
}

/// Increments the sequences of a user's feeds if the time zone will change. The engine has no triggers, so each change
/// of a user calls this first.
pub(crate) async fn increment_feed_sequences(
    connection: &mut impl SqlConnection,
    user: &UserId,
    zone: &Zone,
) -> Result<(), StorageError> {
    connection.execute(INCREMENT_SEQUENCES, vec![Datum::of(user), Datum::of(zone)]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::*;
    use crate::postgres::query_plans::assert_index_lookups_if_distributed;

    postgres_tests! {
        async fn distributed_feeds_are_looked_up_by_index() {
            assert_index_lookups_if_distributed(&[&FIND_FEED, INCREMENT_SEQUENCES]).await;
        }
    }
}
