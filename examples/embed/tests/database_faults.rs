//! Faults of the database: damaged rows, a full disk, a busy writer.

use family_api_core::SystemClock;
use family_api_core::storage::{Member, ReadStorage, WriteStorage, Written};
use family_api_embed::storage::Hearth;
use salvo::http::Method;
use serde_json::json;
use sqlx::Executor;

use crate::support::{App, KEYS, TASKS, deletion_of_the_memo};

fn ines() -> Member {
    Member { user: "ines".parse().unwrap(), family: "linden".parse().unwrap() }
}

async fn delete_stove(hearth: &Hearth) -> bool {
    let deleted = hearth.write_note(&ines().into(), &deletion_of_the_memo(hearth.clock.now())).await;
    matches!(deleted.unwrap(), Written::Deleted(_))
}

#[tokio::test]
async fn closed_database_connections_get_503() {
    let (app, token) = App::with_key().await;
    app.database.hearth.readers.close().await;
    assert_eq!(app.send(&token, Method::GET, TASKS, None).await.0, 503);
}

#[tokio::test]
async fn damaged_instant_gets_500_and_is_not_erased_by_a_write() {
    for damage in [
        "UPDATE chore SET changed = 999999999999999",
        "UPDATE chore SET due = 999999999999999",
        "UPDATE chore SET due = -999999999999999",
        "UPDATE chore SET state = 'done', finished = 999999999999999",
        "UPDATE api_key SET until = 999999999999999",
        "UPDATE api_key SET used = 999999999999999",
        "UPDATE api_key SET revoked = 999999999999999",
        "UPDATE api_key SET revoked = -999999999999999",
    ] {
        let (app, token) = App::with_key().await;
        app.database.hearth.writer.execute(damage).await.unwrap();
        let rows = async || {
            let sql = "SELECT json_group_array(json_array(due, finished, changed)) FROM chore";
            sqlx::query_scalar::<_, String>(sql).fetch_one(&app.database.hearth.readers).await.unwrap()
        };
        let before = rows().await;
        assert_eq!(app.send(&token, Method::GET, TASKS, None).await.0, 500, "{damage}");
        let change = Some(json!({ "title": "Bake rolls" }));
        let (status, body) = app.send(&token, Method::PATCH, "family/api/v1/tasks/bread", change).await;
        assert_eq!(status, 500, "{damage}: {body}");
        assert_eq!(rows().await, before, "{damage}");
    }
}

#[tokio::test]
async fn write_works_after_sqlite_rolled_back_the_previous_write() {
    let (app, token) = App::with_key().await;
    let change = async || {
        let body = Some(json!({ "title": "The old stove" }));
        app.send(&token, Method::PATCH, "family/api/v1/notes/stove", body).await.0
    };
    let full = "CREATE TRIGGER full BEFORE UPDATE ON memo BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
    app.database.hearth.writer.execute(full).await.unwrap();
    assert_eq!(change().await, 500);
    app.database.hearth.writer.execute("DROP TRIGGER full").await.unwrap();
    assert_eq!(change().await, 200);
}

#[tokio::test]
async fn full_disk_gets_503() {
    let (app, token) = App::with_key().await;
    app.database.hearth.writer.execute("PRAGMA max_page_count = 1").await.unwrap();
    let long = Some(json!({ "content": "x".repeat(20_000) }));
    assert_eq!(app.send(&token, Method::PATCH, "family/api/v1/notes/stove", long).await.0, 503);
}

#[tokio::test]
async fn write_works_after_a_rollback_that_the_driver_did_not_see() {
    let app = App::start().await;
    let mut transaction = app.database.hearth.writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
    transaction.execute("ROLLBACK").await.unwrap();
    drop(transaction);
    assert!(delete_stove(&app.database.hearth).await);
}

#[tokio::test]
async fn read_does_not_wait_for_writers() {
    let (app, token) = App::with_key().await;
    let transaction = app.database.hearth.writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let writes: Vec<_> = (0..20)
        .map(|_| {
            let hearth = app.database.hearth.clone();
            tokio::spawn(async move { delete_stove(&hearth).await })
        })
        .collect();
    tokio::task::yield_now().await;
    assert_eq!(app.send(&token, Method::GET, TASKS, None).await.0, 200);
    assert!(writes.iter().all(|write| !write.is_finished()));
    transaction.rollback().await.unwrap();
    let mut deleted = 0;
    for write in writes {
        deleted += u32::from(write.await.unwrap());
    }
    assert_eq!(deleted, 1);
}

#[tokio::test]
async fn read_connection_cannot_write() {
    let app = App::start().await;
    assert!(app.database.hearth.readers.execute("DELETE FROM memo").await.is_err());
}

#[tokio::test]
async fn opening_a_database_replaces_old_views() {
    let app = App::start().await;
    let old = "DROP VIEW family_record;
        CREATE VIEW family_record (household, kind, id, record) AS SELECT 'linden', 'notes', 'old', '{}';
        DROP VIEW key_record; CREATE VIEW key_record AS SELECT 1 AS record;";
    sqlx::raw_sql(old).execute(&app.database.hearth.writer).await.unwrap();
    assert!(app.database.hearth.list_notes(&ines()).await.is_err());
    let path = app.database.folder.path().join("hearth.db");
    let newer = Hearth::open(path, SystemClock).await.unwrap();
    assert_eq!(newer.list_notes(&ines()).await.unwrap().parse().unwrap().len(), 1);
    assert!(delete_stove(&newer).await);
    assert_eq!(app.send(&app.sign_in("ines").await, Method::GET, KEYS, None).await.0, 200);
}

#[tokio::test]
async fn triggers_refuse_changes_of_people_boards_and_columns() {
    let app = App::start().await;
    for kind in ["people", "boards", "columns"] {
        let query = sqlx::query("UPDATE family_record SET record = '{}' WHERE kind = ?1").bind(kind);
        assert!(query.execute(&app.database.hearth.writer).await.is_err(), "{kind}");
    }
}
