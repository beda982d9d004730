//! Runs the conformance suite with the keys in the library's SQLite storage, and everything else in the app.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_conformance::{Subject, seed_key};
use family_api_core::id::UserId;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::{HostStorage, Record, Storage};
use family_api_core::{Clock, Endpoint, Error, FamilyApi, Surface, SystemClock};
use family_api_embed::storage::Hearth;
use family_api_sql::sqlite::SqliteStorage;

use crate::support::{TestDatabase, seed};

/// An empty app with its storage.
struct Split {
    app: TestDatabase,
    keys: SqliteStorage,
    storage: HostStorage<Hearth, SqliteStorage>,
}

impl Split {
    async fn new() -> Self {
        let app = TestDatabase::new(SystemClock).await;
        let keys = SqliteStorage::open(app.folder.path().join("keys.db")).await.unwrap();
        let storage = HostStorage::new(app.hearth.clone(), keys.clone());
        Self { app, keys, storage }
    }
}

#[async_trait]
impl Subject for Split {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        for record in records {
            match record {
                Record::Key(key) => seed_key(&self.keys, key).await,
                record => seed(&self.app.hearth, vec![record]).await,
            }
        }
    }
}

family_api_conformance::storage_conformance!(Split::new().await);

/// Creates the sample household, and a key of João, who owns nothing in the app that keeps him from being deleted.
async fn with_key_of_joao() -> (Split, FamilyApi, String) {
    let split = Split::new().await;
    sqlx::raw_sql(include_str!("../sample.sql")).execute(&split.app.hearth.writer).await.unwrap();
    let api = FamilyApi::builder(Arc::new(split.storage.clone())).build();
    let session = api.session_caller(&joao().into()).await.unwrap();
    let created = api.keys(&session).unwrap().create(KeyDraft::new(KeyMode::McpRead)).await.unwrap();
    let token = created.token.expose().to_owned();
    (split, api, token)
}

fn joao() -> UserId {
    "joao".parse().unwrap()
}

async fn is_refused(api: &FamilyApi, token: &str) -> bool {
    let header = format!("Bearer {token}");
    let admitted = api.admit([header.as_bytes()], Surface::ReadPath, Endpoint::Rest).await;
    matches!(admitted.caller, Err(Error::InvalidToken))
}

#[tokio::test]
async fn the_key_of_a_user_whom_the_app_has_deleted_is_refused() {
    let (split, api, token) = with_key_of_joao().await;
    assert!(!is_refused(&api, &token).await);
    let app = &split.app.hearth.writer;
    sqlx::raw_sql("DELETE FROM person WHERE id = 'joao'").execute(app).await.unwrap();
    assert!(is_refused(&api, &token).await);
    assert!(api.session_caller(&joao().into()).await.is_err());
    // Another person gets the id.
    assert_eq!(split.storage.forget_user(&joao(), SystemClock.now()).await.unwrap().keys, 1);
    sqlx::raw_sql(
        "INSERT INTO person (id, household, name, mail, currency, zone, api_open, changed)
        VALUES ('joao', 'linden', 'João', 'new@linden.example', 'EUR', 'UTC', 1, 0)",
    )
    .execute(app)
    .await
    .unwrap();
    assert!(is_refused(&api, &token).await);
}
