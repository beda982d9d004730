//! Runs the conformance suite with the keys in the library's SQLite storage, and everything else in the app.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_conformance::Subject;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::resource::{Profile, ResourceKind};
use family_api_core::storage::{
    Account, Author, Capabilities, DecideFn, FamilyData, FamilyStore, Health, HostStorage, KeyCondition, KeyInsert,
    KeyRecord, KeyStorage, Member, NewKey, Record, SignedIn, Storage, StorageError, UserStorage,
};
use family_api_core::{Clock, Endpoint, Error, FamilyApi, Surface, SystemClock, Timestamp};
use family_api_sql::sqlite::SqliteStorage;

use crate::support::{TestDatabase, seed};

/// The app's users and families. A change looks up its key in `keys`.
#[derive(Clone)]
struct Host {
    hearth: family_api_embed::storage::Hearth,
    keys: SqliteStorage,
}

impl Host {
    fn storage(&self) -> HostStorage<Self, SqliteStorage> {
        HostStorage::new(self.clone(), self.keys.clone())
    }
}

#[async_trait]
impl UserStorage for Host {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        self.hearth.find_account(user).await
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.hearth.find_profile(user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        self.hearth.update_profile(user, change, now).await
    }
}

#[async_trait]
impl FamilyStore for Host {
    fn capabilities(&self) -> Capabilities {
        self.hearth.capabilities()
    }

    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError> {
        self.hearth.load(member, resource).await
    }

    /// No transaction covers both databases. `change_with` takes the app's write lock, looks up the key in the
    /// library's database, and then stores the change.
    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        _now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError> {
        self.hearth.change_with(author, &self.storage(), resource, decide).await
    }
}

#[async_trait]
impl Health for Host {
    async fn check(&self) -> Result<(), StorageError> {
        self.hearth.check().await
    }
}

/// An empty app with its storage.
struct Split {
    app: TestDatabase,
    keys: SqliteStorage,
    storage: HostStorage<Host, SqliteStorage>,
}

impl Split {
    async fn new() -> Self {
        let app = TestDatabase::new(SystemClock).await;
        let keys = SqliteStorage::open(app.folder.path().join("keys.db")).await.unwrap();
        let storage = Host { hearth: app.hearth.clone(), keys: keys.clone() }.storage();
        Self { app, keys, storage }
    }

    /// An import into the library's storage would refuse the key, because its user is in the app.
    async fn insert_key(&self, record: KeyRecord) {
        let owner = SignedIn::from(record.user_id.clone());
        let (digest, revoked_at) = (record.digest, record.revoked_at);
        let new = NewKey { key: record.into(), owner: owner.clone(), digest, condition: KeyCondition::HostChecked };
        assert_eq!(self.keys.insert_key(&new, u32::MAX).await.unwrap(), KeyInsert::Inserted);
        if let Some(at) = revoked_at {
            self.keys.revoke_key(&owner, &new.key.id, at).await.unwrap();
        }
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
                Record::Key(key) => self.insert_key(key).await,
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
