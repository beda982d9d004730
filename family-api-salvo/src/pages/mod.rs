//! The pages on which users manage their keys and connections, and bring back deleted records.
//!
//! The server renders a page without data, in the user's language. Its script module then calls the session routes and
//! fills the page, so that the page works with every host's sessions.

mod deleted;
mod handler;
mod keys;
mod options;
mod settings;
mod zone;

pub(crate) use keys::Features;
pub use options::Pages;

/// The script module of the page of keys and connections.
pub(crate) const KEYS_MODULE: &str = include_str!("keys.js");
/// The script module of the page of deleted records.
pub(crate) const DELETED_MODULE: &str = include_str!("deleted.js");
/// The script module that the other modules import as [`SESSION_IMPORT`].
pub(crate) const SESSION_MODULE: &str = include_str!("session.js");
pub(crate) const SESSION_IMPORT: &str = "session.js";
