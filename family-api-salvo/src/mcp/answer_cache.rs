//! A cache of the answers that depend only on the message and the caller's scopes: `rmcp` makes each of them once.
//!
//! The key has all that these answers depend on: the caller's scopes, the headers of the protocol, and the message
//! without its id. So a cached answer is the one that `rmcp` would make again.

use bytes::Bytes;
use family_api_core::access::Caller;
use family_api_core::key::Scope;
use moka::sync::Cache;
use salvo::http::{HeaderName, HeaderValue};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::mcp::message::MAX_ID;

/// The methods whose answers contain no data of a family.
const METHODS: [&str; 4] = ["initialize", "ping", "server/discover", "tools/list"];

/// Maximum size of the cache, in bytes.
const CAPACITY: u64 = 1024 * 1024;

/// The answers of one endpoint, without the ids of their requests.
pub(super) struct AnswerCache(Cache<Box<[u8]>, Bytes>);

/// A request whose answer can be cached.
pub(super) struct CacheableRequest<'a> {
    /// The JSON of the id, in the form in which the answer repeats it.
    id: &'a str,
    key: Vec<u8>,
}

impl AnswerCache {
    pub(super) fn new() -> Self {
        let builder = Cache::<Box<[u8]>, Bytes>::builder().max_capacity(CAPACITY);
        let cache = builder.weigher(|key, answer| u32::try_from(key.len() + answer.len()).unwrap_or(u32::MAX));
        Self(cache.build())
    }

    /// Returns the answer to a request. The request has then passed all checks, because only the id differs from a
    /// request that has.
    pub(super) fn get(&self, request: &CacheableRequest<'_>) -> Option<Bytes> {
        let rest = self.0.get(request.key.as_slice())?;
        Some([request.answer_start().as_bytes(), &rest].concat().into())
    }

    /// Adds an answer if it is a result. Has no effect for errors.
    pub(super) fn insert(&self, request: CacheableRequest<'_>, answer: &Bytes) {
        let start = request.answer_start();
        let rest = answer.strip_prefix(start.as_bytes());
        if rest.is_some_and(|rest| rest.starts_with(br#","result":"#)) {
            self.0.insert(request.key.into(), answer.slice(start.len()..));
        }
    }
}

/// The members of a request. A request with other members is not cached.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message<'a> {
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    /// `None` if the member is absent, which is not the same as `null`.
    #[serde(borrow, default, deserialize_with = "some")]
    params: Option<&'a RawValue>,
}

fn some<'de, D: Deserializer<'de>>(input: D) -> Result<Option<&'de RawValue>, D::Error> {
    Deserialize::deserialize(input).map(Some)
}

impl<'a> CacheableRequest<'a> {
    /// Returns the request in a body, or `None` if its answer cannot be cached. `headers` are those that `rmcp` gets.
    pub(super) fn new<'h>(
        body: &'a [u8],
        caller: &Caller,
        headers: impl Iterator<Item = (&'h HeaderName, &'h HeaderValue)>,
    ) -> Option<Self> {
        let Message { jsonrpc, id, method, params } = serde_json::from_slice(body).ok()?;
        if jsonrpc != "2.0" || !METHODS.contains(&method) || !is_repeated_exactly(id.get()) {
            return None;
        }
        // No method or header contains a line break, so different requests have different keys.
        let mut key = Vec::with_capacity(body.len() + 128);
        key.extend(Scope::KNOWN.iter().map(|scope| u8::from(caller.has_scope(scope))));
        key.extend_from_slice(method.as_bytes());
        for (name, value) in headers {
            for part in [b"\n", name.as_str().as_bytes(), b":", value.as_bytes()] {
                key.extend_from_slice(part);
            }
        }
        key.extend_from_slice(b"\n\n");
        key.extend_from_slice(params.map_or("", RawValue::get).as_bytes());
        Some(Self { id: id.get(), key })
    }

    fn answer_start(&self) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{}"#, self.id)
    }
}

/// Returns whether an answer repeats the JSON of a valid id byte by byte. A string without escapes has only one form.
fn is_repeated_exactly(id: &str) -> bool {
    match id.strip_prefix('"').and_then(|id| id.strip_suffix('"')) {
        Some(text) => text.len() <= MAX_ID && !text.contains('\\'),
        None => id.parse::<i64>().is_ok_and(|number| number.to_string() == id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: &'static str) -> CacheableRequest<'static> {
        CacheableRequest { id, key: b"key".to_vec() }
    }

    #[test]
    fn cached_answer_repeats_the_id_of_its_request() {
        let cache = AnswerCache::new();
        assert!(cache.get(&request("1")).is_none());
        cache.insert(request("1"), &r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#.into());
        assert_eq!(cache.get(&request("\"b\"")).unwrap(), r#"{"jsonrpc":"2.0","id":"b","result":{"a":1}}"#);
    }

    #[test]
    fn only_results_are_cached() {
        let cache = AnswerCache::new();
        for answer in [
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602}}"#,
            r#"{"jsonrpc":"2.0","id":12,"result":{}}"#,
            r#"{"id":1,"result":{}}"#,
            "",
        ] {
            cache.insert(request("1"), &answer.into());
            assert!(cache.get(&request("1")).is_none(), "{answer}");
        }
    }

    #[test]
    fn only_ids_that_are_repeated_exactly_are_cacheable() {
        let long = format!("\"{}\"", "x".repeat(257));
        for (id, is_exact) in [
            ("0", true),
            ("-1", true),
            ("9223372036854775807", true),
            (r#""""#, true),
            (r#""é/""#, true),
            ("-0", false),
            ("1.0", false),
            ("1e1", false),
            ("9223372036854775808", false),
            (r#""\u0061""#, false),
            ("null", false),
            ("[1]", false),
            (long.as_str(), false),
        ] {
            assert_eq!(is_repeated_exactly(id), is_exact, "{id}");
        }
    }
}
