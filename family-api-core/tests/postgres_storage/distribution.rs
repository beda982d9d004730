//! The SQL that distributes the tables with Citus. The test server has no Citus, so the tests define functions with the
//! same names, which record their calls.

use family_api_core::key::KeyDigest;
use family_api_core::storage::postgres::CITUS_DISTRIBUTION;
use family_api_core::storage::{BulkUpdate, KeyStorage, MissingRecords, ReadStorage, StorageError};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::family::{Fixture, member};

const OPERATING: &str = include_str!("../../src/storage/postgres/operating.md");

const FUNCTIONS: &str = "
    CREATE SCHEMA recorded;
    CREATE TABLE recorded.calls (number BIGINT, table_name TEXT, column_name TEXT, colocated_with TEXT);
    CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS
        'INSERT INTO recorded.calls SELECT (SELECT count(*) FROM recorded.calls), $1';
    CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, colocate_with text)
        RETURNS void LANGUAGE sql AS
        'INSERT INTO recorded.calls SELECT (SELECT count(*) FROM recorded.calls), $1, $2, $3'";

const TABLES: &str = "
    SELECT tablename::text FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('_family_api_migrations', '_family_api_distributed')
    ORDER BY tablename";

/// Counts foreign keys whose referencing table is distributed before the referenced table.
const TOO_EARLY_REFERENCES: &str = "
    SELECT count(*) FROM pg_constraint k
    JOIN recorded.calls referring ON referring.table_name = k.conrelid::regclass::text
    JOIN recorded.calls referred ON referred.table_name = k.confrelid::regclass::text
    WHERE k.contype = 'f' AND referred.number > referring.number";

/// Distributes the tables.
async fn distribute(fixture: &Fixture) -> PgConnection {
    let mut host = fixture.connect_host().await;
    host.execute(FUNCTIONS).await.unwrap();
    host.execute(CITUS_DISTRIBUTION).await.unwrap();
    host
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
        let mut host = fixture.connect_host().await;
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut host).await.unwrap();
        distribute(&fixture).await;
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
        fixture.assert_that_grants_are_deleted_with_their_user().await;
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

    async fn distributed_tables_are_not_updated() {
        let fixture = Fixture::of("x").await;
        distribute(&fixture).await;
        let distributed = fixture.reopen().await.unwrap();
        let refused = distributed.begin_update(MissingRecords::Keep).await;
        assert!(matches!(refused, Err(StorageError::Backend(_))));
    }
}
