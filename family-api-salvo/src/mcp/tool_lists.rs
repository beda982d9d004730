//! The results of `tools/list`, which depend only on the caller's scopes and the version.

use std::sync::Arc;

use family_api_core::Surface;
use family_api_core::key::Scope;
use family_api_mcp::{Definition, ToolContext};
use moka::sync::Cache;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// Maximum size of the cache, in bytes.
const CAPACITY: u64 = 1024 * 1024;

/// For each known scope, whether the caller has it, and whether the result has the form of 2026-07-28.
type Key = ([bool; Scope::KNOWN.len()], bool);

/// The JSON of the results on one surface.
pub(super) struct ToolLists {
    surface: Surface,
    cache: Cache<Key, Arc<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolList {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<&'static str>,
    tools: Vec<Definition>,
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
    pub(super) fn get(&self, context: &ToolContext, is_modern: bool) -> Result<Arc<RawValue>, serde_json::Error> {
        let key = (Scope::KNOWN.map(|scope| context.caller().has_scope(&scope)), is_modern);
        if let Some(list) = self.cache.get(&key) {
            return Ok(list);
        }
        let tools = context.definitions(self.surface);
        let result = if is_modern {
            // The list depends on the scopes of the token, so no client may keep it.
            ToolList { result_type: Some("complete"), ttl_ms: Some(0), cache_scope: Some("private"), tools }
        } else {
            ToolList { result_type: None, ttl_ms: None, cache_scope: None, tools }
        };
        let list: Arc<RawValue> = to_raw_value(&result)?.into();
        self.cache.insert(key, list.clone());
        Ok(list)
    }
}
