//! The storage in an SQLite file.

use async_trait::async_trait;
use family_api_core::conformance::{CredentialsSubject, LoadSubject, Subject, seed_by_load};
use family_api_core::storage::sqlite::SqliteStorage;
use family_api_core::storage::{CredentialStorage, Load, Record, Storage};
use tempfile::TempDir;

struct Sqlite {
    storage: SqliteStorage,
    _folder: TempDir,
}

async fn fresh() -> Sqlite {
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
    fn load(&self) -> &dyn Load {
        &self.storage
    }
}

impl CredentialsSubject for Sqlite {
    fn credentials(&self) -> &dyn CredentialStorage {
        &self.storage
    }
}

family_api_core::storage_conformance!(fresh().await);
family_api_core::load_conformance!(fresh().await);
family_api_core::credentials_conformance!(fresh().await);
