//! A typed client for the family integration API.
//!
//! A program needs an **integration key** to read and change a family's tasks, events, shopping lists and notes. A
//! member of the family creates the key and gives it to the program. The program calls the API with [`FamilyClient`].
//!
//! # A first read
//!
//! A client needs the base URL of a server and a key. For a test server, run
//! `cargo run -p family-api-server -- demo` in the repository: it serves two families and prints a key.
//!
//! A method of the client selects an area of the API, such as [`tasks`](FamilyClient::tasks). A method of the area,
//! such as [`update`](api::TasksApi::update), returns a [`Call`]. The request is sent when the call is awaited:
//!
//! ```
#![doc = include_str!("example_service.txt")]
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Example { address, token } = serve().await?;
//! use family_api_client::FamilyClient;
//!
//! let client = FamilyClient::builder().base_url(address).token(token).build()?;
//! println!("Good morning, {}!", client.profile().get().await?.name);
//! for board in client.read().tasks().await? {
//!     for task in board.columns.iter().flat_map(|column| &column.tasks) {
//!         println!("{}: {}", board.name, task.title);
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Keep the key in an environment variable or in a file that only its owner can read, never in the source code.
//!
//! # Changes and errors
//!
//! A change sets or clears the fields that it names. All other fields stay the same. The methods of [`Error`] classify
//! a failure:
//!
//! ```
#![doc = include_str!("example_service.txt")]
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Example { address, token } = serve().await?;
//! # let client = family_api_client::FamilyClient::builder().base_url(address).token(token).build()?;
//! use family_api_client::change::TaskChange;
//!
//! let boards = client.read().tasks().await?;
//! let task = &boards[0].columns[0].tasks[0];
//! let change = TaskChange::new().title("Buy oat milk").clear_due_date().complete();
//! let task = client.tasks().update(&task.id, change).await?;
//! assert!(task.completed && task.due_date.is_none());
//!
//! let error = client.tasks().update(&task.id, TaskChange::new().title("")).await.unwrap_err();
//! assert_eq!((error.status(), error.code()), (Some(422), Some("invalid_field")));
//! assert_eq!(error.field_errors()[0].pointer, "/title");
//!
//! let error = client.notes().delete(&"no-such-note".parse()?).await.unwrap_err();
//! assert!(error.is_not_found());
//! # Ok(())
//! # }
//! ```
//!
//! With [`cache`](FamilyClientBuilder::cache), the client caches the responses to reads. If the data is unchanged, the
//! service responds with 304 and no body. A program that keeps its own copy of the data sees this itself, also after a
//! restart:
//!
//! ```
#![doc = include_str!("example_service.txt")]
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Example { address, token } = serve().await?;
//! # let client = family_api_client::FamilyClient::builder().base_url(address).token(token).build()?;
//! use family_api_client::EntityTag;
//! use family_api_client::change::TaskChange;
//!
//! let boards = client.read().tasks().versioned().await?;
//! // The text of the tag can be stored with the copy.
//! let stored = boards.etag().ok_or("no tag")?.to_string();
//!
//! let etag: EntityTag = stored.parse()?;
//! assert_eq!(client.read().tasks().versioned().if_changed_since(&etag).await?, None);
//! client.tasks().update(&"t".parse()?, TaskChange::new().title("Buy tea")).await?;
//! let changed = client.read().tasks().versioned().if_changed_since(&etag).await?.ok_or("unchanged")?;
//! assert_eq!(changed[0].columns[0].tasks[0].title, "Buy tea");
//! # Ok(())
//! # }
//! ```
//!
//! A [`Follower`] reads everything once, and then only what has changed, deletions included.
//!
//! # Adding, deleting and restoring
//!
//! A change is also the body of a new record. It must then have the required fields, such as the title of a task.
//! Deleted tasks, notes, events and items can be restored for 30 days:
//!
//! ```
#![doc = include_str!("example_service.txt")]
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Example { address, token } = serve().await?;
//! # let client = family_api_client::FamilyClient::builder().base_url(address).token(token).build()?;
//! use family_api_client::change::{NoteChange, TaskChange};
//!
//! // Without a column, the task goes to the end of the first column.
//! let task = client.tasks().create(TaskChange::new().title("Call the plumber")).await?;
//! client.tasks().delete(&task.id).await?;
//! assert_eq!(client.tasks().restore(&task.id).await?.title, "Call the plumber");
//!
//! // The service creates at most one note for this key, also if the program restarts in between.
//! let key = "import-17".parse()?;
//! let note = || client.notes().create(NoteChange::new().title("Wi-Fi")).idempotency_key(&key);
//! assert_eq!(note().await?.id, note().await?.id);
//! # Ok(())
//! # }
//! ```
//!
//! A token needs the mode `v1_full` for this. With it, a token can also write boards, columns, shopping lists and note
//! categories. A session can write all of them ([`SessionClient`]).
//!
//! # Concurrent changes
//!
//! An update returns the record with the entity tag of its version ([`Versioned`]). A write with this tag
//! ([`Call::if_match`]) succeeds only if the record is still at this version.
//!
//! The tag of a resource is that of the whole response, not of one record. A read of one record returns its tag:
//!
//! ```
#![doc = include_str!("example_service.txt")]
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Example { address, token } = serve().await?;
//! # let client = family_api_client::FamilyClient::builder().base_url(address).token(token).build()?;
//! use family_api_client::change::TaskChange;
//!
//! let id = "t".parse()?;
//! let task = client.read().task(&id).await?;
//! let etag = task.etag().ok_or("no tag")?;
//! let longer = format!("{} and bread", task.title);
//! client.tasks().update(&id, TaskChange::new().title(&longer)).if_match(etag).await?;
//!
//! let stale = client.tasks().update(&id, TaskChange::new().title("Buy tea")).if_match(etag).await.unwrap_err();
//! assert!(stale.is_precondition_failed());
//! # Ok(())
//! # }
//! ```
//!
//! # Retries
//!
//! The client retries a failed call only if the retry cannot overwrite a change by another client.
//! [`max_retries`](FamilyClientBuilder::max_retries) lists the cases. All attempts share one
//! [`timeout`](FamilyClientBuilder::timeout).
//!
//! - A creation sends an `Idempotency-Key` and is retried like a read. The service creates at most one record.
//! - Any other write without `if_match` is not retried after a 503 or a lost response. Its error
//!   [is in doubt](Error::is_in_doubt): read the record to find out whether it was changed.
//! - A write with `if_match` is retried. If the first attempt took effect, the second one gets a 412. A change
//!   by another client would also cause a 412. So the error is in doubt, and
//!   [`is_precondition_failed`](Error::is_precondition_failed) returns `false`.
//!
//! # Integration keys
//!
//! A signed-in user creates and revokes keys. [`SessionClient`] sends the session cookie or header of the host app,
//! which is the app that serves the API:
//!
//! ```
#![doc = include_str!("example_service.txt")]
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Example { address, .. } = serve().await?;
//! use family_api_client::change::ProfileChange;
//! use family_api_client::key::{KeyDraft, KeyMode};
//! use family_api_client::{FamilyClient, SessionClient, Surface};
//!
//! let session = SessionClient::builder().base_url(&address).cookie("session=…").build()?;
//! session.profile().update(ProfileChange::new().enable_personal_api()).await?;
//! let key = session.keys().create(KeyDraft::new(KeyMode::McpRead).name("Dashboard")).await?;
//!
//! // Only this response contains the plaintext. A key of this mode can use only the read path.
//! let builder = FamilyClient::builder().base_url(&address).token(key.token.expose());
//! let dashboard = builder.read_over(Surface::ReadPath).build()?;
//! assert_eq!(dashboard.read().task_stats().await?.my_open, 1);
//!
//! session.keys().revoke(&key.id).await?;
//! assert!(dashboard.read().notes().await.unwrap_err().is_unauthorized());
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `tls` | HTTPS. On by default. |
//! | `blocking` | [`Call`]s have `.wait()`, for scripts without async code. |
//! | `cli` | The command `family`. |
//!
//! Without `tls`, the crate compiles for `wasm32-unknown-unknown`. There, the browser controls connections, proxies and
//! redirects.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod api;
mod base_url;
mod batch;
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
mod blocking;
mod builder;
mod cache;
mod call;
pub mod change;
mod client;
mod condition;
mod credential;
mod error;
mod error_response;
mod follower;
mod occurrences;
mod options;
mod random_key;
mod request;
mod request_id;
mod response;
mod retry_after;
mod secrets;
mod session;
mod time_notice;
mod transport;
mod versioned;

pub use batch::{Batch, BatchEntry, BatchResults};
pub use builder::{FamilyClientBuilder, SessionClientBuilder};
pub use call::{Call, CallFuture, RawJson};
pub use client::FamilyClient;
pub use condition::{Condition, Conditional, Creation, IfChanged, Reading, Unconditional, WriteCondition};
pub use error::Error;
pub use follower::{AllRecords, Follower, NextChanges};
pub use occurrences::Occurrences;
pub use session::{SessionClient, SignedOut};
pub use time_notice::{TimeNotice, TimeNoticeKind};
pub use versioned::{EntityTag, InvalidEntityTag, Versioned};

pub use family_api_types::change::OccurrenceScope;
pub use family_api_types::idempotency::{IdempotencyKey, InvalidIdempotencyKey};
pub use family_api_types::occurrences::{InvalidOccurrenceStart, LocalStart, OccurrenceStart};
pub use family_api_types::{
    Clock, ErrorCode, Surface, SystemClock, Timestamp, calendar, connection, feed, id, key, resource,
};
pub use jiff::civil::Date;
pub use reqwest;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
