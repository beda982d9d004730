//! A small app with its own tables and numeric ids, and the API over its to-dos. Keys are in a file of the library.

use std::path::Path;
use std::sync::Arc;

use family_api_core::change::ProfileChange;
use family_api_core::resource::{Profile, RecordKind, ResourceKind};
use family_api_core::storage::{
    Capabilities, Change, FamilyData, FamilyStore, FamilyWrite, Health, HostStorage, Member, Needs, SignedIn,
    StorageError, UserStorage,
};
use family_api_core::{Error, FamilyApi, Timestamp, id::UserId};
use family_api_salvo::{FamilyRoutes, SessionAuthenticator};
use family_api_sql::sqlite::{SqliteStorage, fault};
use salvo::http::cookie::Cookie;
use salvo::prelude::*;
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteExecutor, SqliteJournalMode::Wal, SqlitePool, SqlitePoolOptions};

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS person (id INTEGER PRIMARY KEY AUTOINCREMENT, household INTEGER, name TEXT NOT NULL,
        mail TEXT NOT NULL, api BOOLEAN NOT NULL DEFAULT FALSE);
    CREATE TABLE IF NOT EXISTS login (secret TEXT PRIMARY KEY, person INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS todo (id INTEGER PRIMARY KEY AUTOINCREMENT, household INTEGER NOT NULL,
        what TEXT NOT NULL, done TEXT, made TEXT NOT NULL, changed TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS answer (household INTEGER, person TEXT, key TEXT, at TEXT NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (household, person, key));";

/// The rows that a call needs, as JSON. `?3` is the id of the only to-do, or NULL for all. A person outside of the
/// household gets no row.
const LOAD: &str = "SELECT json_object(
        'newId', (SELECT cast(1 + coalesce(max(seq), 0) AS TEXT) FROM sqlite_sequence WHERE name = 'todo'),
        'people', (SELECT json_group_array(json_object('id', cast(id AS TEXT), 'name', name))
            FROM person WHERE household = ?1),
        'tasks', (SELECT json_group_array(json_object('id', cast(id AS TEXT), 'columnId', 'tasks', 'title', what,
                'priority', 'MEDIUM', 'completed', json(iif(done IS NULL, 'false', 'true')), 'completedAt', done,
                'order', 0, 'labels', json('[]'), 'isPrivate', json('false'), 'createdAt', made, 'updatedAt', changed))
            FROM todo WHERE household = ?1 AND (?3 IS NULL OR id = ?3)),
        'answers', (SELECT json_group_array(json(json)) FROM answer WHERE household = ?1 AND person = ?2 AND key = ?4))
    FROM person WHERE id = ?2 AND household = ?1";

/// The writes. `?1` is the household, `?2` the JSON of the record.
const STORE: &str = "INSERT INTO todo SELECT
        ?2 ->> 'id', ?1, ?2 ->> 'title', ?2 ->> 'completedAt', ?2 ->> 'createdAt', ?2 ->> 'updatedAt' WHERE true
    ON CONFLICT (id) DO UPDATE SET what = excluded.what, done = excluded.done, changed = excluded.changed
        WHERE household = excluded.household";
const DELETE: &str = "DELETE FROM todo WHERE household = ?1 AND id = ?2 ->> '$'";
const KEEP_ANSWER: &str = "REPLACE INTO answer SELECT ?1, ?2 ->> 'userId', ?2 ->> 'key', ?2 ->> 'createdAt', ?2";
const DELETE_OLD_ANSWERS: &str = "DELETE FROM answer WHERE rowid IN (SELECT rowid FROM answer WHERE at <= ? LIMIT ?)";
const DELETE_SURPLUS_ANSWERS: &str = "DELETE FROM answer WHERE rowid IN (
    SELECT rowid FROM answer WHERE household = ?1 AND person = ?2 ORDER BY at
    LIMIT min(?3, max(0, (SELECT count(*) FROM answer WHERE household = ?1 AND person = ?2) - ?4)))";

/// The app: connections that read, and the only one that writes, so that writers wait for it and not for a lock.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) readers: SqlitePool,
    pub(crate) writer: SqlitePool,
}

impl App {
    pub(crate) async fn open(file: impl AsRef<Path>) -> Result<Self, sqlx::Error> {
        let file = SqliteConnectOptions::new().filename(file).create_if_missing(true).journal_mode(Wal);
        let writer = SqlitePoolOptions::new().max_connections(1).connect_with(file.clone()).await?;
        sqlx::raw_sql(TABLES).execute(&writer).await?;
        Ok(Self { writer, readers: SqlitePool::connect_with(file).await? })
    }
}

