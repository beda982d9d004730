//! Runs the conformance suite on the storage in memory.

use async_trait::async_trait;
use family_api_core::conformance::{CredentialsSubject, GrantsSubject, LoadSubject, Subject, seed_by_load};
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{BulkLoad, CredentialStorage, GrantStorage, Record, Storage};

struct Memory(MemoryStorage);

#[async_trait]
impl Subject for Memory {
    fn storage(&self) -> &dyn Storage {
        &self.0
    }

    async fn seed(&self, records: Vec<Record>) {
        seed_by_load(&self.0, records).await;
    }
}

impl LoadSubject for Memory {
    fn load(&self) -> &dyn BulkLoad {
        &self.0
    }
}

impl CredentialsSubject for Memory {
    fn credentials(&self) -> &dyn CredentialStorage {
        &self.0
    }
}

impl GrantsSubject for Memory {
    fn grants(&self) -> &dyn GrantStorage {
        &self.0
    }
}

family_api_core::storage_conformance!(Memory(MemoryStorage::new()));
family_api_core::load_conformance!(Memory(MemoryStorage::new()));
family_api_core::credentials_conformance!(Memory(MemoryStorage::new()));
family_api_core::grants_conformance!(Memory(MemoryStorage::new()));
