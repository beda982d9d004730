//! The results of `tools/list`, which depend only on the caller's scopes and the version.

use std::sync::Arc;

use family_api_core::Surface;
use family_api_core::key::Scope;
use moka::sync::Cache;
use rmcp::model::{CacheScope, ListToolsResult};
use serde_json::value::{RawValue, to_raw_value};

use crate::mcp::tools::{self, Call};

/// Maximum size of the cache, in bytes.
const CAPACITY: u64 = 1024 * 1024;

/// For each known scope, whether the caller has it, and whether the result has the form of 2026-07-28.
type Key = ([bool; Scope::KNOWN.len()], bool);

/// The JSON of the results on one surface.
pub(super) struct ToolLists {
    surface: Surface,
    cache: Cache<Key, Arc<RawValue>>,
}

impl ToolLists {
    pub(super) fn new(surface: Surface) -> Self {
        let builder = Cache::<Key, Arc<RawValue>>::builder().max_capacity(CAPACITY);
        let cache = builder.weigher(|_, list| u32::try_from(list.get().len()).unwrap_or(u32::MAX)).build();
        Self { surface, cache }
    }

    /// Returns the tools that a caller may call.
    ///
    /// # Errors
    /// The error of the serialization.
    pub(super) fn get(&self, call: &Call, is_modern: bool) -> Result<Arc<RawValue>, serde_json::Error> {
        let key = (Scope::KNOWN.map(|scope| call.caller().has_scope(&scope)), is_modern);
        if let Some(list) = self.cache.get(&key) {
            return Ok(list);
        }
        let mut result = ListToolsResult::with_all_items(tools::definitions(call, self.surface));
        if is_modern {
            // The list ends with the scopes of the token, so no client may keep it.
            (result.ttl_ms, result.cache_scope) = (Some(0), Some(CacheScope::Private));
        } else {
            result.result_type = None;
        }
        let list: Arc<RawValue> = to_raw_value(&result)?.into();
        self.cache.insert(key, list.clone());
        Ok(list)
    }
}
