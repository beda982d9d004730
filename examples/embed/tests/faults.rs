//! Faults of the database: damaged rows, a full disk, a busy writer.

use family_api_core::storage::{Member, ReadStorage, Update, WriteStorage};
use family_api_core::{Precondition, SystemClock};
use family_api_embed::storage::Hearth;
use salvo::http::Method;
use serde_json::json;
use sqlx::Executor;

use crate::support::{App, KEYS, TASKS};

fn ines() -> Member {
    Member { user: "ines".parse().unwrap(), family: "linden".parse().unwrap() }
}

async fn delete_stove(hearth: &Hearth) -> bool {
    let deleted =
        hearth.delete_note(&ines().into(), &"stove".parse().unwrap(), &Precondition::None, hearth.clock.now()).await;
    deleted.unwrap() == Update::Done(())
}

#[tokio::test]
async fn a_database_that_fails_is_unavailable() {
    let app = App::start().await;
    let (_, token) = app.key(&app.sign_in("ines").await).await;
    app.database.hearth.readers.close().await;
    assert_eq!(app.send(&token, Method::GET, TASKS, None).await.0, 503);
}

#[tokio::test]
async fn a_damaged_instant_is_an_error_and_no_write_erases_it() {
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
        let app = App::start().await;
        let (_, token) = app.key(&app.sign_in("ines").await).await;
        app.database.hearth.writer.execute(damage).await.unwrap();
        let rows = async || {
            let sql = "SELECT json_group_array(json_array(due, finished, changed)) FROM chore";
            sqlx::query_scalar::<_, String>(sql).fetch_one(&app.database.hearth.readers).await.unwrap()
        };
        let before = rows().await;
        assert_eq!(app.send(&token, Method::GET, TASKS, None).await.0, 500, "{damage}");
        let change = Some(json!({ "title": "Bake rolls" }));
        let answer = app.send(&token, Method::PATCH, "family/api/v1/tasks/bread", change).await;
        assert_eq!(answer.0, 500, "{damage}: {}", answer.1);
        assert_eq!(rows().await, before, "{damage}");
    }
}

#[tokio::test]
async fn a_write_works_after_sqlite_rolled_back_the_previous_one() {
    let app = App::start().await;
    let (_, token) = app.key(&app.sign_in("ines").await).await;
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
async fn a_full_disk_is_unavailable() {
    let app = App::start().await;
    let (_, token) = app.key(&app.sign_in("ines").await).await;
    app.database.hearth.writer.execute("PRAGMA max_page_count = 1").await.unwrap();
    let long = Some(json!({ "content": "x".repeat(20_000) }));
    assert_eq!(app.send(&token, Method::PATCH, "family/api/v1/notes/stove", long).await.0, 503);
}

#[tokio::test]
async fn a_transaction_begins_after_sqlite_ended_the_previous_one() {
    let app = App::start().await;
    let mut ended = app.database.hearth.writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
    ended.execute("ROLLBACK").await.unwrap();
    drop(ended);
    assert!(delete_stove(&app.database.hearth).await);
}

#[tokio::test]
async fn a_read_does_not_wait_for_waiting_writers() {
    let app = App::start().await;
    let (_, token) = app.key(&app.sign_in("ines").await).await;
    let held = app.database.hearth.writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let waiting: Vec<_> = (0..20)
        .map(|_| {
            let hearth = app.database.hearth.clone();
            tokio::spawn(async move { delete_stove(&hearth).await })
        })
        .collect();
    tokio::task::yield_now().await;
    assert_eq!(app.send(&token, Method::GET, TASKS, None).await.0, 200);
    assert!(waiting.iter().all(|write| !write.is_finished()));
    held.rollback().await.unwrap();
    let mut deleted = 0;
    for write in waiting {
        deleted += u32::from(write.await.unwrap());
    }
    assert_eq!(deleted, 1);
}

#[tokio::test]
async fn a_reader_cannot_write() {
    let app = App::start().await;
    assert!(app.database.hearth.readers.execute("DELETE FROM memo").await.is_err());
}

#[tokio::test]
async fn views_of_an_older_version_are_replaced() {
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
async fn the_triggers_refuse_changes_that_the_api_does_not_make() {
    let app = App::start().await;
    for kind in ["people", "boards", "columns"] {
        let query = sqlx::query("UPDATE family_record SET record = '{}' WHERE kind = ?1").bind(kind);
        assert!(query.execute(&app.database.hearth.writer).await.is_err(), "{kind}");
    }
}
