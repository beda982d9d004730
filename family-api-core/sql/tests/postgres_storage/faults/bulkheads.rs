//! A server of distributed tables that does not respond, beside servers that do.
//!
//! [`Database::distribute`] tells the storage that the family `one` is on one server, passwords on another, and
//! everything else on a third. All tables stay on one server, so locks stand for a server that does not respond.

use family_api_core::resource::Task;
use family_api_core::storage::{CredentialStorage, KeyStorage, SignedIn, StorageError};
use family_api_sql::postgres::{CITUS_DISTRIBUTION, PostgresStorage};
use family_api_testing::Database;
use futures_util::future::{join, join_all};
use sqlx::Executor;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::family::{AT, Fixture, delete, member, write};
use crate::faults::changes::Change;
use crate::faults::queries::{Query, expected_results};
use crate::faults::{assert_unavailable, wait_for_lock_waiters};

/// The number of connections. Calls to one server can hold 8 of them, and calls to several servers 4.
const CONNECTIONS: u32 = 16;

/// A server that does not respond.
struct Fault {
    /// Begins a transaction that blocks `call`.
    lock: &'static str,
    call: Blocked,
    /// The number of connections that its calls can hold.
    held: u8,
    /// The queries that need this server.
    queries: &'static [Query],
    /// The changes that need this server.
    changes: &'static [Change],
}

/// A call that a lock blocks.
#[derive(Clone, Copy)]
enum Blocked {
    Deletion { family: &'static str },
    Password,
    Revocation,
}

impl Blocked {
    async fn run(self, storage: &PostgresStorage) -> Result<(), StorageError> {
        match self {
            Self::Deletion { family } => write(storage, member(family), delete::<Task>("absent")).await.map(drop),
            Self::Password => storage.find_password("two@example.org").await.map(drop),
            Self::Revocation => {
                let user = SignedIn { user: member("one").user, session: None };
                storage.revoke_key(&user, &"absent".parse().unwrap(), AT.parse().unwrap()).await.map(drop)
            }
        }
    }
}

/// The server of the family `one` alone.
const FAMILY: Fault = Fault {
    lock: "BEGIN; UPDATE families SET name = name WHERE id = 'one'",
    call: Blocked::Deletion { family: "one" },
    held: 8,
    queries: &[
        Query::Account,
        Query::Events,
        Query::Feed,
        Query::Key,
        Query::Members,
        Query::Notes,
        Query::OverlappingEvents,
        Query::Profile,
        Query::Shopping,
        Query::Tasks,
        Query::TaskStats,
    ],
    changes: &[Change::CreateEvent, Change::DeleteNote, Change::MoveTask, Change::UpdateNote],
};

/// The server of the family `two`, and of keys and sessions.
const TOKENS: Fault = Fault {
    lock: "BEGIN; UPDATE families SET name = name WHERE id = 'two'",
    call: Blocked::Deletion { family: "two" },
    held: 8,
    queries: &[Query::Key, Query::Session],
    changes: &[Change::DeleteSession, Change::InsertSession],
};

/// The server of passwords.
const PASSWORDS: Fault = Fault {
    lock: "BEGIN; LOCK TABLE passwords",
    call: Blocked::Password,
    held: 8,
    queries: &[Query::Password],
    changes: &[],
};

/// Any of the servers, for calls that need several.
const SEVERAL: Fault = Fault {
    lock: "BEGIN; INSERT INTO _family_api_user_locks VALUES ('user-one')",
    call: Blocked::Revocation,
    held: 4,
    queries: &[Query::Keys],
    changes: &[
        Change::DeleteFeed,
        Change::InsertFeed,
        Change::InsertKey,
        Change::RevokeKey,
        Change::UpdateFeed,
        Change::UpdatePassword,
        Change::UpdateProfile,
    ],
};

impl Fault {
    /// Makes more calls that are blocked than can hold connections. Asserts that only the calls that need the same
    /// server are refused, and that the others return the correct results.
    async fn assert_refusals(&self) {
        let fixture = Fixture::with_all_records().await;
        let expected = expected_results(&fixture).await;
        let mut host = fixture.database.distribute(CITUS_DISTRIBUTION).await;
        let storage = &open_without_timeout(&fixture.database).await;
        let mut lock_holder = fixture.connect_host().await;
        lock_holder.execute(self.lock).await.unwrap();
        let blocked = join_all((0..self.held * 2).map(|_| self.call.run(storage)));
        let others = async {
            wait_for_lock_waiters(&mut host, self.held.into()).await;
            join_all(expected.iter().map(async |(query, expected)| {
                let found = query.run(storage).await;
                if self.queries.contains(query) {
                    assert_unavailable(&found);
                } else {
                    assert_eq!(found.unwrap(), *expected, "{query:?}");
                }
            }))
            .await;
            wait_for_lock_waiters(&mut host, self.held.into()).await;
            let refused = self.changes.iter().map(async |change| assert_unavailable(&change.try_make(storage).await));
            join_all(refused).await;
            lock_holder.execute("ROLLBACK").await.unwrap();
        };
        let (blocked, ()) = join(blocked, others).await;
        assert_eq!(blocked.iter().filter(|result| result.is_ok()).count(), usize::from(self.held), "{blocked:?}");
        for change in Change::ALL {
            let done = change.try_make(storage).await;
            assert!(done.is_ok(), "{change:?}: {done:?}");
        }
    }
}

/// Opens a storage whose statements have no timeout.
async fn open_without_timeout(database: &Database) -> PostgresStorage {
    let server: PgConnectOptions = database.url().parse().unwrap();
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS);
    let pool = pool.connect_with(server.application_name("family-api")).await.unwrap();
    PostgresStorage::from_pool(pool).await.unwrap()
}

tests! {
    async fn calls_for_a_family_leave_connections_for_other_servers() {
        FAMILY.assert_refusals().await;
    }

    async fn calls_for_keys_and_sessions_leave_connections_for_other_servers() {
        TOKENS.assert_refusals().await;
    }

    async fn calls_for_passwords_leave_connections_for_other_servers() {
        PASSWORDS.assert_refusals().await;
    }

    async fn calls_to_several_servers_leave_connections_for_calls_to_one() {
        SEVERAL.assert_refusals().await;
    }
}
