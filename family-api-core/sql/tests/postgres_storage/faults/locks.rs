//! Calls that wait for a lock of the host app, or of another call.

use family_api_core::access::Refusal;
use family_api_core::change::NoteChange;
use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::resource::Note;
use family_api_core::storage::{
    Author, Credential, CredentialStorage, GrantRevocation, GrantStorage, Health, KeyRevocation, KeyStorage, Written,
};
use family_api_sql::postgres::PostgresStorage;
use futures_util::future::join_all;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection, Executor, PgConnection};

use crate::family::{AT, Fixture, member, update, write};
use crate::faults::changes::Change;
use crate::faults::queries::{Query, expected_results};
use crate::faults::{assert_unavailable, rows, session, wait_for_lock_waiters};

const LOCK_FAMILY: &str = "SELECT 1 FROM families WHERE id = 'one' FOR UPDATE";

const LOCK_NOTE: &str = "SELECT 1 FROM notes WHERE family_id = 'one' AND id = 'note-one' FOR UPDATE";

const LOCK_TASK: &str = "SELECT 1 FROM tasks WHERE family_id = 'one' AND id = 'task-one' FOR UPDATE";

/// Selects whether the host's change and the call's move are both stored, and the revision is `$1`.
const BOTH_MADE: &str = r#"
    SELECT f.name = 'the host''s' AND t."order" = 1 AND f.revision = $1
    FROM families f JOIN tasks t ON t.family_id = f.id WHERE f.id = 'one' AND t.id = 'task-one'"#;

/// Causes a deadlock: the call that moves a task locks the family first and then the task, the host locks the task
/// first.
///
/// The server rolls back the transaction whose `deadlock_timeout` ends first. Returns whether it was the host's
/// transaction.
async fn deadlock(fixture: &Fixture, host_deadlock_timeout: &'static str) -> bool {
    let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
    host.execute(host_deadlock_timeout).await.unwrap();
    let mut transaction = host.begin().await.unwrap();
    transaction.execute(LOCK_TASK).await.unwrap();
    let storage = fixture.storage.clone();
    let call = tokio::spawn(async move { Change::MoveTask.make(&storage).await });
    wait_for_lock_waiters(&mut observer, 1).await;
    let changed = transaction.execute("UPDATE families SET name = 'the host''s' WHERE id = 'one'").await;
    let host_rolled_back = match changed {
        Ok(_) => {
            transaction.commit().await.unwrap();
            false
        }
        Err(error) => {
            assert_eq!(error.as_database_error().unwrap().code().as_deref(), Some("40P01"));
            transaction.rollback().await.unwrap();
            true
        }
    };
    call.await.unwrap().unwrap();
    host_rolled_back
}

async fn revision(host: &mut PgConnection) -> i64 {
    sqlx::query_scalar("SELECT revision FROM families WHERE id = 'one'").fetch_one(host).await.unwrap()
}

/// Starts a change with this credential, which waits for a lock on the note. Then starts `ending`, which ends the
/// credential and waits for the change. Returns the results of both.
async fn end_credential_during_change<T: Send + 'static>(
    fixture: &Fixture,
    credential: Credential,
    ending: impl Future<Output = T> + Send + 'static,
) -> (Written<Note>, T) {
    let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
    let mut transaction = host.begin().await.unwrap();
    transaction.execute(LOCK_NOTE).await.unwrap();
    let change = tokio::spawn(change_note(fixture.storage.clone(), credential));
    wait_for_lock_waiters(&mut observer, 1).await;
    let ending = tokio::spawn(ending);
    wait_for_lock_waiters(&mut observer, 2).await;
    transaction.rollback().await.unwrap();
    (change.await.unwrap(), ending.await.unwrap())
}

async fn change_note(storage: PostgresStorage, credential: Credential) -> Written<Note> {
    let author = Author { member: member("one"), credential };
    let change = NoteChange::new().title("late").build().unwrap();
    write(&storage, author, update("note-one", change)).await.unwrap()
}

const ENABLE_PERSONAL_API: &str = "UPDATE users SET personal_api_enabled = TRUE";

