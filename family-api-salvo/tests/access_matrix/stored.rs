//! What is stored, and whether requests left it as it was.

use std::sync::Arc;

use family_api_core::id::{FamilyId, UserId};
use family_api_core::resource::TaskFilter;
use family_api_core::storage::{Member, Storage};

use crate::fixture::NOW;

/// What was stored at the last look, and the cells since then that must change nothing: one look judges all of them.
pub(crate) struct Stored {
    storage: Arc<dyn Storage>,
    seen: Vec<u8>,
    quiet: Vec<String>,
}

impl Stored {
    pub(crate) async fn in_storage(storage: Arc<dyn Storage>) -> Self {
        Self { seen: everything(&*storage).await, storage, quiet: Vec::new() }
    }

    /// Notes a cell that must change nothing.
    pub(crate) fn must_stay(&mut self, cell: String) {
        self.quiet.push(cell);
    }

    /// Looks whether the cells that must change nothing did so.
    pub(crate) async fn stayed(&mut self) {
        let now = everything(&*self.storage).await;
        assert!(now == self.seen, "one of these changed what is stored:\n{}", self.quiet.join("\n"));
        self.quiet.clear();
    }

    /// Looks whether a cell changed something; what came before it was judged.
    pub(crate) async fn changed(&mut self, cell: &str) {
        let now = everything(&*self.storage).await;
        assert!(now != self.seen, "{cell} changed nothing");
        self.seen = now;
    }
}

/// Everything that anybody sees of both families.
pub(crate) async fn everything(storage: &dyn Storage) -> Vec<u8> {
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
