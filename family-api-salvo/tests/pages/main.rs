//! The page of keys and connections, and the files that it loads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assets;
mod languages;
#[path = "../http/support/log.rs"]
mod log;
mod markup;
mod support;
mod visitors;
