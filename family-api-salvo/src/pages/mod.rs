//! The page on which users manage their keys and connections.
//!
//! The server renders the page without data, in the user's language. The script module `keys.js` then calls the session
//! routes and fills the page, so that the page works with every host's sessions.

mod builder;
mod handler;
mod markup;
mod settings;

pub use builder::Pages;
pub(crate) use markup::Features;

/// The script module of the page.
pub(crate) const KEYS_MODULE: &str = include_str!("keys.js");
