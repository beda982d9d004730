//! Runs the conformance suite on the app's storage.

use async_trait::async_trait;
use family_api_conformance::Subject;
use family_api_core::SystemClock;
use family_api_core::storage::{Record, Storage};

use crate::support::{TestDatabase, seed};

#[async_trait]
impl Subject for TestDatabase {
    fn storage(&self) -> &dyn Storage {
        &self.hearth
    }

    async fn seed(&self, records: Vec<Record>) {
        seed(&self.hearth, records).await;
    }
}

family_api_conformance::storage_conformance!(TestDatabase::new(SystemClock).await);
