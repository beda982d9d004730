//! The suite, on the calendar.

use async_trait::async_trait;
use family_api_conformance::{Subject, seed_key};
use family_api_core::storage::{HostStorage, Record, Storage};
use family_api_sql::postgres::PostgresStorage;
use family_api_testing::{Database, Server, on_postgres};

use super::Calendar;
use super::flaws::{Flaw, Flawed};

const CLUB: &str = "INSERT INTO club SELECT ($1::jsonb ->> 'id')::bigint, $1::jsonb ->> 'name'";

/// A user without a family is a former member of the first club.
const MEMBER: &str = "
    INSERT INTO member (id, club, full_name, mail, badge, colour, zone, api_open, left_at)
    SELECT (r ->> 'id')::bigint, coalesce((r ->> 'familyId')::bigint, (SELECT min(id) FROM club)), r ->> 'name',
        r ->> 'email', r ->> 'emoji', r ->> 'color', r ->> 'timeZone', (r ->> 'personalApiEnabled')::boolean,
        CASE WHEN r ->> 'familyId' IS NULL THEN now() END
    FROM (SELECT $1::jsonb AS r) AS row";

const APPOINTMENT: &str = "
    INSERT INTO appointment
    SELECT (r ->> 'id')::bigint, (r ->> 'familyId')::bigint, r ->> 'title', r ->> 'description', r ->> 'color',
        (r ->> 'startDate')::timestamptz, (r ->> 'endDate')::timestamptz, (r ->> 'allDay')::boolean, r ->> 'location',
        'RRULE:' || (r ->> 'recurrence'), (r ->> 'assigneeId')::bigint, (r ->> 'createdAt')::timestamptz,
        (r ->> 'updatedAt')::timestamptz
    FROM (SELECT $1::jsonb AS r) AS row";

/// The calendar in a database of its own.
pub(super) struct Installed {
    pub(super) app: Calendar,
    pub(super) keys: PostgresStorage,
    pub(super) host: Flawed,
    pub(super) storage: HostStorage<Flawed, PostgresStorage>,
    _database: Database,
}

impl Installed {
    pub(super) async fn new(flaw: Option<Flaw>) -> Self {
        let database = Server::shared().create_database().await;
        let mut app = Calendar::open(database.url()).await;
        let keys = app.open_keys(database.url()).await;
        app.sql = flaw.map_or(app.sql, Flaw::statements);
        let host = Flawed::new(app.clone(), flaw);
        let storage = HostStorage::new(host.clone(), keys.clone());
        Self { app, keys, host, storage, _database: database }
    }

    /// Deletes all rows and keys.
    pub(super) async fn empty(&self) {
        let tables = "TRUNCATE club, member, appointment, visit, family_api.integration_keys";
        sqlx::raw_sql(tables).execute(&self.app.pool).await.unwrap();
    }
}

#[async_trait]
impl Subject for Installed {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        for record in records {
            let json = serde_json::to_string(&record).unwrap();
            let statement = match record {
                Record::Key(key) => {
                    seed_key(&self.keys, key).await;
                    continue;
                }
                Record::Family(_) => CLUB,
                Record::User(_) => MEMBER,
                Record::Event(_) => APPOINTMENT,
                other => panic!("the calendar has no {}", other.kind()),
            };
            sqlx::query(statement).bind(json).execute(&self.app.pool).await.unwrap();
        }
    }

    fn host_id(&self, number: u32) -> Option<String> {
        Some(number.to_string())
    }

    async fn stop_database(&self) -> bool {
        self.app.pool.close().await;
        true
    }
}

on_postgres!(family_api_conformance::storage_conformance, Installed::new(None).await);
