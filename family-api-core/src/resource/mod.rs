//! The types that reads return, and the queries for them (HTTP reference, "Reads"). Storages return these types, and
//! the HTTP API sends them as JSON.

mod document;

pub use document::Document;
pub use family_api_types::resource::*;
