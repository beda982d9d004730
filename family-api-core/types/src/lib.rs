//! The types of the family integration API: what requests and responses contain, and the rules of each field.
//!
//! `family-api-core` re-exports every module of this crate, so an app that serves the API does not name this crate.
//! `family-api-client` depends on this crate alone.
//!
//! | task | documentation |
//! |---|---|
//! | read the fields of a record | [`resource`] |
//! | parse several writes in one request | [`batch`] |
//! | build the body of a creation or an update | [`change`], and [`key::KeyDraft`] for keys |
//! | parse a body, and report all its faults | [`validation`] |
//! | expand recurring events | [`occurrences`] |
//! | fill in the path of a route | [`paths`] |
//! | handle an error response | [`Problem`] and the table of [`ErrorCode`]s |
//!
//! ```
//! use family_api_types::change::{Editable, TaskUpdate};
//! use family_api_types::resource::Task;
//! use family_api_types::validation::Json;
//!
//! let body = Json::parse(br#"{ "title": "", "priority": "at once" }"#)?;
//! let faults = Task::parse_update(body).unwrap_err();
//! assert_eq!(faults.count(), 2);
//! # Ok::<(), family_api_types::validation::InvalidJson>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `schema` | JSON Schemas of all types |
//!
//! # Re-exports
//!
//! Public signatures contain types of `jiff`. The crate is re-exported in the version that this crate uses.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod batch;
pub mod calendar;
pub mod change;
mod clock;
pub mod connection;
mod error_code;
pub mod feed;
pub mod id;
pub mod idempotency;
pub mod key;
pub mod occurrences;
pub mod paths;
mod problem;
pub mod resource;
mod surface;
mod timestamp;
pub mod validation;

pub use jiff;

pub use clock::{Clock, ManualClock, SystemClock};
pub use error_code::ErrorCode;
pub use problem::Problem;
pub use surface::Surface;
pub use timestamp::{InvalidTimestamp, Timestamp};
