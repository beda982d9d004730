//! Checks that the tables allow families to be distributed over several servers.

use std::collections::BTreeSet;

use family_api_sql::postgres::REVISION_TRIGGERS;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::family::Fixture;
use crate::schema::schema;

/// Selects each index with its table, its columns in order, and whether it is unique.
const INDEXES: &str = "
    SELECT x.indrelid::regclass::text, ARRAY(
               SELECT a.attname::text FROM unnest(x.indkey::smallint[]) WITH ORDINALITY AS k (number, place)
               JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.number ORDER BY k.place
           ), x.indisunique
    FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_family_api_migrations'";

/// Selects each foreign key with its first referencing and referenced column.
const REFERENCES: &str = "
    SELECT k.conrelid::regclass::text, a.attname::text, k.confrelid::regclass::text, b.attname::text
    FROM pg_constraint k
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
    JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
    WHERE k.contype = 'f'";

/// Selects the text columns that are ids, indexed or sorted, but do not have the collation `C` (order by code point).
const COLUMNS_WITH_WRONG_COLLATION: &str = r#"
    SELECT c.relname || '.' || a.attname
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.atttypid = 'text'::regtype
      AND a.attcollation <> 'pg_catalog."C"'::regcollation
      AND (a.attname ~ '(^|_)id$' OR (c.relname, a.attname) = ('shopping_lists', 'name')
           OR EXISTS (SELECT 1 FROM pg_index x WHERE x.indrelid = c.oid AND a.attnum = ANY (x.indkey)))"#;

/// Selects the tables with the records of a family, and `families`.
const FAMILY_TABLES: &str = "
    SELECT c.relname::text FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'users'
      AND (c.relname = 'families' OR EXISTS (
          SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'family_id'
      ))
    ORDER BY c.relname";

/// The indexes that find rows of all families: old rows, and the deleted private records of a user.
const INDEXES_OF_ALL_FAMILIES: [(&str, &str); 4] = [
    ("changes", "changed_at"),
    ("deleted_records", "deleted_at"),
    ("deleted_records", "owner_user_id family_id"),
    ("idempotency_keys", "created_at"),
];

async fn indexes(host: &mut PgConnection) -> Vec<(String, Vec<String>, bool)> {
    sqlx::query_as(INDEXES).fetch_all(host).await.unwrap()
}

tests! {
    async fn truncating_a_table_changes_the_revision_of_every_family() {
        const REVISIONS: &str = "SELECT sum(revision)::BIGINT FROM families";
        let fixture = Fixture::with_revision_triggers("x").await;
        let mut host = fixture.connect_host().await;
        for table in ["shopping_items", "notes", "events", "users, passwords, sessions, integration_keys"] {
            let before = fixture.count(REVISIONS).await;
            host.execute(AssertSqlSafe(format!("TRUNCATE {table}"))).await.unwrap();
            assert!(fixture.count(REVISIONS).await > before, "{table}");
        }
    }

    async fn every_key_and_index_of_a_family_table_starts_with_the_family() {
        let fixture = Fixture::empty().await;
        let mut host = fixture.connect_host().await;
        let tables: Vec<String> = sqlx::query_scalar(FAMILY_TABLES).fetch_all(&mut host).await.unwrap();
        assert_eq!(tables.len(), 12, "{tables:?}");
        let indexes = indexes(&mut host).await;
        for table in &tables {
            let first = if table == "families" { "id" } else { "family_id" };
            let table_indexes: Vec<_> = indexes.iter().filter(|(of, ..)| of == table).collect();
            let is_of_all_families = |(of, columns, is_unique): &(String, Vec<String>, bool)| {
                !is_unique && INDEXES_OF_ALL_FAMILIES.contains(&(of.as_str(), columns.join(" ").as_str()))
            };
            let others = table_indexes.iter().filter(|index| !is_of_all_families(index));
            assert!(others.clone().count() > 0, "{table}");
            assert!(others.clone().all(|(_, columns, _)| columns[0] == first), "{table_indexes:?}");
        }
    }

    async fn only_users_keys_and_digests_are_unique_across_families() {
        let fixture = Fixture::empty().await;
        let mut host = fixture.connect_host().await;
        let unique = indexes(&mut host).await.into_iter().filter(|(.., unique)| *unique);
        let global = unique.filter(|(_, columns, _)| columns[0] != "family_id");
        let global: BTreeSet<String> =
            global.map(|(table, columns, _)| format!("{table} {}", columns.join(" "))).collect();
        let expected = [
            "calendar_feeds digest",
            "calendar_feeds id",
            "calendar_ids name",
            "families id",
            "grants access_token",
            "grants code",
            "grants id",
            "grants refresh_lineage",
            "integration_keys digest",
            "integration_keys id",
            "passwords user_id",
            "sessions digest",
            "signing_keys name",
            "users email",
            "users id",
        ];
        assert_eq!(global, expected.map(str::to_owned).into());
    }

    async fn every_foreign_key_stays_in_its_family_or_references_a_user() {
        let fixture = Fixture::empty().await;
        let mut host = fixture.connect_host().await;
        let references: Vec<(String, String, String, String)> =
            sqlx::query_as(REFERENCES).fetch_all(&mut host).await.unwrap();
        assert!(references.len() > 10, "{references:?}");
        for (from, column, to, target) in references {
            let in_family = column == "family_id" && (target == "family_id" || (&*to, &*target) == ("families", "id"));
            assert!(in_family || (&*to, &*target) == ("users", "id"), "{from}.{column} refers to {to}.{target}");
        }
    }

    async fn no_sequence_is_shared_by_families() {
        let fixture = Fixture::empty().await;
        assert_eq!(fixture.count("SELECT count(*) FROM pg_class WHERE relkind = 'S'").await, 0);
        assert_eq!(fixture.count("SELECT count(*) FROM pg_attribute WHERE attidentity <> ''").await, 0);
    }

    async fn ids_and_sorted_columns_compare_by_code_point() {
        let fixture = Fixture::empty().await;
        let mut host = fixture.connect_host().await;
        let wrong: Vec<String> = sqlx::query_scalar(COLUMNS_WITH_WRONG_COLLATION).fetch_all(&mut host).await.unwrap();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    async fn every_timestamp_has_milliseconds() {
        let sql = "SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE '\\_family%'
                     AND a.attname ~ '(_at|_date)$' AND format_type(a.atttypid, a.atttypmod) ";
        let fixture = Fixture::empty().await;
        let mut host = fixture.connect_host().await;
        let mut count = async |rest: &str| -> i64 {
            let sql = sqlx::AssertSqlSafe([sql, rest].concat());
            sqlx::query_scalar(sql).fetch_one(&mut host).await.unwrap()
        };
        assert_eq!(count("<> 'timestamp(3) with time zone'").await, 0);
        assert!(count("= 'timestamp(3) with time zone'").await > 20);
    }

    async fn revision_triggers_can_be_applied_twice() {
        let fixture = Fixture::empty().await;
        let mut host = fixture.connect_host().await;
        let without = schema(&mut host).await;
        host.execute(REVISION_TRIGGERS).await.unwrap();
        let with = schema(&mut host).await;
        host.execute(REVISION_TRIGGERS).await.unwrap();
        assert_eq!(schema(&mut host).await, with);
        assert!(with.len() > without.len());
        assert_eq!(fixture.reopen().await.err().map(|error| error.to_string()), None);
    }
}
