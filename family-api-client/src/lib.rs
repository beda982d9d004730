//! A typed client of a family integration API: a key in, records out.
//!
//! A family's tasks, events, shopping lists and notes are opened by an **integration key**, which a member of the family
//! makes and gives to a program. [`FamilyClient`] is that program's side of it.
//!
//! # A first read
//!
//! With a server running (the repository's `cargo run --release -p family-api-server -- demo` serves two families and
//! prints a key), a client needs its address and a key. The areas of the API are methods of the client, and their verbs
//! make a [`Call`], which is made when it is awaited:
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
//! A key belongs in a variable of the environment or in a file that only its owner can read, never in the program.
//!
//! # Changes, and what may go wrong
//!
//! A change names the fields that it sets or clears; all others stay. An [`Error`] is asked what it means:
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
//! With [`cache`](FamilyClientBuilder::cache), answers that still hold are not sent again, where the service sends entity
//! tags.
//!
//! # Changes by several clients
//!
//! An update returns the record with the entity tag of its version ([`Versioned`]). A write with that tag
//! ([`Call::if_match`]) is done only if the record is still at this version. To get the tag of a record, update it with a
//! change that changes nothing; the tag of a document that was read names no record:
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
//! let task = client.tasks().update(&id, TaskChange::new()).await?;
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
//! The client repeats a failed call only if that cannot overwrite what another client did meanwhile, and within the time
//! of the whole call ([`max_retries`](FamilyClientBuilder::max_retries) lists the cases,
//! [`timeout`](FamilyClientBuilder::timeout)). A write without a condition is not repeated after a 503 or a lost answer:
//! its error [is in doubt](Error::is_in_doubt), and the caller reads the record to find out what happened. A write with a
//! condition is repeated. If the first attempt took effect, the condition of the second one fails. The client cannot tell
//! that from a change by another client, so this 412 is no
//! [failed precondition](Error::is_precondition_failed) but a call in doubt, too.
//!
//! # KeysApi
//!
//! KeysApi are made and revoked by a signed-in user. [`SessionClient`] carries the cookie or header in which the host knows
//! them:
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
//! // This is the only time that the plaintext is shown. A key of this mode opens the read path.
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
//! | `tls` | HTTPS; on by default |
//! | `blocking` | `.wait()` beside `.await`, for scripts |
//! | `cli` | the command `family` |
//!
//! Without `tls`, the crate compiles for `wasm32-unknown-unknown`: there, connections, proxies and redirects are the
//! browser's.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
pub mod api;
mod base_url;
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
mod blocking;
mod builder;
mod cache;
mod call;
pub mod change;
mod client;
mod credential;
mod error;
mod options;
mod refusal;
mod request;
mod retry_after;
mod secrets;
mod session;
mod transport;
mod versioned;

pub use builder::{FamilyClientBuilder, SessionClientBuilder};
pub use call::{Call, Pending, RawJson};
pub use client::FamilyClient;
pub use error::Error;
pub use session::{SessionClient, SignedOut};
pub use versioned::{EntityTag, InvalidEntityTag, Versioned};

pub use family_api_core::{Clock, ErrorCode, Surface, SystemClock, Timestamp, calendar, id, key, resource};
pub use jiff::civil::Date;
pub use reqwest;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
