//! Tests that ended (revoked or expired) keys, ended grants and expired sessions do not slow down statements, nor do the
//! records of a full family. The number of instructions that SQLite executes must be the same with few and with many of
//! them.

use std::num::NonZeroU32;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use family_api_core::calendar::Zone;
use family_api_core::change::NoteChange;
use family_api_core::grant::{CodeChallenge, OAuthClient};
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, ScopeSet};
use family_api_core::resource::Note;
use family_api_core::storage::{
    CredentialStorage, ExchangedSecret, GrantInsert, GrantLookup, GrantRevocation, GrantStorage, KeyCondition,
    KeyInsert, KeyRevocation, KeyStorage, Member, NewGrant, NewKey, Operation, PasswordHash, RecordWrite, Session,
    TokenIssue, Writable, Written,
};
use family_api_core::{Surface, Timestamp};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, SqliteConnection};
use tempfile::TempDir;

use crate::sqlite::{SqliteOptions, SqliteStorage};

/// One user with `$1` expired keys, half of which were revoked, and `$1` expired sessions.
const SEED: &str = "
    PRAGMA synchronous = OFF;
    PRAGMA ignore_check_constraints = ON;
    INSERT INTO users VALUES ('ana', NULL, '', 'ana@x', NULL, NULL, NULL, 'EUR', 'UTC', 1, NULL, 0, '2026', '2026');
    INSERT INTO passwords VALUES ('ana', 'hash');
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
    INSERT INTO integration_keys
    SELECT unhex(printf('%064x', n)), printf('key-%06d', n), 'ana', NULL, '', '[]', '2026-01-01T00:00:00.000Z',
           '2026-02-01T00:00:00.000Z', CASE WHEN n % 2 THEN '2026-01-15T00:00:00.000Z' END, NULL
    FROM numbers;
    INSERT INTO sessions SELECT digest, user_id, created_at, expires_at FROM integration_keys;
    INSERT INTO grants (id, user_id, client_id, client_host, redirect_uri, surface, scopes, challenge, code, created_at,
                        expires_at, revoked_at)
    SELECT id, user_id, 'c', 'h', 'r', 'v1', '[]', digest, digest, created_at, expires_at, revoked_at
    FROM integration_keys;";

