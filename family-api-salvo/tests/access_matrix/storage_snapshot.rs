//! Checks whether requests changed the stored data.

use std::sync::Arc;

use family_api_core::calendar::EventRange;
use family_api_core::id::{FamilyId, UserId};
use family_api_core::resource::TaskFilter;
use family_api_core::storage::{Member, Storage};

use crate::fixture::NOW;

/// Compares the stored data with the last snapshot. Cases that must not change the data are collected and checked
/// together, because a snapshot for each case would be slow.
pub(crate) struct ChangeCheck {
    storage: Arc<dyn Storage>,
    snapshot: Vec<u8>,
    /// The cases since the snapshot that must not change the data.
    unchanged: Vec<String>,
}

impl ChangeCheck {
    pub(crate) async fn new(storage: Arc<dyn Storage>) -> Self {
        Self { snapshot: snapshot(&*storage).await, storage, unchanged: Vec::new() }
    }

    /// Sends the request of a case, and asserts that it changes the data if it must.
    pub(crate) async fn during<T>(&mut self, label: &str, is_change: bool, request: impl Future<Output = T>) -> T {
        if !is_change {
            self.unchanged.push(label.to_owned());
            return request.await;
        }
        self.assert_unchanged().await;
        let response = request.await;
        let now = snapshot(&*self.storage).await;
        assert!(now != self.snapshot, "{label} changed nothing");
        self.snapshot = now;
        response
    }

    /// Asserts that no collected case changed the data.
    pub(crate) async fn assert_unchanged(&mut self) {
        let now = snapshot(&*self.storage).await;
        assert!(now == self.snapshot, "one of these requests changed the stored data:\n{}", self.unchanged.join("\n"));
        self.unchanged.clear();
    }
}

/// Returns the tasks, notes, shopping lists, events, active keys and profiles that the users of both families can read. Omits
/// the last use of keys, which every request with a key changes in the background.
pub(crate) async fn snapshot(storage: &dyn Storage) -> Vec<u8> {
    let mut data = Vec::new();
    for (user, family) in [("ann", "f"), ("bob", "f"), ("zoe", "g")] {
        let member = Member { user: user.parse::<UserId>().unwrap(), family: family.parse::<FamilyId>().unwrap() };
        data.extend(storage.list_tasks(&member, TaskFilter::All).await.unwrap().into_bytes());
        data.extend(storage.list_notes(&member).await.unwrap().into_bytes());
        data.extend(storage.list_shopping(&member).await.unwrap().into_bytes());
        data.extend(storage.list_events(&member, &EventRange::default()).await.unwrap().into_bytes());
        let mut keys = storage.list_keys(&member.user, NOW.parse().unwrap()).await.unwrap();
        for key in &mut keys {
            key.last_used_at = None;
        }
        data.extend(serde_json::to_vec(&keys).unwrap());
        data.extend(serde_json::to_vec(&storage.find_profile(&member.user).await.unwrap()).unwrap());
    }
    data
}
