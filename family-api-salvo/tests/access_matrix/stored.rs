//! Checks whether requests changed the stored data.

use std::sync::Arc;

use family_api_core::id::{FamilyId, UserId};
use family_api_core::resource::TaskFilter;
use family_api_core::storage::{Member, Storage};

use crate::fixture::NOW;

/// The last snapshot of the stored data, and the later cases that must not change it. They are checked together.
pub(crate) struct Stored {
    storage: Arc<dyn Storage>,
    snapshot: Vec<u8>,
    unchanged: Vec<String>,
}

impl Stored {
    pub(crate) async fn new(storage: Arc<dyn Storage>) -> Self {
        Self { snapshot: snapshot(&*storage).await, storage, unchanged: Vec::new() }
    }

    /// Adds a case that must not change the data.
    pub(crate) fn expect_unchanged(&mut self, cell: String) {
        self.unchanged.push(cell);
    }

    /// Asserts that none of these cases changed the data.
    pub(crate) async fn assert_unchanged(&mut self) {
        let now = snapshot(&*self.storage).await;
        assert!(now == self.snapshot, "one of these changed what is stored:\n{}", self.unchanged.join("\n"));
        self.unchanged.clear();
    }

    /// Asserts that a case changed the data. Earlier cases must have been checked.
    pub(crate) async fn assert_changed(&mut self, cell: &str) {
        let now = snapshot(&*self.storage).await;
        assert!(now != self.snapshot, "{cell} changed nothing");
        self.snapshot = now;
    }
}

/// Returns snapshot that any user of both families can read.
pub(crate) async fn snapshot(storage: &dyn Storage) -> Vec<u8> {
    let mut seen = Vec::new();
    for (user, family) in [("ann", "f"), ("bob", "f"), ("zoe", "g")] {
        let member = Member { user: user.parse::<UserId>().unwrap(), family: family.parse::<FamilyId>().unwrap() };
        seen.extend(storage.list_tasks(&member, TaskFilter::All).await.unwrap().into_bytes());
        seen.extend(storage.list_notes(&member).await.unwrap().into_bytes());
        seen.extend(storage.list_shopping(&member).await.unwrap().into_bytes());
        let keys = storage.list_keys(&member.user, NOW.parse().unwrap()).await.unwrap();
        seen.extend(serde_json::to_vec(&keys).unwrap());
        seen.extend(serde_json::to_vec(&storage.find_profile(&member.user).await.unwrap()).unwrap());
    }
    seen
}
