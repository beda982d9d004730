//! The first records of a list that has no pages.

use family_api_core::query::Excerpt;
use schemars::JsonSchema;
use serde::Serialize;

// The first records of a list. There are more if `total` is larger.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Part<T> {
    pub(crate) total: usize,
    pub(crate) items: Vec<T>,
}

impl<T> Part<T> {
    pub(crate) fn new<R>(excerpt: Excerpt<R>, convert: impl FnMut(R) -> T) -> Self {
        Self { total: excerpt.total, items: excerpt.items.into_iter().map(convert).collect() }
    }

    /// Returns how many records of all are listed, if some are missing.
    pub(crate) fn shown(&self) -> String {
        let shown = self.items.len();
        if shown < self.total { format!("{} (first {shown})", self.total) } else { self.total.to_string() }
    }
}
