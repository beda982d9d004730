//! The conformance suite on the app.

use async_trait::async_trait;
use family_api_conformance::{Subject, seed_key};
use family_api_core::Timestamp;
use family_api_core::storage::{HostStorage, Record, Storage};
use family_api_sql::sqlite::SqliteStorage;

use super::{App, flaws::Flaw};

/// The app and its keys, in a folder of their own.
pub(super) struct Installed {
    pub(super) app: App,
    pub(super) keys: SqliteStorage,
    pub(super) storage: HostStorage<App, SqliteStorage>,
    _folder: tempfile::TempDir,
}

impl Installed {
    pub(super) async fn new(flaw: Option<Flaw>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let app = App::open(folder.path().join("app.db"), flaw).await;
        let keys = SqliteStorage::open(folder.path().join("keys.db")).await.unwrap();
        Self { storage: HostStorage::new(app.clone(), keys.clone()), app, keys, _folder: folder }
    }

    async fn insert(&self, record: Record) {
        let query = match record {
            Record::Key(key) => return seed_key(&self.keys, key).await,
            Record::Family(family) => {
                sqlx::query("INSERT INTO household VALUES (?, ?)").bind(family.id.to_string()).bind(family.name)
            }
            Record::User(user) => sqlx::query("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?)")
                .bind(user.id.to_string())
                .bind(user.family_id.map(|family| family.to_string()))
                .bind(user.name)
                .bind(user.email)
                .bind(user.color)
                .bind(user.personal_api_enabled),
            Record::Task(task) => sqlx::query("INSERT INTO todo VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .bind(task.id.to_string())
                .bind(task.family_id.to_string())
                .bind(task.title)
                .bind(task.description)
                .bind(task.completed_at.map(Timestamp::as_millis))
                .bind(task.due_date.map(Timestamp::as_millis))
                .bind(task.assignee_id.map(|user| user.to_string()))
                .bind(task.created_at.as_millis())
                .bind(task.updated_at.as_millis()),
            Record::ShoppingItem(item) => sqlx::query("INSERT INTO buy VALUES (?, ?, ?, ?, ?, ?)")
                .bind(item.id.to_string())
                .bind(item.family_id.to_string())
                .bind(item.name)
                .bind(item.quantity)
                .bind(item.checked)
                .bind(item.created_at.as_millis()),
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

family_api_conformance::storage_conformance!(Installed::new(None).await);
