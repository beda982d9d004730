//! The app's storage keeps every promise of the API's contract.

use async_trait::async_trait;
use family_api_core::SystemClock;
use family_api_core::conformance::Subject;
use family_api_core::storage::{Record, Storage};

use crate::support::{Place, seed};

#[async_trait]
impl Subject for Place {
    fn storage(&self) -> &dyn Storage {
        &self.hearth
    }

    async fn seed(&self, records: Vec<Record>) {
        seed(&self.hearth, records).await;
    }
}

family_api_core::storage_conformance!(Place::fresh(SystemClock).await);
