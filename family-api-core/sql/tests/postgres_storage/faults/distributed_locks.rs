//! A credential that ends at the same time as it is used, if the tables are distributed.

use family_api_core::change::ProfileChange;
use family_api_core::storage::{
    Administration, CredentialStorage, GrantRevocation, GrantStorage, KeyRevocation, KeyStorage, Selection, SignedIn,
    StorageError, UserStorage,
};
use family_api_sql::postgres::{CITUS_DISTRIBUTION, PostgresStorage};
use sqlx::{Connection, Executor};

use crate::family::{AT, Fixture, member};
use crate::faults::{password, session, wait_for_lock_waiters};
use crate::fixture::within_timeout;

/// A write of records holds this lock until its commit.
const LOCK_FAMILY: &str = "SELECT 1 FROM families WHERE id = 'one' FOR NO KEY UPDATE";

const LOCK_OTHER_FAMILY: &str = "SELECT 1 FROM families WHERE id = 'two' FOR NO KEY UPDATE";

const MOVE_USER: &str = "UPDATE users SET family_id = 'two' WHERE id = 'user-one'";

const WAITS_FOR: &str = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid)))";

/// Changes the password at the commit of a session, as a transaction does that commits at the same time.
const CHANGE_PASSWORD_AT_COMMIT: &str = "
    CREATE FUNCTION change_password() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE passwords SET phc = 'new' WHERE user_id = NEW.user_id;
        RETURN NULL;
    END
    $$;
    CREATE CONSTRAINT TRIGGER change_password AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION change_password()";

/// Opens a session at the commit of a new password.
const OPEN_SESSION_AT_COMMIT: &str = "
    CREATE FUNCTION open_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO sessions VALUES (sha256('late'), NEW.user_id, now(), now() + interval '1 day');
        RETURN NULL;
    END
    $$;
    CREATE CONSTRAINT TRIGGER open_session AFTER UPDATE ON passwords DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION open_session()";

/// Undoes the first revocation at its commit. To a reader, the server of a credential looks like this while the second
/// phase of a distributed commit has not reached it.
const UNDO_FIRST_REVOCATION: &str = "
    CREATE TABLE undone (id TEXT);
    CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM undone) THEN
            INSERT INTO undone VALUES (NEW.id);
            EXECUTE format('UPDATE %I SET revoked_at = NULL', TG_TABLE_NAME);
        END IF;
        RETURN NULL;
    END
    $$;
    CREATE CONSTRAINT TRIGGER undo AFTER UPDATE ON integration_keys DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION undo();
    CREATE CONSTRAINT TRIGGER undo AFTER UPDATE ON grants DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION undo()";

const COUNT_UNDONE: &str = "SELECT count(*) FROM undone";

const COUNT_REVOKED: &str = "
    SELECT count(*) FROM (
        SELECT id, revoked_at FROM integration_keys UNION ALL SELECT id, revoked_at FROM grants
    ) AS credentials
    JOIN undone USING (id)
    WHERE revoked_at IS NOT NULL";

const COUNT_SESSIONS: &str = "SELECT count(*) FROM sessions";

/// A change that makes a credential invalid. Returns whether it was made.
#[derive(Debug, Clone, Copy)]
enum End {
    Key,
    PersonalApi,
    GrantByUser,
    GrantByClient,
    /// The operator revokes the grant.
    OneGrant,
    /// The operator revokes the grants of the user.
    GrantsOfUser,
    /// The operator revokes the grants of all users.
    AllGrants,
}

impl End {
    async fn make(self, storage: &PostgresStorage) -> Result<bool, StorageError> {
        let user = member("one").user;
        let (signed_in, now) = (SignedIn::from(user), AT.parse().unwrap());
        let grant = "user-one".parse().unwrap();
        match self {
            Self::Key => {
                let key = "key-one".parse().unwrap();
                Ok(storage.revoke_key(&signed_in, &key, now).await? == KeyRevocation::Revoked)
            }
            Self::PersonalApi => {
                let off = ProfileChange::new().disable_personal_api();
                Ok(storage.update_profile(&signed_in, &off, now).await?.is_some())
            }
            Self::GrantByUser => Ok(storage.revoke_grant(&signed_in, &grant, now).await? == GrantRevocation::Revoked),
            Self::GrantByClient => storage.end_grant(&grant, now, None).await,
            Self::OneGrant => Ok(storage.revoke_grants(Selection::One(&grant), now).await? == 1),
            Self::GrantsOfUser => Ok(storage.revoke_grants(Selection::User(&signed_in.user), now).await? == 1),
            Self::AllGrants => Ok(storage.revoke_grants(Selection::All, now).await? == 1),
        }
    }
}

