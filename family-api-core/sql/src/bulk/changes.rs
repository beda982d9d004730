//! What a load or update has changed.

use std::collections::HashSet;

use family_api_core::storage::KindChanges;

/// The changes of a transaction.
pub(super) struct Changes {
    /// The families in which something has changed. Their revisions are incremented by the commit.
    pub(super) families: HashSet<String>,
    kinds: Vec<KindChanges>,
}

impl Changes {
    pub(super) fn none() -> Self {
        Self { families: HashSet::new(), kinds: KindChanges::none() }
    }

    /// Changes the entry of a kind.
    pub(super) fn count(&mut self, kind: &str, count: impl FnOnce(&mut KindChanges)) {
        self.kinds.iter_mut().find(|changes| changes.kind == kind).map(count);
    }

    /// Returns an entry for each kind.
    pub(super) fn into_kinds(self) -> Vec<KindChanges> {
        self.kinds
    }
}