#[async_trait]
impl Health for App {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query("SELECT 1 FROM person").execute(&self.readers).await.map(drop).map_err(fault)
    }
}

#[async_trait]
impl UserStorage for App {
    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        let query =
            sqlx::query_as("SELECT name, mail, household, api FROM person WHERE id = ?1 AND cast(id AS TEXT) = ?1");
        let person = query.bind(user.as_str()).fetch_optional(&self.readers).await.map_err(fault)?;
        let Some((name, mail, household, api)): Option<(String, String, Option<i64>, bool)> = person else {
            return Ok(None);
        };
        let family_id = household.map(|id| id.to_string().parse()).transpose().map_err(StorageError::corrupt)?;
        Ok(Some(Profile { family_id, personal_api_enabled: api, ..Profile::new(user.clone(), name, mail) }))
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        _: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let update = sqlx::query("UPDATE person SET api = coalesce(?1, api) WHERE id = ?2 AND cast(id AS TEXT) = ?2");
        let update = update.bind(change.personal_api_enabled()).bind(user.user.as_str());
        update.execute(&self.writer).await.map_err(fault)?;
        self.find_profile(&user.user).await
    }
}

#[async_trait]
impl FamilyStore for App {
    fn capabilities(&self) -> Capabilities {
        let without = [ResourceKind::Events, ResourceKind::Shopping, ResourceKind::Notes];
        let kept = without.into_iter().fold(Capabilities::flat(), Capabilities::without_resource);
        kept.without_participants()
            .without_fields(RecordKind::Task, &["description", "priority", "dueDate", "labels"])
            .without_fields(RecordKind::Task, &["recurrence", "lastCompletedAt", "sequence"])
            .without_profile_fields(&["image", "color", "emoji", "displayCurrency", "timeZone"])
            .without_profile_fields(&["llmModel", "llmKeyConfigured"])
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        load(&self.readers, member, needs).await
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
        let member = &change.author.member;
        let data = load(&mut *transaction, member, change.needs).await?;
        for write in change.writes(&data).await? {
            let (statement, value) = match write {
                FamilyWrite::Task(write) => (STORE, json!(write.task)),
                FamilyWrite::Delete(RecordKind::Task, id) => (DELETE, json!(id)),
                FamilyWrite::KeepAnswer(answer) => (KEEP_ANSWER, json!(answer)),
                _ => return Err(StorageError::backend("the app does not make this write")),
            };
            let query = sqlx::query(statement).bind(member.family.as_str()).bind(value.to_string());
            if query.execute(&mut *transaction).await.map_err(fault)?.rows_affected() != 1 {
                return Err(StorageError::backend("the row is in another household"));
            }
        }
        transaction.commit().await.map_err(fault)
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let query = sqlx::query(DELETE_OLD_ANSWERS).bind(until.to_string()).bind(limit);
        Ok(query.execute(&self.writer).await.map_err(fault)?.rows_affected())
    }

    async fn delete_surplus_idempotency_keys(&self, of: &Member, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let query = sqlx::query(DELETE_SURPLUS_ANSWERS).bind(of.family.as_str()).bind(of.user.as_str());
        Ok(query.bind(limit).bind(keep).execute(&self.writer).await.map_err(fault)?.rows_affected())
    }
}

async fn load(db: impl SqliteExecutor<'_>, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
    let query = sqlx::query_scalar(LOAD).bind(member.family.as_str()).bind(member.user.as_str());
    let query = query.bind(needs.rows(RecordKind::Task).id()).bind(needs.answer());
    let data: Option<String> = query.fetch_optional(db).await.map_err(fault)?;
    data.map_or_else(|| Ok(FamilyData::default()), |data| serde_json::from_str(&data).map_err(StorageError::corrupt))
}

#[async_trait]
impl SessionAuthenticator for App {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        let secret = req.cookie("login").map(Cookie::value);
        let query = sqlx::query_scalar("SELECT cast(person AS TEXT) FROM login WHERE secret = ?").bind(secret);
        let person: Option<String> = query.fetch_optional(&self.readers).await.map_err(fault)?;
        Ok(person.and_then(|id| id.parse().ok()).map(|user: UserId| user.into()))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = App::open("app.db").await?;
    let keys = SqliteStorage::open("keys.db").await?;
    let api = FamilyApi::new(Arc::new(HostStorage::new(app.clone(), keys)));
    let routes = FamilyRoutes::new(api).session(app).into_router();
    Server::new(TcpListener::new("127.0.0.1:8080").bind().await).serve(Router::new().push(routes)).await;
    Ok(())
}