/// Creates a database with all records, and distributes the tables.
async fn distributed() -> (Fixture, PostgresStorage) {
    let fixture = Fixture::with_all_records().await;
    fixture.connect_client("user-one").await;
    fixture.database.distribute(CITUS_DISTRIBUTION).await;
    let storage = fixture.reopen().await.unwrap();
    (fixture, storage)
}

tests! {
    async fn a_credential_ends_after_the_write_of_its_family() {
        use End::{AllGrants, GrantByClient, GrantByUser, GrantsOfUser, OneGrant, PersonalApi};

        for end in [PersonalApi, GrantByUser, GrantByClient, OneGrant, GrantsOfUser, AllGrants] {
            let (fixture, storage) = distributed().await;
            let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
            let mut write = host.begin().await.unwrap();
            write.execute(LOCK_FAMILY).await.unwrap();
            let call = tokio::spawn(async move { end.make(&storage).await });
            wait_for_lock_waiters(&mut observer, 1).await;
            write.rollback().await.unwrap();
            assert!(call.await.unwrap().unwrap(), "{end:?}");
        }
    }

    async fn a_credential_ends_after_the_write_of_the_family_that_the_user_has_just_joined() {
        for end in [End::PersonalApi, End::GrantByUser, End::GrantByClient] {
            let (fixture, storage) = distributed().await;
            let (mut mover, mut writer) = (fixture.connect_host().await, fixture.connect_host().await);
            let mut observer = fixture.connect_host().await;
            let mut user_move = mover.begin().await.unwrap();
            user_move.execute(LOCK_FAMILY).await.unwrap();
            user_move.execute(MOVE_USER).await.unwrap();
            let mut write = writer.begin().await.unwrap();
            write.execute(LOCK_OTHER_FAMILY).await.unwrap();
            let pid: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut *write).await.unwrap();
            let call = tokio::spawn(async move { end.make(&storage).await });
            wait_for_lock_waiters(&mut observer, 1).await;
            user_move.commit().await.unwrap();
            within_timeout(async {
                while !sqlx::query_scalar::<_, bool>(WAITS_FOR).bind(pid).fetch_one(&mut observer).await.unwrap() {}
            })
            .await;
            write.rollback().await.unwrap();
            assert!(call.await.unwrap().unwrap(), "{end:?}");
        }
    }

    async fn a_revocation_is_acknowledged_when_its_commit_has_ended() {
        for end in [End::Key, End::GrantByUser, End::GrantByClient] {
            let (fixture, storage) = distributed().await;
            fixture.connect_host().await.execute(UNDO_FIRST_REVOCATION).await.unwrap();
            assert!(end.make(&storage).await.unwrap(), "{end:?}");
            assert_eq!((fixture.count(COUNT_UNDONE).await, fixture.count(COUNT_REVOKED).await), (1, 1), "{end:?}");
        }
    }

    async fn a_session_is_not_opened_if_the_password_changes_at_its_commit() {
        let (fixture, storage) = distributed().await;
        let before = fixture.count(COUNT_SESSIONS).await;
        fixture.connect_host().await.execute(CHANGE_PASSWORD_AT_COMMIT).await.unwrap();
        assert!(!storage.insert_session(&session(0x44), &password("old")).await.unwrap());
        assert_eq!(fixture.count(COUNT_SESSIONS).await, before);
    }

    async fn a_new_password_ends_a_session_that_is_opened_at_its_commit() {
        let (fixture, storage) = distributed().await;
        fixture.connect_host().await.execute(OPEN_SESSION_AT_COMMIT).await.unwrap();
        assert!(storage.update_password(&"user-one".parse().unwrap(), &password("new")).await.unwrap());
        assert_eq!(fixture.count(COUNT_SESSIONS).await, 0);
    }
}
