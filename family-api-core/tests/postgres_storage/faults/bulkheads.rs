//! A server of distributed tables that does not respond, beside servers that do.
//!
//! [`Database::distribute`](family_api_testing::Database::distribute) tells the storage that the family `one` is on a
//! server of its own. All tables stay on one server, so locks stand for a server that does not respond.

use family_api_core::resource::Task;
use family_api_core::storage::postgres::{CITUS_DISTRIBUTION, PostgresStorage};
use family_api_core::storage::{KeyStorage, SignedIn, StorageError};
use family_api_testing::Database;
use futures_util::future::{join, join_all};
use sqlx::Executor;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::family::{AT, Fixture, delete, member, write};
use crate::faults::queries::{Query, expected_results};
use crate::faults::{assert_unavailable, wait_for_lock_waiters};

/// Blocks writes in the family `one`, which is on a server of its own.
const LOCK_FAMILY_ONE: &str = "BEGIN; UPDATE families SET name = name WHERE id = 'one'";

/// Blocks writes in the family `two`, which is on the same server as keys, sessions and passwords.
const LOCK_FAMILY_TWO: &str = "BEGIN; UPDATE families SET name = name WHERE id = 'two'";

/// Blocks revocations of keys of a user, which query several servers.
const LOCK_USER_ONE: &str = "BEGIN; INSERT INTO _family_api_user_locks VALUES ('user-one')";

async fn delete_task(storage: &PostgresStorage, family: &str) -> Result<(), StorageError> {
    write(storage, member(family), delete::<Task>("absent")).await.map(drop)
}

async fn revoke_key(storage: &PostgresStorage) -> Result<(), StorageError> {
    let user = SignedIn { user: member("one").user, session: None };
    storage.revoke_key(&user, &"absent".parse().unwrap(), AT.parse().unwrap()).await.map(drop)
}

/// Makes 8 calls that `lock` blocks, on a storage with 4 connections. Asserts that the calls hold `held` connections, and
/// that of the queries only those in `refused` find none.
async fn assert_refused(
    lock: &'static str,
    call: impl AsyncFn(&PostgresStorage) -> Result<(), StorageError>,
    held: u8,
    refused: &[Query],
) {
    let fixture = Fixture::with_all_records().await;
    let expected = expected_results(&fixture).await;
    let mut host = fixture.database.distribute(CITUS_DISTRIBUTION).await;
    let storage = open_without_timeout(&fixture.database, 4).await;
    let mut lock_holder = fixture.connect_host().await;
    lock_holder.execute(lock).await.unwrap();
    let queries = async {
        wait_for_lock_waiters(&mut host, held.into()).await;
        let queries = expected.iter().map(async |(query, expected)| {
            let found = query.run(&storage).await;
            if refused.contains(query) {
                assert_unavailable(&found);
            } else {
                assert_eq!(found.unwrap(), *expected, "{query:?}");
            }
        });
        join_all(queries).await;
        wait_for_lock_waiters(&mut host, held.into()).await;
        lock_holder.execute("ROLLBACK").await.unwrap();
    };
    let (calls, ()) = join(join_all((0..8).map(|_| call(&storage))), queries).await;
    assert_eq!(calls.iter().filter(|result| result.is_ok()).count(), usize::from(held), "{calls:?}");
}

/// Opens a storage whose statements have no timeout.
async fn open_without_timeout(database: &Database, connections: u32) -> PostgresStorage {
    let server: PgConnectOptions = database.url().parse().unwrap();
    let pool = PgPoolOptions::new().max_connections(connections).connect_with(server.application_name("family-api"));
    PostgresStorage::from_pool(pool.await.unwrap()).await.unwrap()
}

tests! {
    async fn calls_to_one_server_leave_connections_for_the_others() {
        let refused = [
            Query::Account,
            Query::Events,
            Query::Key,
            Query::Members,
            Query::Notes,
            Query::OverlappingEvents,
            Query::Profile,
            Query::Shopping,
            Query::Tasks,
            Query::TaskStats,
        ];
        assert_refused(LOCK_FAMILY_ONE, async |storage| delete_task(storage, "one").await, 2, &refused).await;
    }

    async fn calls_for_keys_sessions_and_passwords_use_the_bulkhead_of_their_server() {
        let refused = [Query::Key, Query::Password, Query::Session];
        assert_refused(LOCK_FAMILY_TWO, async |storage| delete_task(storage, "two").await, 2, &refused).await;
    }

    async fn calls_to_several_servers_have_a_bulkhead_of_their_own() {
        assert_refused(LOCK_USER_ONE, revoke_key, 1, &[Query::Keys]).await;
    }
}
