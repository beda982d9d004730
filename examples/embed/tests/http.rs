//! The app and its API over HTTP: each immediately shows the changes of the other.

use family_api_core::Timestamp;
use family_api_core::storage::{Member, ReadStorage, WriteStorage, Written};
use salvo::http::Method;
use salvo::http::header::COOKIE;
use salvo::test::TestClient;
use serde_json::json;

use crate::support::{App, KEYS, NOW, TASKS, TestDatabase, deletion_of_the_memo};

#[tokio::test]
async fn key_immediately_reads_a_chore_that_the_app_added() {
    let app = App::start().await;
    let ines = app.sign_in("ines").await;
    let (_, token) = app.create_key(&ines).await;
    assert_eq!(app.task_titles(&token).await, ["Bake bread"]);
    let chore = Some(json!({ "title": "Sweep the chimney" }));
    assert_eq!(app.send(&ines, Method::POST, "household/chores", chore).await.0, 200);
    assert_eq!(app.task_titles(&token).await, ["Bake bread", "Sweep the chimney"]);
}

#[tokio::test]
async fn change_of_a_task_with_a_key_is_stored_in_the_apps_table() {
    let (app, token) = App::with_key().await;
    let change = json!({ "completed": true, "priority": "LOW", "labels": ["done", "early"] });
    let (status, _) = app.send(&token, Method::PATCH, "family/api/v1/tasks/bread", Some(change)).await;
    assert_eq!(status, 200);
    let query = sqlx::query_as("SELECT state, urgency, finished, labels FROM chore WHERE id = 'bread'");
    let row: (String, String, i64, String) = query.fetch_one(&app.database.hearth.writer).await.unwrap();
    let now = NOW.parse::<Timestamp>().unwrap().as_millis();
    assert_eq!(row, ("done".to_owned(), "low".to_owned(), now, r#"["done","early"]"#.to_owned()));
}

#[tokio::test]
async fn due_date_of_any_year_keeps_its_milliseconds() {
    let (app, token) = App::with_key().await;
    for due in
        ["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2026-02-28T11:07:43.001Z", "9999-12-31T23:59:59.999Z"]
    {
        let change = Some(json!({ "dueDate": due }));
        assert_eq!(app.send(&token, Method::PATCH, "family/api/v1/tasks/bread", change).await.0, 200);
        let (_, boards) = app.send(&token, Method::GET, TASKS, None).await;
        assert_eq!(boards[0]["columns"][0]["tasks"][0]["dueDate"], due);
    }
}

#[tokio::test]
async fn key_of_a_removed_member_gets_no_family() {
    let app = App::start().await;
    let (ines, joao) = (app.sign_in("ines").await, app.sign_in("joao").await);
    let (_, token) = app.create_key(&ines).await;
    assert_eq!(app.send(&joao, Method::DELETE, "household/members/ines", None).await.0, 200);
    let (status, problem) = app.send(&token, Method::GET, TASKS, None).await;
    assert_eq!((status, problem["code"].as_str()), (401, Some("no_family")));
    let (status, household) = app.send(&joao, Method::GET, "household", None).await;
    assert_eq!((status, household), (200, json!({ "title": "Linden Street 4", "members": ["João"] })));
    assert_eq!(app.send(&ines, Method::GET, "household", None).await.0, 404);
    assert_eq!(app.send(&ines, Method::DELETE, "household/members/joao", None).await.0, 404);
}

#[tokio::test]
async fn member_removed_during_a_request_reads_and_deletes_nothing() {
    let App { database: TestDatabase { hearth, .. }, .. } = &App::start().await;
    let ines = Member { user: "ines".parse().unwrap(), family: "linden".parse().unwrap() };
    let notes = async || hearth.list_notes(&ines).await.unwrap().parse().unwrap().len();
    assert_eq!(notes().await, 1);
    let leave = sqlx::query("UPDATE person SET household = NULL WHERE id = 'ines'");
    leave.execute(&hearth.writer).await.unwrap();
    assert_eq!(notes().await, 0);
    let deleted = hearth.write_note(&ines.clone().into(), &deletion_of_the_memo(hearth.clock.now())).await;
    assert_eq!(deleted.unwrap(), Written::NotFound);
}

#[tokio::test]
async fn api_offers_only_the_writes_that_the_app_makes() {
    let app = App::start().await;
    let ines = app.sign_in("ines").await;
    // The host does not allow full access either.
    let body = Some(json!({ "mode": "v1_full" }));
    assert_eq!(app.send(&ines, Method::POST, KEYS, body).await.0, 422);
    let (_, token) = app.create_key(&ines).await;
    for (method, path) in [
        (Method::POST, "tasks"),
        (Method::DELETE, "tasks/bread"),
        (Method::POST, "tasks/bread/restore"),
        (Method::POST, "notes"),
        (Method::POST, "notes/stove/restore"),
        (Method::POST, "events"),
    ] {
        let (status, problem) =
            app.send(&token, method.clone(), &format!("family/api/v1/{path}"), Some(json!({}))).await;
        assert!(status == 404 || status == 405, "{method} {path}: {status} {problem}");
    }
    let (_, document) = app.send(&ines, Method::GET, "family/openapi.json", None).await;
    let paths = document["paths"].as_object().unwrap();
    let task = paths.iter().find(|(path, _)| path.ends_with("/v1/tasks/{id}")).unwrap().1;
    assert!(task["patch"].is_object(), "{task}");
    for (path, operations) in paths.iter().filter(|(path, _)| path.contains("/v1/")) {
        let is_for_every_app = path.ends_with("/mcp") || path.ends_with("/batch");
        assert!(operations["post"].is_null() || is_for_every_app, "{path}: {operations}");
        assert!(operations["delete"].is_null() || path.ends_with("/notes/{id}"), "{path}: {operations}");
    }
}

#[tokio::test]
async fn app_mounts_configured_routes_with_configured_limits() {
    let app = App::start().await;
    let ines = app.sign_in("ines").await;
    assert_eq!(app.send(&ines, Method::GET, "api/v1/me", None).await.0, 404);
    assert_eq!(app.send(&ines, Method::PATCH, "family/api/tasks/bread", Some(json!({}))).await.0, 404);
    assert_eq!(app.send(&ines, Method::GET, "family/docs", None).await.0, 404);
    let (_, token) = app.create_key(&ines).await;
    let long = Some(json!({ "content": "x".repeat(64 * 1024) }));
    assert_eq!(app.send(&token, Method::PATCH, "family/api/v1/notes/stove", long).await.0, 413);
    for _ in 0..4 {
        app.create_key(&ines).await;
    }
    let (status, problem) = app.send(&ines, Method::POST, KEYS, Some(json!({ "mode": "mcp_read" }))).await;
    assert_eq!((status, problem["code"].as_str()), (409, Some("key_limit_reached")));
}

#[tokio::test]
async fn database_file_contains_no_secret() {
    let app = App::start().await;
    let (code, ines) = (app.issue_code("joao").await, app.sign_in("ines").await);
    let (_, token) = app.create_key(&ines).await;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&app.database.hearth.writer).await.unwrap();
    let file = std::fs::read(app.database.folder.path().join("hearth.db")).unwrap();
    assert!(contains(&file, "Bake bread"));
    for secret in [code.as_str(), &ines.1["hearth=".len()..], &token.1["Bearer ".len()..]] {
        assert!(!contains(&file, secret));
    }
}

fn contains(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn cross_site_request_with_a_session_is_refused() {
    let app = App::start().await;
    let ines = app.sign_in("ines").await;
    for path in ["household/chores", KEYS] {
        let request = TestClient::post(format!("http://127.0.0.1/{path}")).add_header(COOKIE, &ines.1, true);
        let request = request.add_header("sec-fetch-site", "cross-site", true).json(&json!({ "title": "x" }));
        assert_eq!(request.send(&app.service).await.status_code.unwrap().as_u16(), 403, "{path}");
    }
}