tests! {
    async fn a_revocation_waits_for_a_running_change() {
        let fixture = Fixture::with_all_records().await;
        fixture.connect_host().await.execute(ENABLE_PERSONAL_API).await.unwrap();
        let (storage, owner) = (fixture.storage.clone(), member("one").user.into());
        let revocation = async move {
            storage.revoke_key(&owner, &"key-one".parse().unwrap(), AT.parse().unwrap()).await.unwrap()
        };
        let key = Credential::Key(KeyDigest::from_bytes([0x11; 32]));
        let (changed, revoked) = end_credential_during_change(&fixture, key.clone(), revocation).await;
        assert!(matches!(changed, Written::Updated { .. }), "{changed:?}");
        assert_eq!(revoked, KeyRevocation::Revoked);
        assert_eq!(change_note(fixture.storage.clone(), key).await, Written::Unauthorized(Refusal::Revoked));
    }

    async fn a_revocation_of_a_connection_waits_for_a_running_change() {
        let fixture = Fixture::with_all_records().await;
        fixture.connect_host().await.execute(ENABLE_PERSONAL_API).await.unwrap();
        let token = Credential::Grant(fixture.connect_client("user-one").await);
        let (storage, owner) = (fixture.storage.clone(), member("one").user.into());
        let revocation = async move {
            storage.revoke_grant(&owner, &"user-one".parse().unwrap(), AT.parse().unwrap()).await.unwrap()
        };
        let (changed, revoked) = end_credential_during_change(&fixture, token.clone(), revocation).await;
        assert!(matches!(changed, Written::Updated { .. }), "{changed:?}");
        assert_eq!(revoked, GrantRevocation::Revoked);
        assert_eq!(change_note(fixture.storage.clone(), token).await, Written::Unauthorized(Refusal::Unknown));
    }

    async fn a_revocation_of_all_access_waits_for_a_running_change() {
        for with_key in [true, false] {
            let fixture = Fixture::with_all_records().await;
            fixture.connect_host().await.execute(ENABLE_PERSONAL_API).await.unwrap();
            let token = Credential::Grant(fixture.connect_client("user-one").await);
            let key = Credential::Key(KeyDigest::from_bytes([0x11; 32]));
            let (storage, owner) = (fixture.storage.clone(), member("one").user.into());
            let revocation = async move { storage.revoke_access(&owner, AT.parse().unwrap()).await.unwrap() };
            let used = if with_key { key.clone() } else { token.clone() };
            let (changed, revoked) = end_credential_during_change(&fixture, used, revocation).await;
            assert!(matches!(changed, Written::Updated { .. }), "{changed:?}");
            assert_eq!(revoked, Some(RevokedAccess { keys: 1, connections: 1, feeds: 1 }));
            for (credential, refusal) in [(key, Refusal::Revoked), (token, Refusal::Unknown)] {
                let refused = change_note(fixture.storage.clone(), credential).await;
                assert_eq!(refused, Written::Unauthorized(refusal));
            }
        }
    }

    async fn a_logout_waits_for_a_running_change() {
        let fixture = Fixture::with_all_records().await;
        let (storage, digest) = (fixture.storage.clone(), session(0x33).digest);
        let logout = async move { storage.delete_session(&digest).await.unwrap() };
        let credential = Credential::Session(Some(digest));
        let (changed, ended) = end_credential_during_change(&fixture, credential.clone(), logout).await;
        assert!(matches!(changed, Written::Updated { .. }) && ended, "{changed:?}");
        assert_eq!(change_note(fixture.storage.clone(), credential).await, Written::Unauthorized(Refusal::UserGone));
    }

    async fn a_revocation_does_not_wait_for_a_change_that_waits_for_its_family() {
        let fixture = Fixture::with_all_records().await;
        fixture.connect_host().await.execute(ENABLE_PERSONAL_API).await.unwrap();
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let mut transaction = host.begin().await.unwrap();
        transaction.execute(LOCK_FAMILY).await.unwrap();
        let key = Credential::Key(KeyDigest::from_bytes([0x11; 32]));
        let change = tokio::spawn(change_note(fixture.storage.clone(), key));
        wait_for_lock_waiters(&mut observer, 1).await;
        let owner = member("one").user.into();
        let revoked = fixture.storage.revoke_key(&owner, &"key-one".parse().unwrap(), AT.parse().unwrap()).await;
        assert_eq!(revoked.unwrap(), KeyRevocation::Revoked);
        transaction.rollback().await.unwrap();
        assert_eq!(change.await.unwrap(), Written::Unauthorized(Refusal::Revoked));
    }

    async fn a_host_that_locks_the_family_first_does_not_cause_a_deadlock() {
        let fixture = Fixture::with_all_records().await;
        fixture.connect_host().await.execute(ENABLE_PERSONAL_API).await.unwrap();
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        host.execute("SET deadlock_timeout = '1ms'").await.unwrap();
        let mut transaction = host.begin().await.unwrap();
        transaction.execute("UPDATE families SET revision = revision + 1 WHERE id = 'one'").await.unwrap();
        let key = Credential::Key(KeyDigest::from_bytes([0x11; 32]));
        let change = tokio::spawn(change_note(fixture.storage.clone(), key));
        wait_for_lock_waiters(&mut observer, 1).await;
        transaction.execute("UPDATE users SET name = 'the host''s' WHERE family_id = 'one'").await.unwrap();
        transaction.commit().await.unwrap();
        assert!(matches!(change.await.unwrap(), Written::Updated { .. }));
    }

    async fn a_change_waits_for_a_running_revocation_and_is_refused() {
        let fixture = Fixture::with_all_records().await;
        fixture.connect_host().await.execute(ENABLE_PERSONAL_API).await.unwrap();
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let mut transaction = host.begin().await.unwrap();
        transaction.execute("UPDATE integration_keys SET revoked_at = now() WHERE id = 'key-one'").await.unwrap();
        let key = Credential::Key(KeyDigest::from_bytes([0x11; 32]));
        let change = tokio::spawn(change_note(fixture.storage.clone(), key));
        wait_for_lock_waiters(&mut observer, 1).await;
        transaction.commit().await.unwrap();
        assert_eq!(change.await.unwrap(), Written::Unauthorized(Refusal::Revoked));
    }

    async fn a_call_rolled_back_in_a_deadlock_is_retried() {
        let fixture = Fixture::with_all_records().await;
        let mut host = fixture.connect_host().await;
        let before = revision(&mut host).await;
        assert!(!deadlock(&fixture, "SET deadlock_timeout = '30s'").await);
        let both = sqlx::query_scalar(BOTH_MADE).bind(before + 1).fetch_one(&mut host).await;
        assert!(both.unwrap_or(false), "both changes must be stored, the call exactly once");
    }

    async fn a_call_succeeds_if_a_deadlock_rolls_back_the_host() {
        let fixture = Fixture::with_all_records().await;
        assert!(deadlock(&fixture, "SET deadlock_timeout = '1ms'").await);
        assert_eq!(rows(&mut fixture.connect_host().await).await, Change::MoveTask.rows_after().await);
    }

    async fn a_lock_timeout_makes_a_change_unavailable_but_not_queries() {
        let fixture = Fixture::with_all_records().await;
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let (before, expected) = (rows(&mut observer).await, expected_results(&fixture).await);
        let mut transaction = host.begin().await.unwrap();
        transaction.execute(LOCK_FAMILY).await.unwrap();
        let storage = fixture.storage.clone();
        let call = tokio::spawn(async move { Change::UpdateNote.make(&storage).await });
        wait_for_lock_waiters(&mut observer, 1).await;
        for (query, expected) in expected {
            assert_eq!(query.run(&fixture.storage).await.unwrap(), expected, "{query:?}");
        }
        assert_unavailable(&call.await.unwrap());
        // The statement timeout has also ended the statement on the server.
        wait_for_lock_waiters(&mut observer, 0).await;
        assert_eq!(rows(&mut observer).await, before);
        transaction.rollback().await.unwrap();
        Change::UpdateNote.make(&fixture.storage).await.unwrap();
    }

    async fn a_call_is_unavailable_if_every_connection_waits_for_a_lock() {
        let fixture = Fixture::with_connections(1).await;
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let mut transaction = host.begin().await.unwrap();
        transaction.execute(LOCK_FAMILY).await.unwrap();
        let storage = fixture.storage.clone();
        let call = tokio::spawn(async move { Change::DeleteNote.make(&storage).await });
        wait_for_lock_waiters(&mut observer, 1).await;
        assert_unavailable(&Query::Notes.run(&fixture.storage).await);
        transaction.rollback().await.unwrap();
        call.await.unwrap().unwrap();
        fixture.storage.check().await.unwrap();
    }

    async fn writes_that_wait_for_their_family_leave_connections_for_other_families() {
        let fixture = Fixture::with_connections(4).await;
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let mut transaction = host.begin().await.unwrap();
        transaction.execute(LOCK_FAMILY).await.unwrap();
        let storage = &fixture.storage;
        let rename = async |family: &str, number: u32| {
            let title = NoteChange::new().title(format!("new {number}")).build().unwrap();
            write::<Note>(storage, member(family), update(&format!("note-{family}"), title)).await
        };
        let waiting = join_all((0..10).map(|number| rename("one", number)));
        let others = async {
            wait_for_lock_waiters(&mut observer, 2).await;
            assert!(matches!(rename("two", 0).await, Ok(Written::Updated { .. })));
            wait_for_lock_waiters(&mut observer, 2).await;
            transaction.rollback().await.unwrap();
        };
        let (written, ()) = tokio::join!(waiting, others);
        for written in written {
            assert!(matches!(written, Ok(Written::Updated { .. })), "{written:?}");
        }
    }

    async fn a_call_ends_even_on_a_pool_without_acquire_timeout() {
        let fixture = Fixture::with_all_records().await;
        let pool = PgPoolOptions::new().max_connections(1).connect(fixture.database.url()).await.unwrap();
        let storage = PostgresStorage::from_pool(pool).await.unwrap();
        let mut host = fixture.connect_host().await;
        let mut transaction = host.begin().await.unwrap();
        transaction.execute(LOCK_FAMILY).await.unwrap();
        assert_unavailable(&Change::MoveTask.make(&storage).await);
        transaction.rollback().await.unwrap();
        storage.check().await.unwrap();
    }
}
