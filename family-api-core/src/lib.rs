//! What a family API is, knowing no web framework.

pub mod access;
pub mod calendar;
pub mod change;
mod clock;
mod error;
pub mod id;
pub mod key;
pub mod paths;
mod problem;
pub mod resource;
mod service;
pub mod storage;
mod timestamp;

pub use clock::{Clock, ManualClock, SystemClock};
pub use error::{Error, ErrorCode};
pub use problem::Problem;
pub use service::{DeletedNote, FamilyApi, FamilyApiBuilder, Keys, Notes, Profiles, Reading, Tasks};
pub use timestamp::{InvalidTimestamp, Timestamp};
