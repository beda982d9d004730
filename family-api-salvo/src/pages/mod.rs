//! The page on which users manage their keys and connections.

mod builder;
mod keys;

pub use builder::Pages;

/// The script module of the page.
pub(crate) const KEYS_MODULE: &str = include_str!("keys.js");
