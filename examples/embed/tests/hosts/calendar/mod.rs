//! A calendar of clubs in PostgreSQL, with tables that were there before: numeric ids, `timestamptz`, and former members
//! who keep their row. The API only reads it. The keys are in another schema of the same database.

mod flaws;
mod http;
mod suite;

use async_trait::async_trait;
use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::resource::{Profile, RecordKind, ResourceKind};
use family_api_core::storage::{
    Capabilities, FamilyData, FamilyStore, Health, Member, Needs, SignedIn, StorageError, UserStorage,
};
use family_api_core::{Timestamp, id::UserId};
use family_api_sql::postgres::PostgresStorage;
use serde::de::DeserializeOwned;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

const TABLES: &str = "
    CREATE TABLE club (id bigint PRIMARY KEY, title text NOT NULL);
    CREATE TABLE member (id bigint PRIMARY KEY, club bigint REFERENCES club, full_name text NOT NULL, mail text NOT NULL,
        badge text, colour text, zone text NOT NULL DEFAULT 'UTC', pin text, api_open boolean NOT NULL DEFAULT FALSE,
        left_at timestamptz);
    CREATE TABLE appointment (id bigint PRIMARY KEY, club bigint NOT NULL REFERENCES club, subject text NOT NULL,
        details text, colour text, begins timestamptz NOT NULL, ends timestamptz NOT NULL, whole_day boolean NOT NULL,
        place text, repeats text, host bigint, made timestamptz NOT NULL, changed timestamptz NOT NULL);
    CREATE TABLE visit (secret text PRIMARY KEY, member bigint NOT NULL);";

/// The statements of the app.
#[derive(Clone, Copy)]
struct Statements {
    find: &'static str,
    update: &'static str,
    load: &'static str,
}

const STATEMENTS: Statements = Statements {
    find: "
    SELECT json_build_object('id', id::text, 'name', full_name, 'email', mail, 'emoji', badge, 'color', colour,
        'familyId', CASE WHEN left_at IS NULL THEN club::text END, 'displayCurrency', 'XXX', 'timeZone', zone,
        'personalApiEnabled', api_open, 'llmKeyConfigured', FALSE)::text
    FROM member WHERE id = $1",
    update: "UPDATE member SET api_open = coalesce($2, api_open), zone = coalesce($3, zone) WHERE id = $1",
    load: r#"
    SELECT json_build_object(
        'people', (SELECT coalesce(json_agg(json_build_object('id', id::text, 'name', full_name, 'emoji', badge,
                'color', colour)), '[]')
            FROM member WHERE club = $1 AND left_at IS NULL),
        'events', (SELECT coalesce(json_agg(json_build_object('id', id::text, 'title', subject, 'description', details,
                'color', colour, 'startDate', to_char(begins AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'endDate', to_char(ends AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'allDay', whole_day,
                'location', place, 'recurrence', substr(repeats, 7), 'assigneeId', host::text,
                'createdAt', to_char(made AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'updatedAt', to_char(changed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
            FROM appointment WHERE club = $1 AND ($3::text IS NULL OR id::text = $3)))::text
    FROM member WHERE id = $2 AND club = $1 AND left_at IS NULL"#,
};

/// The app.
#[derive(Clone)]
struct Calendar {
    pool: PgPool,
    sql: Statements,
}

impl Calendar {
    async fn open(url: &str) -> Self {
        let pool = PgPoolOptions::new().max_connections(4).connect(url).await.unwrap();
        sqlx::raw_sql(TABLES).execute(&pool).await.unwrap();
        Self { pool, sql: STATEMENTS }
    }

    /// Opens the storage of the keys in the schema `family_api`, because the app also has a table of members.
    async fn open_keys(&self, url: &str) -> PostgresStorage {
        sqlx::raw_sql("CREATE SCHEMA family_api").execute(&self.pool).await.unwrap();
        let options = url.parse::<PgConnectOptions>().unwrap();
        let options = options.options([("search_path", "family_api"), ("statement_timeout", "4s")]);
        let pool = PgPoolOptions::new().max_connections(4).connect_with(options).await.unwrap();
        PostgresStorage::from_pool(pool).await.unwrap()
    }
}

/// Returns the number that an id of the API stands for. Each number has one text: `007` is no id.
fn number(id: &str) -> Option<i64> {
    id.parse().ok().filter(|number: &i64| number.to_string() == id)
}

fn fault(error: sqlx::Error) -> StorageError {
    match error {
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => StorageError::unavailable(error),
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => StorageError::corrupt(error),
        _ => StorageError::backend(error),
    }
}

fn from_json<T: DeserializeOwned>(json: &str) -> Result<T, StorageError> {
    serde_json::from_str(json).map_err(StorageError::corrupt)
}

#[async_trait]
impl Health for Calendar {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query("SELECT 1 FROM member LIMIT 1").execute(&self.pool).await.map(drop).map_err(fault)
    }
}

#[async_trait]
impl UserStorage for Calendar {
    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        let Some(id) = number(user.as_str()) else { return Ok(None) };
        let query = sqlx::query_scalar(self.sql.find).bind(id);
        let profile: Option<String> = query.fetch_optional(&self.pool).await.map_err(fault)?;
        profile.as_deref().map(from_json).transpose()
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        _: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let update = sqlx::query(self.sql.update).bind(number(user.user.as_str())).bind(change.personal_api_enabled());
        let update = update.bind(change.time_zone().map(Zone::as_str));
        update.execute(&self.pool).await.map_err(fault)?;
        self.find_profile(&user.user).await
    }
}

#[async_trait]
impl FamilyStore for Calendar {
    fn capabilities(&self) -> Capabilities {
        let without = [ResourceKind::Tasks, ResourceKind::TaskStats, ResourceKind::Shopping, ResourceKind::Notes];
        let kept = without.into_iter().fold(Capabilities::reads(), Capabilities::without_resource);
        let lost = ["emoji", "timeZone", "overrides", "participantIds", "sequence"];
        kept.without_fields(RecordKind::Event, &lost).without_profile_fields(&[
            "image",
            "displayCurrency",
            "llmModel",
            "llmKeyConfigured",
        ])
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        let query = sqlx::query_scalar(self.sql.load).bind(number(member.family.as_str()));
        let query = query.bind(number(member.user.as_str())).bind(needs.rows(RecordKind::Event).id());
        let data: Option<String> = query.fetch_optional(&self.pool).await.map_err(fault)?;
        data.as_deref().map_or_else(|| Ok(FamilyData::default()), from_json)
    }
}
