//! What a family integration API is, knowing no web framework and no database in particular.
//!
//! A family's data (tasks, events, shopping, notes) lives in a [`storage`]. A user makes integration [`key`]s; a request
//! presents one, and [`access`] decides what it may do. [`FamilyApi`] then does it: two storage calls for a read, one
//! to find the key with everything that the decision needs, one for the data.
//!
//! ```
//! # #[cfg(feature = "memory")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use family_api_core::access::Bearer;
//! use family_api_core::id::UserId;
//! use family_api_core::key::{KeyDraft, KeyMode};
//! use family_api_core::resource::ReadQuery;
//! use family_api_core::storage::{Load, Record, memory::MemoryStorage};
//! use family_api_core::{ContentCoding, FamilyApi, ReadOutcome, Surface};
//!
//! let storage = MemoryStorage::default();
//! let mut loader = storage.begin_load().await?;
//! for line in [
//!     r#"{"type":"family","id":"f1","name":"Rivera","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//!     r#"{"type":"user","id":"u1","familyId":"f1","name":"Ana","email":"ana@example.org","image":null,"color":null,"emoji":null,"displayCurrency":"EUR","timeZone":"Europe/Madrid","personalApiEnabled":true,"llmModel":null,"llmKeyConfigured":false,"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//! ] {
//!     loader.insert(Record::from_json(line.as_bytes())?).await?;
//! }
//! loader.commit().await?;
//!
//! // Ana is signed in and creates a key; its plaintext is shown this once.
//! let api = FamilyApi::new(Arc::new(storage));
//! let ana = api.session_caller(&"u1".parse::<UserId>()?.into()).await?;
//! let draft = KeyDraft::new(KeyMode::V1Read).name("Grafana");
//! let created = api.keys(&ana)?.create(draft).await?;
//!
//! // A program presents it.
//! let header = format!("Bearer {}", created.token.expose());
//! let bearer = Bearer::from_headers([header.as_bytes()])?;
//! let caller = api.authorize(api.authenticate(&bearer, Surface::V1).await?)?;
//! let notes = api.read(&caller)?.get(&ReadQuery::Notes, ContentCoding::Identity, None).await?;
//! assert!(matches!(notes, ReadOutcome::Document { body, .. } if body == "[]"));
//!
//! // It holds no scope for writes.
//! assert!(api.tasks(&caller).is_err());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "memory"))]
//! # fn main() {}
//! ```
//!
//! # Where to go on
//!
//! | you want to | read |
//! |---|---|
//! | mount the API in a salvo app | `family-api-salvo`, whose first page does it |
//! | call an API from a program | `family-api-client`, which takes this crate's types |
//! | keep families in tables of your own | [`storage`]: what it asks for, and a whole one |
//! | know what a body may say | [`change`], and [`key::KeyDraft`] for keys |
//! | know every route, field and error on the wire | the [HTTP reference] of `family-api-salvo` |
//! | set limits, or take down what happens to keys | [`FamilyApiBuilder`], [`limit`], [`audit`] |
//! | know what can go wrong | [`Error`] and the table of [`ErrorCode`]s |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `sqlite` | `storage::sqlite`: the embedded storage in one file |
//! | `postgres` | `storage::postgres`: the storage for many nodes |
//! | `postgres-tls` | encrypted connections to PostgreSQL |
//! | `memory` | `storage::memory`: a storage for tests and trials |
//! | `conformance` | the suite that every storage must pass, yours too |
//! | `schema` | JSON Schemas of everything that goes over the wire |
//! | `service` | all that is not types alone; on by default, and part of all but `schema` |
//!
//! Without `service`, as the client takes it, what is left is what goes over the wire: records, changes, problems, paths.
//!
//! [HTTP reference]: https://docs.rs/family-api-salvo/latest/family_api_salvo/http_api/

#[cfg(feature = "service")]
pub mod access;
#[cfg(feature = "service")]
pub mod audit;
pub mod calendar;
pub mod change;
mod clock;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "service")]
mod content_coding;
#[cfg(feature = "service")]
mod entity_tag;
mod error;
pub mod id;
pub mod key;
#[cfg(feature = "service")]
pub mod limit;
pub mod paths;
#[cfg(feature = "service")]
mod precondition;
mod problem;
pub mod resource;
#[cfg(feature = "service")]
mod service;
#[cfg(feature = "service")]
pub mod storage;
mod surface;
mod timestamp;

pub use clock::{Clock, ManualClock, SystemClock};
#[cfg(feature = "service")]
pub use content_coding::ContentCoding;
#[cfg(feature = "service")]
pub use entity_tag::{EntityTag, EntityTags};
pub use error::{Error, ErrorCode};
#[cfg(feature = "service")]
pub use precondition::Precondition;
pub use problem::Problem;
#[cfg(feature = "service")]
pub use service::{
    FamilyApi, FamilyApiBuilder, KeyService, NoteService, ProfileService, ReadOutcome, ReadService, TaskService,
};
pub use surface::Surface;
pub use timestamp::{InvalidTimestamp, Timestamp};
