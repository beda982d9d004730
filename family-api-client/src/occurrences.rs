//! The result of a read of occurrences.

use std::ops::Deref;

use family_api_types::resource::Occurrence;
use serde::{Deserialize, Serialize};

/// The occurrences of events in a range of days. Dereferences to a slice of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Occurrences {
    items: Vec<Occurrence>,
    #[serde(skip)]
    is_truncated: bool,
}

impl Occurrences {
    pub(crate) fn new(items: Vec<Occurrence>, is_truncated: bool) -> Self {
        Self { items, is_truncated }
    }

    /// Returns whether occurrences of the range may be missing. A shorter range can return them, except those of a rule
    /// with `COUNT` that needs too much work (HTTP reference, "Occurrences").
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// Returns the occurrences.
    #[must_use]
    pub fn into_items(self) -> Vec<Occurrence> {
        self.items
    }
}

impl Deref for Occurrences {
    type Target = [Occurrence];

    fn deref(&self) -> &[Occurrence] {
        &self.items
    }
}
