//! boards, a kanban tool: teams, boards with lanes and cards, and notes. It counts the revisions of a team.

mod flaws;
mod http;
mod subject;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::id::{FamilyId, UserId};
use family_api_core::resource::{Profile, RecordKind, ResourceKind, Revision, Verb};
use family_api_core::storage::{
    Account, Capabilities, Change, DeletedRecordLimit, FamilyData, FamilyStore, FamilyWrite, Health, Member,
    Membership, Needs, Rows, SignedIn, StorageError, UserStorage,
};
use family_api_sql::sqlite::fault;
use flaws::Flaw;
use sqlx::query::{Query, QueryScalar};
use sqlx::sqlite::{SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, Sqlite, SqliteExecutor};

const TABLES: &str = include_str!("tables.sql");
const LOAD: &str = include_str!("load.sql");

const PROFILE: &str = "
    SELECT json_object('id', person.id, 'name', person.name, 'email', mail, 'image', avatar, 'color', color,
            'familyId', team, 'displayCurrency', 'XXX', 'timeZone', zone,
            'personalApiEnabled', json(iif(api, 'true', 'false')), 'llmKeyConfigured', json('false')), revision
    FROM person LEFT JOIN team ON team.id = team WHERE person.id = ?1";

// The statements of a change. ?1 is the team, and ?2 the record as JSON.
const BOARD: &str = "REPLACE INTO board SELECT ?1, ?2->>'id', ?2->>'name', ?2->>'description', ?2->>'color',
    ?2->>'order', ?2->>'ownerUserId', ?2->>'createdAt', ?2->>'updatedAt'";
const LANE: &str = "REPLACE INTO lane SELECT ?1, ?2->>'id', ?2->>'boardId', ?2->>'name', ?2->>'color', ?2->>'order',
    ?2->>'createdAt'";
const CARD: &str = "REPLACE INTO card SELECT ?1, ?2->>'id', ?2->>'columnId', ?2->>'title', ?2->>'description',
    ?2->>'priority', ?2->>'dueDate', ?2->>'completedAt', ?2->>'order', ?2->'labels', ?2->>'assigneeId',
    ?2->>'creatorId', ?2->>'createdAt', ?2->>'updatedAt'";
const NOTE: &str = "REPLACE INTO note SELECT ?1, ?2->>'id', ?2->>'title', ?2->>'content', ?2->>'color', ?2->>'pinned',
    ?2->'tags', ?2->>'authorId', ?2->>'createdAt', ?2->>'updatedAt'";
const MAKE_ROOM: &str = "
    UPDATE card SET position = min(position + 1, 9007199254740991)
    WHERE team = ?1 AND lane = ?2->>'columnId' AND id <> ?2->>'id' AND position >= ?2->>'order' AND EXISTS (SELECT 1
        FROM card WHERE team = ?1 AND lane = ?2->>'columnId' AND id <> ?2->>'id' AND position = ?2->>'order')";
const DELETE_CARD: &str = "DELETE FROM card WHERE team = ?1 AND id = ?2->>'id'";
const DELETE_NOTE: &str = "DELETE FROM note WHERE team = ?1 AND id = ?2->>'id'";
const TRASH: &str = "REPLACE INTO trash SELECT ?1, ?2->>'kind', ?2->>'id', ?2->>'record', ?2->>'deletedAt'";
const TAKE_OUT: &str = "DELETE FROM trash WHERE team = ?1 AND kind = ?2->>'kind' AND id = ?2->>'id'";
const ANSWER: &str = "REPLACE INTO answer SELECT ?1, ?2->>'userId', ?2->>'key', ?2, ?2->>'createdAt'";

/// Counts a new time zone of the person ?1.
const COUNT_NEW_ZONE: &str =
    "UPDATE team SET revision = revision + 1 WHERE id = (SELECT team FROM person WHERE id = ?1)";

/// The app: connections that read, and the only one that writes.
#[derive(Clone)]
struct Boards {
    readers: SqlitePool,
    writer: SqlitePool,
    flaw: Option<Flaw>,
}

impl Boards {
    async fn open(file: impl AsRef<Path>, flaw: Option<Flaw>) -> Result<Self, sqlx::Error> {
        let file = SqliteConnectOptions::new().filename(file).create_if_missing(true);
        let file = file.journal_mode(SqliteJournalMode::Wal);
        let writer = SqlitePoolOptions::new().max_connections(1).connect_with(file.clone()).await?;
        sqlx::raw_sql(TABLES).execute(&writer).await?;
        Ok(Self { writer, readers: SqlitePool::connect_with(file).await?, flaw })
    }

