//! The pages on which users manage their keys, connections and calendar feeds, and bring back deleted records.
//!
//! The server renders a page without data, in the user's language. Its script module then calls the session routes and
//! fills the page, so that the page works with every host's sessions.

mod deleted;
mod feeds;
mod handler;
mod keys;
mod options;
mod settings;
mod zone;

pub(crate) use keys::Features;
pub use options::Pages;

/// The script module of the page of keys, connections and calendar feeds.
pub(crate) const KEYS_MODULE: &str = include_str!("keys.js");
/// The script module of the page of deleted records.
pub(crate) const DELETED_MODULE: &str = include_str!("deleted.js");
/// The script module that the other modules import as [`SESSION_IMPORT`].
pub(crate) const SESSION_MODULE: &str = include_str!("session.js");
pub(crate) const SESSION_IMPORT: &str = "session.js";
/// The script module of the form of calendar feeds, which the module of keys imports as [`FEEDS_IMPORT`].
pub(crate) const FEEDS_MODULE: &str = include_str!("feeds.js");
pub(crate) const FEEDS_IMPORT: &str = "feeds.js";
/// A library that makes codes for cameras, which the module of feeds imports as [`CODE_IMPORT`].
pub(crate) const CODE_MODULE: &str = include_str!("lean-qr.js");
pub(crate) const CODE_IMPORT: &str = "lean-qr.js";
