//! The core of a family integration API. It depends on neither a web framework nor a database.
//!
//! A [`storage`] contains the data of the families: tasks, events, shopping lists and notes. A user creates integration
//! [`key`]s. A request presents a key, and [`access`] decides what the request may do. [`FamilyApi`] then executes it.
//! A read needs two storage calls: the first finds the key and its owner, the second reads the data.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use family_api_core::id::UserId;
//! use family_api_core::key::{KeyDraft, KeyMode};
//! use family_api_core::resource::{ReadQuery, Task, Verb};
//! use family_api_core::storage::{BulkLoad, Record};
//! use family_api_memory::MemoryStorage;
//! use family_api_core::{ContentCoding, Endpoint, FamilyApi, ReadOutcome, Surface};
//!
//! let storage = MemoryStorage::default();
//! let mut loader = storage.begin_load().await?;
//! for line in [
//!     r#"{"type":"family","id":"f1","name":"Rivera","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//!     r#"{"type":"user","id":"u1","familyId":"f1","name":"Ana","email":"ana@example.org","displayCurrency":"EUR","timeZone":"Europe/Madrid","personalApiEnabled":true,"llmKeyConfigured":false,"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//! ] {
//!     loader.insert(Record::from_json(line.as_bytes())?).await?;
//! }
//! loader.commit().await?;
//!
//! // Ana is signed in and creates a key. Only this result contains the plaintext.
//! let api = FamilyApi::new(Arc::new(storage));
//! let ana = api.session_caller(&"u1".parse::<UserId>()?.into()).await?;
//! let draft = KeyDraft::new(KeyMode::V1Read).name("Grafana");
//! let created = api.keys(&ana)?.create(draft).await?;
//!
//! // A program presents the key.
//! let header = format!("Bearer {}", created.token.expose());
//! let caller = api.admit([header.as_bytes()], Surface::V1, Endpoint::Rest).await.caller?;
//! let notes = api.read(&caller)?.get(&ReadQuery::Notes, ContentCoding::Identity, None).await?;
//! assert!(matches!(notes, ReadOutcome::Document { body, .. } if body == "[]"));
//!
//! // The key has no scope for writes.
//! assert!(api.records::<Task>(&caller, Verb::Update).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! # Further reading
//!
//! | task | documentation |
//! |---|---|
//! | mount the API in a salvo app | `family-api-salvo`, with an example on its first page |
//! | serve the tools of assistants over a transport of your own | `family-api-mcp` |
//! | call a running server from a program | `family-api-client`, which uses the types of `family-api-types` |
//! | store families in SQLite or PostgreSQL | `family-api-sql`, with an example on its first page |
//! | keep families in memory, in tests and demos | `family-api-memory` |
//! | store families in your own tables | [`storage`]: the required methods |
//! | test your own storage | `family-api-conformance`, with a complete storage as an example |
//! | find the fields that a request body accepts | [`change`], and [`key::KeyDraft`] for keys |
//! | find every route, field and error on the wire | the [HTTP reference] of `family-api-salvo` |
//! | find tasks, notes and occurrences of events by conditions | [`query`] |
//! | expand recurring events | [`occurrences`] |
//! | write events and due tasks as iCalendar | [`feed`] |
//! | set limits, or record what happens to keys | [`FamilyApiBuilder`], [`limit`], [`audit`] |
//! | handle errors | [`Error`] and the table of [`ErrorCode`]s |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `schema` | JSON Schemas of all types on the wire |
//!
//! # Re-exports
//!
//! The types of requests and responses are those of `family-api-types`, whose modules are re-exported here. Public
//! signatures also contain types of the crates `jiff` and `bytes`, which are re-exported in the version that this crate
//! uses.
//!
//! [HTTP reference]: https://docs.rs/family-api-salvo/latest/family_api_salvo/http_api/

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod access;
pub mod audit;
mod content_coding;
mod entity_tag;
mod error;
pub mod feed;
pub mod grant;
pub mod idempotency;
mod json_error;
pub mod key;
pub mod limit;
mod logged_id;
mod precondition;
pub mod query;
pub mod resource;
mod service;
pub mod storage;
mod storage_error;
mod token;

pub use bytes;
pub use family_api_types::jiff;

#[doc(hidden)]
pub use family_api_types::for_each_kind;
pub use family_api_types::{
    Clock, ErrorCode, InvalidTimestamp, ManualClock, Problem, Surface, SystemClock, Timestamp, batch, calendar, change,
    connection, id, occurrences, paths, validation,
};

pub use access::Endpoint;
pub use content_coding::ContentCoding;
pub use entity_tag::{EntityTag, EntityTags};
pub use error::Error;
pub use json_error::JsonError;
pub use precondition::Precondition;
pub use service::{
    Admission, BatchService, ConnectionService, CreateOutcome, DocumentCacheStatistics, FamilyApi, FamilyApiBuilder,
    FeedReader, FeedService, GrantService, KeyService, ProfileService, ReadOutcome, ReadService, RecordService,
    RestorableService, RunningBatch, Statistics, StorageCall, TokenVerifier, Updated,
};