    /// Returns the statement as this app has it, with its flaw.
    fn sql(&self, text: &str) -> AssertSqlSafe<String> {
        AssertSqlSafe(self.flaw.map_or_else(|| text.to_owned(), |flaw| flaw.edit(text)))
    }

    fn query<'q>(&self, text: &str) -> Query<'q, Sqlite, SqliteArguments> {
        sqlx::query(self.sql(text))
    }

    async fn forget(&self, query: Query<'_, Sqlite, SqliteArguments>) -> Result<u64, StorageError> {
        Ok(query.execute(&self.writer).await.map_err(fault)?.rows_affected())
    }

    async fn load_rows(
        &self,
        db: impl SqliteExecutor<'_>,
        member: &Member,
        needs: &Needs,
    ) -> Result<FamilyData, StorageError> {
        let query: QueryScalar<'_, _, String, _> = sqlx::query_scalar(self.sql(LOAD));
        let query = query.bind(member.family.as_str()).bind(member.user.as_str()).bind(needs.fields().to_string());
        let (kind, trashed) = needs.deleted().unzip();
        let query = query.bind(kind.map(RecordKind::as_str)).bind(trashed.and_then(Rows::id)).bind(needs.answer());
        let rows = query.fetch_optional(db).await;
        if self.flaw == Some(Flaw::FaultsAreEmpty) && rows.is_err() {
            return Ok(FamilyData::default());
        }
        rows.map_err(fault)?.map_or_else(|| Ok(FamilyData::default()), |rows| parse(&rows))
    }

    async fn find_person(&self, user: &UserId) -> Result<Option<(Profile, Option<i64>)>, StorageError> {
        let query = sqlx::query_as(self.sql(PROFILE)).bind(user.as_str());
        let found: Option<(String, Option<i64>)> = query.fetch_optional(&self.readers).await.map_err(fault)?;
        found.map(|(profile, revision)| Ok((parse(&profile)?, revision))).transpose()
    }
}

fn parse<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, StorageError> {
    serde_json::from_str(json).map_err(StorageError::corrupt)
}

/// Returns the statements that make a write, and the record that they write.
fn statements(write: &FamilyWrite) -> Result<(&'static [&'static str], serde_json::Value), StorageError> {
    let of = |kind: RecordKind, id: &str| serde_json::json!({ "kind": kind, "id": id });
    let (statements, record): (&[_], _) = match write {
        FamilyWrite::Board(board) => (&[BOARD], serde_json::to_value(board)),
        FamilyWrite::Column(column) => (&[LANE], serde_json::to_value(column)),
        FamilyWrite::Task(card) if card.makes_room => (&[MAKE_ROOM, CARD], serde_json::to_value(&card.task)),
        FamilyWrite::Task(card) => (&[CARD], serde_json::to_value(&card.task)),
        FamilyWrite::Note(note) => (&[NOTE], serde_json::to_value(note)),
        FamilyWrite::Delete(kind @ RecordKind::Task, id) => (&[DELETE_CARD], Ok(of(*kind, id))),
        FamilyWrite::Delete(kind @ RecordKind::Note, id) => (&[DELETE_NOTE], Ok(of(*kind, id))),
        FamilyWrite::KeepDeleted(deleted) => (&[TRASH], serde_json::to_value(deleted)),
        FamilyWrite::ForgetDeleted(kind, id) => (&[TAKE_OUT], Ok(of(*kind, id))),
        FamilyWrite::KeepAnswer(answer) => (&[ANSWER], serde_json::to_value(answer)),
        other => return Err(StorageError::backend(format!("boards does not make the write {other:?}"))),
    };
    Ok((statements, record.map_err(StorageError::backend)?))
}

#[async_trait]
impl Health for Boards {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query("SELECT 1 FROM person").execute(&self.readers).await.map(drop).map_err(fault)
    }
}

