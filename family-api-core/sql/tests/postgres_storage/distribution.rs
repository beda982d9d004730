//! The SQL that distributes the tables with Citus. The test server has no Citus, so functions with the same names
//! record their calls.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    BulkLoad, BulkUpdate, Export, ExportedPasswords, KeyCondition, KeyStorage, MissingRecords, NewKey, ReadStorage,
    StorageError,
};
use family_api_sql::postgres::{CITUS_DISTRIBUTION, OpenError, PostgresStorage};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::family::{Fixture, member};
use crate::fixture::within_timeout;
use crate::revisions::new_key;

const OPERATING: &str = include_str!("../../src/postgres/operating.md");

const TABLES: &str = "
    SELECT tablename::text FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> '_family_api_coordinator'
    ORDER BY tablename";

/// Counts foreign keys whose referencing table is distributed before the referenced table.
const TOO_EARLY_REFERENCES: &str = "
    SELECT count(*) FROM pg_constraint k
    JOIN recorded.calls referring ON referring.table_name = k.conrelid::regclass::text
    JOIN recorded.calls referred ON referred.table_name = k.confrelid::regclass::text
    WHERE k.contype = 'f' AND referred.number > referring.number";

/// Distributes the tables.
async fn distribute(fixture: &Fixture) -> PgConnection {
    fixture.database.distribute(CITUS_DISTRIBUTION).await
}

/// Distributes the tables, and opens them as on a worker, which does not have the table of the coordinator.
async fn open_on_worker(fixture: &Fixture) -> (PgConnection, Result<PostgresStorage, OpenError>) {
    let mut host = distribute(fixture).await;
    host.execute("DROP TABLE _family_api_coordinator").await.unwrap();
    let worker = fixture.reopen().await;
    (host, worker)
}

/// Returns the first SQL block of the guide for operators after these words.
fn sql_after(words: &str) -> String {
    let (_, rest) = OPERATING.split_once(words).unwrap();
    let (_, sql) = rest.split_once("```sql\n").unwrap();
    sql.split_once("```").unwrap().0.to_owned()
}

