//! The conformance suite, and requests over HTTP.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_conformance::{Subject, seed_key};
use family_api_core::FamilyApi;
use family_api_core::storage::{HostStorage, Record, Storage};
use family_api_salvo::FamilyRoutes;
use family_api_sql::sqlite::SqliteStorage;
use salvo::test::{ResponseExt, TestClient};
use salvo::{Router, Service};
use serde_json::{Value, json};

use crate::app::App;

struct Installed {
    app: App,
    keys: SqliteStorage,
    storage: HostStorage<App, SqliteStorage>,
    _folder: tempfile::TempDir,
}

impl Installed {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let app = App::open(folder.path().join("app.db")).await.unwrap();
        let keys = SqliteStorage::open(folder.path().join("keys.db")).await.unwrap();
        Self { storage: HostStorage::new(app.clone(), keys.clone()), app, keys, _folder: folder }
    }

    async fn insert(&self, record: Record) {
        let query = match record {
            Record::Family(_) => return,
            Record::Key(key) => return seed_key(&self.keys, key).await,
            Record::User(user) => sqlx::query("INSERT INTO person VALUES (?, ?, ?, ?, ?)")
                .bind(user.id.to_string())
                .bind(user.family_id.map(|family| family.to_string()))
                .bind(user.name)
                .bind(user.email)
                .bind(user.personal_api_enabled),
            Record::Task(task) => sqlx::query("INSERT INTO todo VALUES (?, ?, ?, ?, ?, ?)")
                .bind(task.id.to_string())
                .bind(task.family_id.to_string())
                .bind(task.title)
                .bind(task.completed_at.map(|at| at.to_string()))
                .bind(task.created_at.to_string())
                .bind(task.updated_at.to_string()),
            other => panic!("the app has no {}", other.kind()),
        };
        query.execute(&self.app.writer).await.unwrap();
    }
}

#[async_trait]
impl Subject for Installed {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        for record in records {
            self.insert(record).await;
        }
    }

    fn host_id(&self, number: u32) -> Option<String> {
        Some(number.to_string())
    }
}

family_api_conformance::storage_conformance!(Installed::new().await);

#[tokio::test]
async fn a_key_creates_and_reads_a_task_with_a_number_as_its_id() {
    let installed = Installed::new().await;
    let people =
        "INSERT INTO person VALUES (1, 10, 'Ana', 'ana@example.org', TRUE), (2, 20, 'Ben', 'b@example.org', TRUE);
        INSERT INTO login VALUES ('s3cret', 1);
        INSERT INTO todo (household, what, made, changed) VALUES
            (10, 'Water the plants', '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z'),
            (20, 'of another household', '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z')";
    sqlx::raw_sql(people).execute(&installed.app.writer).await.unwrap();
    let api = FamilyApi::builder(Arc::new(installed.storage.clone())).full_access(true).build();
    let routes = FamilyRoutes::new(api).session(installed.app.clone()).into_router();
    let service = Service::new(Router::new().push(routes));

    let request =
        TestClient::post("http://127.0.0.1/api/users/me/mcp-tokens").add_header("cookie", "login=s3cret", true);
    let created: Value = request.json(&json!({ "mode": "v1_full" })).send(&service).await.take_json().await.unwrap();
    let token = created["token"].as_str().unwrap();

    let request = TestClient::post("http://127.0.0.1/api/v1/tasks").bearer_auth(token);
    let task: Value = request.json(&json!({ "title": "Buy milk" })).send(&service).await.take_json().await.unwrap();
    assert_eq!(task["id"], "3");

    let request = TestClient::get("http://127.0.0.1/api/v1/read/tasks").bearer_auth(token);
    let boards: Value = request.send(&service).await.take_json().await.unwrap();
    let tasks = boards[0]["columns"][0]["tasks"].as_array().unwrap();
    let titles: Vec<_> = tasks.iter().map(|task| task["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Water the plants", "Buy milk"]);

    // The app keeps no columns and no labels, and its numbers are no path to another household.
    for (path, body, status) in [
        ("tasks/3", json!({ "columnId": "tasks" }), 422),
        ("tasks/3", json!({ "labels": ["errand"] }), 422),
        ("tasks/3", json!({ "completed": true }), 200),
        ("tasks/03", json!({ "completed": true }), 404),
        ("tasks/2", json!({ "completed": true }), 404),
    ] {
        let request = TestClient::patch(format!("http://127.0.0.1/api/v1/{path}")).bearer_auth(token);
        let response = request.json(&body).send(&service).await;
        assert_eq!(response.status_code.unwrap().as_u16(), status, "{path} {body}");
    }
}