#[async_trait]
impl UserStorage for Boards {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        let person = self.find_person(user).await?;
        Ok(person.map(|(profile, revision)| {
            let revision = revision.map(Revision::new);
            let membership = profile.family_id.clone().map(|family| Membership { family, revision });
            Account { membership, ..profile.into() }
        }))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        Ok(self.find_person(user).await?.map(|(profile, _)| profile))
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        _: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let mut transaction = self.writer.begin().await.map_err(fault)?;
        let update = self.query("UPDATE person SET zone = coalesce(?3, zone), api = coalesce(?2, api) WHERE id = ?1");
        let update = update.bind(user.user.as_str()).bind(change.personal_api_enabled());
        let zone = change.time_zone().map(Zone::as_str);
        update.bind(zone).execute(&mut *transaction).await.map_err(fault)?;
        if zone.is_some() {
            let count = self.query(COUNT_NEW_ZONE).bind(user.user.as_str());
            count.execute(&mut *transaction).await.map_err(fault)?;
        }
        transaction.commit().await.map_err(fault)?;
        self.find_profile(&user.user).await
    }
}

#[async_trait]
impl FamilyStore for Boards {
    fn capabilities(&self) -> Capabilities {
        let kept = Capabilities::all().without_resource(ResourceKind::Shopping).without_resource(ResourceKind::Events);
        let kept = kept.without_privacy().without_categories();
        kept.without(RecordKind::Board, Verb::Delete)
            .without(RecordKind::Column, Verb::Delete)
            .without_fields(RecordKind::Task, &["recurrence", "lastCompletedAt", "sequence"])
            .without_field(RecordKind::Board, "emoji")
            .without_field(RecordKind::Column, "emoji")
            .without_field(RecordKind::Note, "emoji")
            .without_profile_fields(&["emoji", "displayCurrency", "llmModel", "llmKeyConfigured"])
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        self.load_rows(&self.readers, member, needs).await
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let team = change.author.member.family.to_string();
        let early = if self.flaw == Some(Flaw::LoadsBeforeTheLock) {
            let rows = self.load_rows(&self.readers, &change.author.member, change.needs).await?;
            // All concurrent changes read before the first one writes.
            tokio::time::sleep(Duration::from_millis(50)).await;
            Some(rows)
        } else {
            None
        };
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
        let data = match early {
            Some(early) => early,
            None => self.load_rows(&mut *transaction, &change.author.member, change.needs).await?,
        };
        let writes = match self.flaw {
            Some(Flaw::AcceptsRevokedKeys) => flaws::writes_with_an_active_key(change, &data).await?,
            _ => change.writes(&data).await?,
        };
        if writes.is_empty() || self.flaw == Some(Flaw::DoesNotCommit) {
            return Ok(());
        }
        for write in &writes {
            let (statements, record) = statements(write)?;
            for statement in statements {
                let query = self.query(statement).bind(&team).bind(record.to_string());
                query.execute(&mut *transaction).await.map_err(fault)?;
            }
        }
        let count = self.query("UPDATE team SET revision = revision + 1 WHERE id = ?1").bind(&team);
        count.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let query = "DELETE FROM trash WHERE rowid IN
            (SELECT rowid FROM trash WHERE deleted <= ?1 ORDER BY deleted LIMIT ?2)";
        self.forget(self.query(query).bind(until.to_string()).bind(limit)).await
    }

    async fn forget_surplus_deleted(
        &self,
        family: &FamilyId,
        kind: RecordKind,
        keep: DeletedRecordLimit,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let query = "DELETE FROM trash WHERE rowid IN (SELECT row FROM (
            SELECT rowid AS row, deleted, row_number() OVER newest AS number,
                sum(octet_length(json)) OVER newest AS bytes FROM trash WHERE team = ?1 AND kind = ?2
                WINDOW newest AS (ORDER BY deleted DESC, id DESC))
            WHERE number > ?3 OR bytes > ?4 ORDER BY deleted LIMIT ?5)";
        let query = self.query(query).bind(family.as_str().to_owned()).bind(kind.as_str()).bind(keep.records);
        self.forget(query.bind(i64::try_from(keep.bytes).unwrap_or(i64::MAX)).bind(limit)).await
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let query = "DELETE FROM answer WHERE rowid IN
            (SELECT rowid FROM answer WHERE used <= ?1 ORDER BY used LIMIT ?2)";
        self.forget(self.query(query).bind(until.to_string()).bind(limit)).await
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        member: &Member,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let query = "DELETE FROM answer WHERE rowid IN (SELECT row FROM (
            SELECT rowid AS row, used, row_number() OVER (ORDER BY used DESC, key DESC) AS number
                FROM answer WHERE team = ?1 AND person = ?2) WHERE number > ?3 ORDER BY used LIMIT ?4)";
        let query = self.query(query).bind(member.family.to_string()).bind(member.user.to_string());
        self.forget(query.bind(keep).bind(limit)).await
    }
}