tests! {
    async fn the_documented_statement_changes_the_revision() {
        let fixture = Fixture::of("x").await;
        let revision = async || fixture.storage.list_notes(&member("one")).await.unwrap().revision();
        let before = revision().await;
        let mut host = fixture.connect_host().await;
        let mut transaction = host.begin().await.unwrap();
        let count = sql_after("# The revision, and direct writes into the tables").replace("the family", "one");
        let counted = transaction.execute(AssertSqlSafe(count)).await.unwrap();
        transaction.execute("UPDATE notes SET title = 'y' WHERE id = 'note-one'").await.unwrap();
        assert_eq!((counted.rows_affected(), revision().await), (1, before));
        transaction.commit().await.unwrap();
        assert_ne!(revision().await, before);
    }

    async fn every_table_is_distributed_once_after_the_tables_it_references() {
        let fixture = Fixture::of("x").await;
        let mut host = distribute(&fixture).await;
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut host).await.unwrap();
        let distributed = sqlx::query_scalar("SELECT table_name FROM recorded.calls ORDER BY table_name");
        let distributed: Vec<String> = distributed.fetch_all(&mut host).await.unwrap();
        assert_eq!(distributed, tables);
        assert_eq!(fixture.count(TOO_EARLY_REFERENCES).await, 0);
    }

    async fn records_are_colocated_with_their_family() {
        let fixture = Fixture::of("x").await;
        let mut host = distribute(&fixture).await;
        let not_colocated = "
            SELECT c.table_name FROM recorded.calls c
            JOIN pg_attribute a ON a.attrelid = c.table_name::regclass AND a.attname = 'family_id'
            WHERE c.table_name <> 'users'
              AND (c.column_name, c.colocated_with) IS DISTINCT FROM ('family_id', 'families')";
        assert!(sqlx::query(not_colocated).fetch_all(&mut host).await.unwrap().is_empty());
        let by_id = "SELECT count(*) FROM recorded.calls WHERE table_name = 'families' AND column_name = 'id'";
        assert_eq!(fixture.count(by_id).await, 1);
    }

    async fn every_distributed_table_has_a_primary_key() {
        let fixture = Fixture::of("x").await;
        let mut host = distribute(&fixture).await;
        let without = "
            SELECT table_name FROM recorded.calls
            WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = table_name::regclass AND contype = 'p')";
        assert!(sqlx::query(without).fetch_all(&mut host).await.unwrap().is_empty());
    }

    async fn no_distributed_table_has_a_trigger() {
        let fixture = Fixture::of("x").await;
        distribute(&fixture).await;
        let triggers = "SELECT count(*) FROM pg_trigger t JOIN recorded.calls c ON c.table_name::regclass = t.tgrelid
            WHERE NOT t.tgisinternal";
        assert_eq!(fixture.count(triggers).await, 0);
    }

    async fn distributed_grants_are_deleted_with_their_user() {
        let fixture = Fixture::of("x").await;
        distribute(&fixture).await;
        fixture.assert_that_credentials_are_deleted_with_their_user().await;
    }

    async fn distributed_tables_refuse_the_key_of_a_user_in_another_database() {
        let fixture = Fixture::of("x").await;
        distribute(&fixture).await;
        let new = NewKey { condition: KeyCondition::HostChecked, ..new_key() };
        let refused = fixture.reopen().await.unwrap().insert_key(&new, 50).await;
        assert!(format!("{refused:?}").contains("only of users in the same database"), "{refused:?}");
    }

    async fn distribution_does_not_change_the_result_of_a_key_lookup() {
        let fixture = Fixture::of("x").await;
        let digest = KeyDigest::from_bytes([0x11; 32]);
        let before = fixture.storage.find_key(&digest).await.unwrap();
        assert!(before.as_ref().is_some_and(|key| key.account.as_ref().unwrap().membership.is_some()));
        distribute(&fixture).await;
        assert_eq!(fixture.count("SELECT count(*) FROM _family_api_distributed").await, 0);
        let distributed = fixture.reopen().await.unwrap();
        assert_eq!(distributed.find_key(&digest).await.unwrap(), before);
    }

    async fn distributed_tables_are_not_updated_or_exported() {
        let fixture = Fixture::of("x").await;
        distribute(&fixture).await;
        let distributed = fixture.reopen().await.unwrap();
        let refused = distributed.begin_update(MissingRecords::Keep).await;
        assert!(matches!(refused, Err(StorageError::Backend(_))));
        let refused = distributed.begin_export(None, ExportedPasswords::None).await;
        assert!(matches!(refused, Err(StorageError::Backend(_))));
    }

    async fn a_worker_is_opened_without_a_migration() {
        let fixture = Fixture::of("x").await;
        let mut host = distribute(&fixture).await;
        // The lock of a migration, and transactions that cannot write.
        host.execute("SELECT pg_advisory_lock(28816739826464873)").await.unwrap();
        let read_only = format!("ALTER DATABASE {} SET default_transaction_read_only = on", fixture.database.name());
        host.execute("DROP TABLE _family_api_coordinator").await.unwrap();
        host.execute(AssertSqlSafe(read_only)).await.unwrap();
        let worker = within_timeout(fixture.reopen()).await.unwrap();
        let key = worker.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap();
        assert_eq!(key.unwrap().account.unwrap().user, member("one").user);
    }

    async fn a_worker_is_not_opened_before_the_coordinator_has_migrated() {
        for (change, expected) in [
            (
                "DELETE FROM _family_api_migrations WHERE version = 1",
                "the database must be migrated first: start this version once with the URL of the coordinator",
            ),
            (
                "UPDATE _family_api_migrations SET checksum = '' WHERE version = 1",
                "migration 1 of the database differs from the one of this version: export the database with the \
                 program that created it, and import it into a new one",
            ),
            (
                "INSERT INTO _family_api_migrations SELECT 99, '', now(), true, '', 0",
                "the database has migration 99, which this version does not know: a newer version has used the database",
            ),
        ] {
            let fixture = Fixture::of("x").await;
            fixture.connect_host().await.execute(change).await.unwrap();
            let (mut host, worker) = open_on_worker(&fixture).await;
            assert_eq!(worker.unwrap_err().to_string(), expected);
            let pending = "SELECT count(*) FROM _family_api_migrations WHERE version = 1 AND checksum <> ''";
            let applied: i64 = sqlx::query_scalar(pending).fetch_one(&mut host).await.unwrap();
            assert_eq!(applied, i64::from(change.starts_with("INSERT")), "{change}");
        }
    }

    async fn records_are_loaded_only_through_the_coordinator() {
        let fixture = Fixture::of("x").await;
        distribute(&fixture).await;
        fixture.reopen().await.unwrap().begin_load().await.unwrap();
        let fixture = Fixture::of("x").await;
        let (_, worker) = open_on_worker(&fixture).await;
        let refused = worker.unwrap().begin_load().await.err();
        assert!(matches!(refused, Some(StorageError::Backend(_))), "{refused:?}");
    }
}
