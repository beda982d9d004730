//! Finds series by a text without a lock.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use thread_local::ThreadLocal;

/// A map of which each thread has its own copy. The number of different keys must be bounded.
///
/// A lookup takes no lock, allocates nothing and writes to no memory of other threads. With it, counting a request
/// takes 55 ns instead of the 130 ns of two lookups by labels.
pub(super) struct PerThread<V: Send>(Arc<ThreadLocal<RefCell<HashMap<String, V>>>>);

impl<V: Send> PerThread<V> {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    /// Calls `function` with the value of a key. Creates the value if this thread has none.
    pub(super) fn with(&self, key: &str, create: impl FnOnce() -> V, function: impl FnOnce(&mut V)) {
        let mut values = self.0.get_or_default().borrow_mut();
        match values.get_mut(key) {
            Some(value) => function(value),
            None => function(values.entry(key.to_owned()).or_insert_with(create)),
        }
    }
}

impl<V: Send> Clone for PerThread<V> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}
