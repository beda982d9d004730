//! Runs the conformance suite on the storage in an SQLite file.

use async_trait::async_trait;
use family_api_core::conformance::{
    CredentialsSubject, GrantsSubject, LoadSubject, Subject, UpdateSubject, seed_by_load,
};
use family_api_core::storage::sqlite::SqliteStorage;
use family_api_core::storage::{BulkLoad, BulkUpdate, CredentialStorage, GrantStorage, Record, Storage};
use tempfile::TempDir;

struct Sqlite {
    storage: SqliteStorage,
    _folder: TempDir,
}

async fn new_subject() -> Sqlite {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
    Sqlite { storage, _folder: folder }
}

#[async_trait]
impl Subject for Sqlite {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        seed_by_load(&self.storage, records).await;
    }
}

impl LoadSubject for Sqlite {
    fn load(&self) -> &dyn BulkLoad {
        &self.storage
    }
}

impl UpdateSubject for Sqlite {
    fn update(&self) -> &dyn BulkUpdate {
        &self.storage
    }

    fn with_credentials(&self) -> Option<&dyn CredentialsSubject> {
        Some(self)
    }

    fn with_grants(&self) -> Option<&dyn GrantsSubject> {
        Some(self)
    }
}

impl CredentialsSubject for Sqlite {
    fn credentials(&self) -> &dyn CredentialStorage {
        &self.storage
    }
}

impl GrantsSubject for Sqlite {
    fn grants(&self) -> &dyn GrantStorage {
        &self.storage
    }
}

family_api_core::storage_conformance!(new_subject().await);
family_api_core::load_conformance!(new_subject().await);
family_api_core::update_conformance!(new_subject().await);
family_api_core::credentials_conformance!(new_subject().await);
family_api_core::grants_conformance!(new_subject().await);
