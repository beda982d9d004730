//! An app for to-dos and shopping: integer ids that SQLite assigns, instants in milliseconds, and columns with names of
//! its own. It has no boards, lists, private records, events and notes. Its keys are in a file of the library.

mod flaws;
mod http;
mod suite;

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use family_api_core::change::{ProfileChange, TaskWrite};
use family_api_core::resource::{Person, Profile, RecordKind, ResourceKind, ShoppingItem, Task};
use family_api_core::storage::{
    Capabilities, Change, FamilyData, FamilyStore, FamilyWrite, Health, Member, Needs, Rows, SignedIn, StorageError,
    UserStorage,
};
use family_api_core::{Error, Timestamp, id::UserId};
use family_api_salvo::SessionAuthenticator;
use family_api_sql::sqlite::fault;
use flaws::Flaw;
use salvo::{Depot, Request};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode::Wal, SqlitePool, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, SqliteConnection};

const TABLES: &str = "
    CREATE TABLE household (household_id INTEGER PRIMARY KEY, called TEXT NOT NULL);
    CREATE TABLE person (person_id INTEGER PRIMARY KEY, home INTEGER, called TEXT NOT NULL, mail TEXT NOT NULL,
        colour TEXT, api_on INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE login (cookie TEXT PRIMARY KEY, person INTEGER NOT NULL);
    CREATE TABLE todo (todo_id INTEGER PRIMARY KEY AUTOINCREMENT, home INTEGER NOT NULL, title TEXT NOT NULL,
        notes TEXT, done_at INTEGER, due INTEGER, who INTEGER, made INTEGER NOT NULL, touched INTEGER NOT NULL);
    CREATE TABLE buy (buy_id INTEGER PRIMARY KEY AUTOINCREMENT, home INTEGER NOT NULL, what TEXT NOT NULL,
        how_much TEXT, bought INTEGER NOT NULL DEFAULT 0, made INTEGER NOT NULL);
    CREATE TABLE reply (home INTEGER, person INTEGER, key TEXT, json TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (home, person, key));";
const PERSON: &str = "SELECT called, mail, colour, home, api_on FROM person
    WHERE person_id = ?1 AND cast(person_id AS TEXT) = ?1";
const SWITCH: &str =
    "UPDATE person SET api_on = coalesce(?2, api_on) WHERE person_id = ?1 AND cast(person_id AS TEXT) = ?1";
const PEOPLE: &str = "SELECT person_id, called, colour FROM person WHERE home = ?1";
const TODOS: &str = "SELECT todo_id, title, notes, done_at, due, who, made, touched FROM todo
    WHERE home = ?1 AND (?2 IS NULL OR todo_id = ?2)";
const BUYS: &str = "SELECT buy_id, what, how_much, bought, made FROM buy
    WHERE home = ?1 AND (?2 IS NULL OR buy_id = ?2)";
const REPLIES: &str = "SELECT json FROM reply WHERE home = ?1 AND person = ?2 AND key = ?3";
const NEXT_TODO: &str = "SELECT 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'todo'), 0)";
const NEXT_BUY: &str = "SELECT 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'buy'), 0)";
const STORE_TODO: &str = "
    INSERT INTO todo (todo_id, home, title, notes, done_at, due, who, made, touched)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (todo_id) DO UPDATE SET
        title = ?3, notes = ?4, done_at = ?5, due = ?6, who = ?7, touched = ?9 WHERE home = ?2";
const STORE_BUY: &str = "
    INSERT INTO buy (buy_id, home, what, how_much, bought, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (buy_id) DO UPDATE SET what = ?3, how_much = ?4, bought = ?5 WHERE home = ?2";
const DELETE_TODO: &str = "DELETE FROM todo WHERE todo_id = ?1 AND home = ?2";
const DELETE_BUY: &str = "DELETE FROM buy WHERE buy_id = ?1 AND home = ?2";
const STORE_REPLY: &str = "REPLACE INTO reply (home, person, key, json, at) VALUES (?1, ?2, ?3, ?4, ?5)";
const FORGET_REPLIES: &str =
    "DELETE FROM reply WHERE rowid IN (SELECT rowid FROM reply WHERE at <= ?1 ORDER BY at LIMIT ?2)";

const FORGET_SURPLUS: &str = "DELETE FROM reply WHERE rowid IN (SELECT rowid FROM
    (SELECT rowid, at FROM reply WHERE home = ?1 AND person = ?2 ORDER BY at DESC LIMIT -1 OFFSET ?3)
    ORDER BY at LIMIT ?4)";

type TodoRow = (i64, String, Option<String>, Option<i64>, Option<i64>, Option<i64>, i64, i64);
type BuyRow = (i64, String, Option<String>, bool, i64);

/// The app: connections that read, and one that writes.
#[derive(Clone)]
struct App {
    readers: SqlitePool,
    writer: SqlitePool,
    flaw: Option<Flaw>,
}

impl App {
    async fn open(file: impl AsRef<Path>, flaw: Option<Flaw>) -> Self {
        let file = SqliteConnectOptions::new().filename(file).create_if_missing(true).journal_mode(Wal);
        let writer = SqlitePoolOptions::new().max_connections(1).connect_with(file.clone()).await.unwrap();
        let app = Self { writer, readers: SqlitePool::connect_with(file).await.unwrap(), flaw };
        sqlx::raw_sql(app.sql(TABLES)).execute(&app.writer).await.unwrap();
        app
    }

    /// Returns a statement, with the flaw of this app if it is in the statement.
    fn sql(&self, statement: &'static str) -> AssertSqlSafe<String> {
        AssertSqlSafe(self.flaw.map_or_else(|| statement.to_owned(), |flaw| flaw.edit(statement)))
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    async fn rows(
        &self,
        db: &mut SqliteConnection,
        member: &Member,
        needs: &Needs,
    ) -> Result<FamilyData, StorageError> {
        let home = member.family.as_str();
        let people = sqlx::query_as(self.sql(PEOPLE)).bind(home).fetch_all(&mut *db).await.map_err(fault)?;
        let mut data = FamilyData { people: all(people, person)?, ..FamilyData::default() };
        if !self.has(Flaw::LeaversRead) && data.people.iter().all(|person| person.id != member.user) {
            return Ok(FamilyData::default());
        }
        if self.has(Flaw::CreatesBlindly) && needs.created().is_some() {
            data.new_id = self.next_id(db, needs).await?;
            return Ok(data);
        }
        let todos = needs.rows(RecordKind::Task);
        if todos != Rows::None {
            let query = sqlx::query_as(self.sql(TODOS)).bind(home).bind(todos.id());
            data.tasks = all(query.fetch_all(&mut *db).await.map_err(fault)?, todo)?;
        }
        let buys = needs.rows(RecordKind::ShoppingItem);
        if buys != Rows::None {
            let query = sqlx::query_as(self.sql(BUYS)).bind(home).bind(buys.id());
            data.items = all(query.fetch_all(&mut *db).await.map_err(fault)?, buy)?;
        }
        if let Some(key) = needs.answer() {
            let query = sqlx::query_scalar(self.sql(REPLIES)).bind(home).bind(member.user.as_str()).bind(key);
            let replies: Vec<String> = query.fetch_all(&mut *db).await.map_err(fault)?;
            let replies = replies.iter().map(|json| serde_json::from_str(json));
            data.answers = replies.collect::<Result<_, _>>().map_err(StorageError::corrupt)?;
        }
        data.new_id = self.next_id(db, needs).await?;
        Ok(data)
    }

    async fn next_id(&self, db: &mut SqliteConnection, needs: &Needs) -> Result<Option<String>, StorageError> {
        let next = match needs.created() {
            Some(RecordKind::Task) => NEXT_TODO,
            Some(RecordKind::ShoppingItem) => NEXT_BUY,
            _ => return Ok(None),
        };
        let next: i64 = sqlx::query_scalar(self.sql(next)).fetch_one(db).await.map_err(fault)?;
        Ok(Some(next.to_string()))
    }

    async fn store(&self, db: &mut SqliteConnection, home: &str, write: FamilyWrite) -> Result<(), StorageError> {
        let query = match write {
            FamilyWrite::Task(TaskWrite { task, .. }) => sqlx::query(self.sql(STORE_TODO))
                .bind(task.id.to_string())
                .bind(home)
                .bind(task.title)
                .bind(task.description)
                .bind(task.completed_at.map(Timestamp::as_millis))
                .bind(task.due_date.map(Timestamp::as_millis))
                .bind(task.assignee_id.map(|id| id.to_string()))
                .bind(task.created_at.as_millis())
                .bind(task.updated_at.as_millis()),
            FamilyWrite::ShoppingItem(item) => sqlx::query(self.sql(STORE_BUY))
                .bind(item.id.to_string())
                .bind(home)
                .bind(item.name)
                .bind(item.quantity)
                .bind(item.checked)
                .bind(item.created_at.as_millis()),
            FamilyWrite::Delete(RecordKind::Task, id) => sqlx::query(self.sql(DELETE_TODO)).bind(id).bind(home),
            FamilyWrite::Delete(RecordKind::ShoppingItem, id) => sqlx::query(self.sql(DELETE_BUY)).bind(id).bind(home),
            FamilyWrite::KeepAnswer(_) if self.has(Flaw::ForgetsAnswers) => return Ok(()),
            FamilyWrite::KeepAnswer(answer) => sqlx::query(self.sql(STORE_REPLY))
                .bind(home)
                .bind(answer.user_id.to_string())
                .bind(answer.key.clone())
                .bind(serde_json::to_string(&answer).map_err(StorageError::backend)?)
                .bind(answer.created_at.as_millis()),
            _ => return Err(StorageError::backend("the app does not make this write")),
        };
        query.execute(db).await.map(drop).map_err(fault)
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
        type Row = (String, String, Option<String>, Option<i64>, bool);
        let query = sqlx::query_as(self.sql(PERSON)).bind(user.as_str()).fetch_optional(&self.readers);
        let Some((called, mail, color, home, personal_api_enabled)): Option<Row> = query.await.map_err(fault)? else {
            return Ok(None);
        };
        let family_id = home.map(text).transpose()?;
        Ok(Some(Profile { family_id, color, personal_api_enabled, ..Profile::new(user.clone(), called, mail) }))
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        _: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let before = self.find_profile(&user.user).await?;
        let query = sqlx::query(self.sql(SWITCH)).bind(user.user.as_str()).bind(change.personal_api_enabled());
        query.execute(&self.writer).await.map_err(fault)?;
        if self.has(Flaw::ReturnsTheOldProfile) { Ok(before) } else { self.find_profile(&user.user).await }
    }
}

#[async_trait]
impl FamilyStore for App {
    fn capabilities(&self) -> Capabilities {
        Capabilities::flat()
            .without_resource(ResourceKind::Events)
            .without_resource(ResourceKind::Notes)
            .without_fields(RecordKind::Task, &["priority", "labels", "creatorId", "recurrence", "lastCompletedAt"])
            .without_field(RecordKind::Task, "sequence")
            .without_fields(RecordKind::ShoppingItem, &["category", "addedById"])
            .without_profile_fields(&["image", "emoji", "displayCurrency", "timeZone", "llmModel", "llmKeyConfigured"])
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        let mut snapshot = self.readers.begin().await.map_err(fault)?;
        let data = self.rows(&mut snapshot, member, needs).await;
        if self.has(Flaw::SwallowsFaults) { Ok(data.unwrap_or_default()) } else { data }
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let member = &change.author.member;
        let early = if self.has(Flaw::ReadsBeforeTheLock) {
            let rows = self.load(member, change.needs).await?;
            // All concurrent changes read before the first one writes.
            tokio::time::sleep(Duration::from_millis(50)).await;
            Some(rows)
        } else {
            None
        };
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
        let data = match early {
            Some(early) => early,
            None => self.rows(&mut transaction, member, change.needs).await?,
        };
        let mut writes = change.writes(&data).await?;
        if self.has(Flaw::StoresOnlyTheLastWrite) {
            writes.drain(..writes.len().saturating_sub(1));
        }
        for write in writes {
            self.store(&mut transaction, member.family.as_str(), write).await?;
        }
        if self.has(Flaw::DoesNotCommit) { Ok(()) } else { transaction.commit().await.map_err(fault) }
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let query = sqlx::query(self.sql(FORGET_REPLIES)).bind(until.as_millis()).bind(limit);
        Ok(query.execute(&self.writer).await.map_err(fault)?.rows_affected())
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        member: &Member,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let query = sqlx::query(self.sql(FORGET_SURPLUS)).bind(member.family.as_str()).bind(member.user.as_str());
        let query = query.bind(keep).bind(limit);
        Ok(query.execute(&self.writer).await.map_err(fault)?.rows_affected())
    }
}

#[async_trait]
impl SessionAuthenticator for App {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        let cookie = req.cookie("login").map(salvo::http::cookie::Cookie::value);
        let query = sqlx::query_scalar("SELECT person FROM login WHERE cookie = ?").bind(cookie);
        let person: Option<i64> = query.fetch_optional(&self.readers).await.map_err(fault)?;
        Ok(person.map(text).transpose()?.map(|user: UserId| user.into()))
    }
}

fn all<R, T>(rows: Vec<R>, convert: fn(R) -> Result<T, StorageError>) -> Result<Vec<T>, StorageError> {
    rows.into_iter().map(convert).collect()
}

fn person((id, called, color): (i64, String, Option<String>)) -> Result<Person, StorageError> {
    Ok(Person { color, ..Person::new(text(id)?, called) })
}

fn todo((id, title, description, done_at, due, who, made, touched): TodoRow) -> Result<Task, StorageError> {
    let completed_at = done_at.map(instant).transpose()?;
    Ok(Task {
        description,
        completed: completed_at.is_some(),
        completed_at,
        due_date: due.map(instant).transpose()?,
        assignee_id: who.map(text).transpose()?,
        updated_at: instant(touched)?,
        ..Task::new(text(id)?, title, instant(made)?)
    })
}

fn buy((id, what, quantity, checked, made): BuyRow) -> Result<ShoppingItem, StorageError> {
    Ok(ShoppingItem { quantity, checked, ..ShoppingItem::new(text(id)?, what, instant(made)?) })
}

fn text<I: FromStr<Err: Into<Box<dyn std::error::Error + Send + Sync>>>>(id: i64) -> Result<I, StorageError> {
    id.to_string().parse().map_err(StorageError::corrupt)
}

fn instant(millis: i64) -> Result<Timestamp, StorageError> {
    Timestamp::from_millis(millis).ok_or_else(|| StorageError::corrupt("the instant is out of range"))
}