/// One member of a family with `$1` notes, whose bounds are unknown.
const FULL_FAMILY: &str = "
    INSERT INTO families (id, name, created_at, updated_at)
    VALUES ('home', '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
    INSERT INTO users VALUES ('ana', 'home', '', 'ana@x', NULL, NULL, NULL, 'EUR', 'UTC', 1, NULL, 0,
                              '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
    INSERT INTO notes (id, family_id, title, content, pinned, tags, created_at, updated_at)
    SELECT printf('note-%06d', n), 'home', '', '', 0, '[]', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
    FROM numbers;";

struct Fixture {
    storage: SqliteStorage,
    instructions: Arc<AtomicU64>,
    _folder: TempDir,
}

impl Fixture {
    async fn with_ended(rows: u32) -> Self {
        Self::seeded(&SEED.replace("$1", &rows.to_string())).await
    }

    async fn seeded(sql: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("family.db");
        let storage = SqliteOptions::new(&file).readers(NonZeroU32::MIN).open().await.unwrap();
        let mut host = SqliteConnectOptions::new().filename(&file).foreign_keys(false).connect().await.unwrap();
        host.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        let instructions = Arc::default();
        count_instructions(&mut storage.database.readers().acquire().await.unwrap(), &instructions).await;
        count_instructions(&mut storage.database.begin().await.unwrap(), &instructions).await;
        Self { storage, instructions, _folder: folder }
    }

    /// Creates one member of a family with `notes` notes.
    async fn with_notes(notes: u32) -> Self {
        Self::seeded(&FULL_FAMILY.replace("$1", &notes.to_string())).await
    }

    /// Writes a note of the family, which may have `max_records` notes.
    async fn write(&self, max_records: u32, operation: Operation<Note>) -> Written<Note> {
        let author = Member { user: "ana".parse().unwrap(), family: "home".parse().unwrap() }.into();
        let write = RecordWrite::new(operation, Zone::utc(), "2026-02-10T00:00:00Z".parse().unwrap());
        let written = Note::write(&self.storage, &author, &RecordWrite { max_records, ..write }).await;
        // The driver rolls back a refused write later, so this waits for it.
        self.storage.database.begin().await.unwrap().rollback().await.unwrap();
        written.unwrap()
    }

    /// Returns the number of instructions since the last call, and resets it.
    fn take_count(&self) -> u64 {
        self.instructions.swap(0, Ordering::SeqCst)
    }
}

/// Starts to count the instructions of a connection.
async fn count_instructions(connection: &mut SqliteConnection, instructions: &Arc<AtomicU64>) {
    let instructions = Arc::clone(instructions);
    connection.lock_handle().await.unwrap().set_progress_handler(1, move || {
        instructions.fetch_add(1, Ordering::SeqCst);
        true
    });
}

fn new_key(user: &UserId, now: Timestamp) -> NewKey {
    let key = IntegrationKey {
        id: "new".parse().unwrap(),
        name: None,
        mode: None,
        scopes: ScopeSet::default(),
        hint: String::new(),
        created_at: now,
        expires_at: None,
        last_used_at: None,
    };
    NewKey { key, owner: user.clone().into(), digest: KeyDigest::of("new"), condition: KeyCondition::UserExists }
}

/// Returns the number of instructions of each call, with `rows` ended keys and `rows` expired sessions.
async fn instructions(rows: u32) -> Vec<(&'static str, u64)> {
    let fixture = Fixture::with_ended(rows).await;
    let storage = &fixture.storage;
    let user: UserId = "ana".parse().unwrap();
    let now: Timestamp = "2026-02-10T00:00:00Z".parse().unwrap();
    let (ended_key, new_key_id): (KeyId, KeyId) = ("key-000002".parse().unwrap(), "new".parse().unwrap());
    let hash = PasswordHash::new("hash".to_owned());
    let session =
        Session { digest: KeyDigest::of("s"), user: user.clone(), created_at: now, expires_at: Timestamp::MAX };
    let mut counts = Vec::new();

    assert_eq!(storage.insert_key(&new_key(&user, now), 50).await.unwrap(), KeyInsert::Inserted);
    counts.push(("create a key", fixture.take_count()));
    assert_eq!(storage.list_keys(&user, now).await.unwrap().len(), 1);
    counts.push(("list keys", fixture.take_count()));
    assert_eq!(storage.revoke_key(&user.clone().into(), &new_key_id, now).await.unwrap(), KeyRevocation::Revoked);
    counts.push(("revoke a key", fixture.take_count()));
    assert_eq!(storage.revoke_key(&user.clone().into(), &ended_key, now).await.unwrap(), KeyRevocation::Revoked);
    counts.push(("revoke an expired key", fixture.take_count()));
    storage.record_uses(&[KeyDigest::of("new")], now).await.unwrap();
    counts.push(("record a use", fixture.take_count()));
    assert_eq!(storage.delete_ended_keys(Timestamp::MIN, &[], 500).await.unwrap(), 0);
    counts.push(("purge nothing", fixture.take_count()));
    assert_eq!(storage.delete_surplus_keys(&user, now, 1_000, &[], 500).await.unwrap(), 500);
    counts.push(("purge surplus keys", fixture.take_count()));
    assert_eq!(storage.delete_ended_keys(now, &[], 500).await.unwrap(), 500);
    counts.push(("purge ended keys", fixture.take_count()));
    assert!(storage.insert_session(&session, &hash).await.unwrap());
    counts.push(("open a session", fixture.take_count()));
    assert_eq!(storage.find_session(&session.digest, now).await.unwrap(), Some(user.clone()));
    counts.push(("find a session", fixture.take_count()));
    assert_eq!(storage.delete_surplus_sessions(&user, 1_000, 500).await.unwrap(), 500);
    counts.push(("purge surplus sessions", fixture.take_count()));
    assert_eq!(storage.delete_expired_sessions(now, 500).await.unwrap(), 500);
    counts.push(("purge expired sessions", fixture.take_count()));
    count_grants(&fixture, now, &mut counts).await;
    counts
}

/// Adds the number of instructions of each call for grants.
async fn count_grants(fixture: &Fixture, now: Timestamp, counts: &mut Vec<(&'static str, u64)>) {
    let storage = &fixture.storage;
    let user: UserId = "ana".parse().unwrap();
    let new = new_grant(&user, now);
    let issue = token_issue(&new, now);

    assert_eq!(storage.insert_grant(&new, 50).await.unwrap(), GrantInsert::Inserted { replaced: None });
    counts.push(("insert a grant", fixture.take_count()));
    assert!(storage.find_grant(GrantLookup::Code(&new.code)).await.unwrap().is_some());
    counts.push(("find a grant", fixture.take_count()));
    assert!(storage.issue_tokens(&issue).await.unwrap());
    counts.push(("issue tokens", fixture.take_count()));
    assert_eq!(storage.list_grants(&user, now).await.unwrap().len(), 1);
    counts.push(("list grants", fixture.take_count()));
    storage.record_grant_uses(slice::from_ref(&new.id), now).await.unwrap();
    counts.push(("record a use of a grant", fixture.take_count()));
    assert_eq!(storage.revoke_grant(&user.into(), &new.id, now).await.unwrap(), GrantRevocation::Revoked);
    counts.push(("revoke a grant", fixture.take_count()));
    assert_eq!(storage.delete_ended_grants(Timestamp::MIN, Timestamp::MIN, 500).await.unwrap(), 0);
    counts.push(("purge no grants", fixture.take_count()));
    assert_eq!(storage.delete_ended_grants(now, now, 500).await.unwrap(), 500);
    counts.push(("purge ended grants", fixture.take_count()));
}

fn new_grant(user: &UserId, now: Timestamp) -> NewGrant {
    NewGrant {
        id: "new".parse().unwrap(),
        owner: user.clone().into(),
        client: OAuthClient::new("c".to_owned(), None, "h".to_owned()).unwrap(),
        redirect_uri: "r".to_owned(),
        surface: Surface::V1,
        scopes: ScopeSet::default(),
        challenge: CodeChallenge::from_bytes([0; 32]),
        code: KeyDigest::of("code"),
        created_at: now,
        expires_at: Timestamp::MAX,
    }
}

fn token_issue(new: &NewGrant, now: Timestamp) -> TokenIssue {
    TokenIssue {
        grant: new.id.clone(),
        exchanged: ExchangedSecret::Code,
        lineage: KeyDigest::of("lineage"),
        refresh: KeyDigest::of("refresh"),
        refresh_expires_at: Timestamp::MAX,
        access: KeyDigest::of("access"),
        access_expires_at: Timestamp::MAX,
        scopes: ScopeSet::default(),
        now,
    }
}

#[tokio::test]
async fn ended_rows_do_not_increase_the_instruction_count() {
    let few = instructions(4_000).await;
    assert!(few.iter().all(|(_, count)| *count > 0), "{few:?}");
    assert_eq!(instructions(300_000).await, few);
}

/// Returns the creation of a note.
fn create() -> Operation<Note> {
    Operation::create("new".parse().unwrap(), NoteChange::new().title("x").build_new().unwrap())
}

/// Returns the number of instructions of each call in a family that has as many notes as it may have.
async fn instructions_of_full_family(notes: u32) -> Vec<(&'static str, u64)> {
    let fixture = Fixture::with_notes(notes).await;
    let write = async |operation| fixture.write(notes, operation).await;
    let mut counts = Vec::new();

    assert_eq!(write(create()).await, Written::LimitReached);
    assert!(fixture.take_count() > u64::from(notes));
    assert_eq!(write(create()).await, Written::LimitReached);
    counts.push(("refuse a creation", fixture.take_count()));
    assert!(matches!(write(Operation::delete("note-000001".parse().unwrap())).await, Written::Deleted(_)));
    counts.push(("delete a record", fixture.take_count()));
    assert!(matches!(write(create()).await, Written::Created(_)));
    counts.push(("create a record", fixture.take_count()));
    assert_eq!(write(Operation::Restore { id: "note-000001".parse().unwrap() }).await, Written::LimitReached);
    counts.push(("refuse a restoration", fixture.take_count()));
    counts
}

#[tokio::test]
async fn the_records_of_a_full_family_do_not_increase_the_instruction_count() {
    let few = instructions_of_full_family(100).await;
    assert!(few.iter().all(|(_, count)| *count > 0), "{few:?}");
    assert_eq!(instructions_of_full_family(20_000).await, few);
}

#[tokio::test]
async fn records_are_counted_without_the_write_lock() {
    let instructions_of_writer = async |notes| {
        let fixture = Fixture::with_notes(notes).await;
        let mut reader = fixture.storage.database.readers().acquire().await.unwrap();
        count_instructions(&mut reader, &Arc::default()).await;
        drop(reader);
        fixture.take_count();
        assert_eq!(fixture.write(notes, create()).await, Written::LimitReached);
        assert!(matches!(fixture.write(notes + 1, create()).await, Written::Created(_)));
        fixture.take_count()
    };
    // The transaction of a write counts up to 256 records.
    let few = instructions_of_writer(300).await;
    assert!(few > 0);
    // The check of the connection that returns to the pool may be counted or not. It has a few instructions.
    assert!(instructions_of_writer(5_000).await.abs_diff(few) < 100);
}
