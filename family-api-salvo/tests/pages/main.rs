//! The pages of keys and connections and of deleted records, and the files that they load.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assets;
mod deleted;
mod languages;
#[path = "../http/support/log.rs"]
mod log;
mod markup;
mod support;
mod visitors;
