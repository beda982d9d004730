//! An inspection finds what is missing in the schema.

use family_api_sql::Finding;
use sqlx::Executor;

use crate::family::{AT, Fixture};

/// Statements that remove something, each with its name in the finding.
const REMOVALS: [(&str, &str); 7] = [
    ("ALTER TABLE notes DROP CONSTRAINT notes_category", "constraint notes.notes_category"),
    ("ALTER TABLE tasks DROP CONSTRAINT tasks_priority_check", "constraint tasks.tasks_priority_check"),
    ("DROP INDEX users_of_family", "index users_of_family"),
    ("DROP TABLE signing_keys", "table signing_keys"),
    ("DROP TRIGGER credentials_of_deleted_user ON users", "trigger users.credentials_of_deleted_user"),
    ("ALTER TABLE users DISABLE TRIGGER credentials_of_deleted_user", "trigger users.credentials_of_deleted_user"),
    ("ALTER TABLE sessions DROP CONSTRAINT sessions_user_id_fkey", "constraint sessions.sessions_user_id_fkey"),
];

async fn damage(fixture: &Fixture) -> Vec<Finding> {
    fixture.inspect(AT.parse().unwrap()).await.damage
}

tests! {
    async fn a_missing_object_of_the_schema_is_damage() {
        for (removal, name) in REMOVALS {
            let fixture = Fixture::of("x").await;
            fixture.connect_host().await.execute(removal).await.unwrap();
            let damage = damage(&fixture).await;
            let [found] = damage.as_slice() else { panic!("{removal}: {damage:?}") };
            assert_eq!(found.name, "missingObjects");
            assert!(found.examples.iter().any(|example| example == name), "{found:?}");
        }
    }

    async fn an_invalid_index_is_damage() {
        let fixture = Fixture::of("x").await;
        let invalid = "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_of_family'::regclass";
        fixture.connect_host().await.execute(invalid).await.unwrap();
        let damage = damage(&fixture).await;
        assert_eq!(damage.iter().map(|found| found.name.as_str()).collect::<Vec<_>>(), ["invalidIndexes"]);
    }

    async fn a_host_can_have_more_objects() {
        let fixture = Fixture::of("x").await;
        for sql in ["CREATE TABLE more (id TEXT PRIMARY KEY)", "CREATE INDEX more_notes ON notes (title)"] {
            fixture.connect_host().await.execute(sql).await.unwrap();
        }
        assert_eq!(damage(&fixture).await, []);
    }
}
