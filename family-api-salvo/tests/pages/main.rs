//! The pages of keys and connections and of deleted records, and the files that they load.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod assets;
mod deleted;
mod feeds;
mod languages;
#[path = "../http/support/log.rs"]
mod log;
mod markup;
#[path = "../http/support/session.rs"]
mod session;
mod support;
mod visitors;
