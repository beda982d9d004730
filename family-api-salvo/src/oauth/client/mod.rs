//! The clients: assistants that ask for access. None of them is stored.
//!
//! A client either registers, and gets an id that contains its signed description, or its id is the URL of its metadata
//! document.

mod document;
mod document_cache;
mod document_source;
mod document_url;
mod fetch_permits;
mod https_documents;
mod metadata;
mod public_address;
pub(super) mod register;
mod registration;
mod resolver;

pub(super) use document_cache::DocumentCache;
pub use document_source::{ClientDocuments, FetchError};
pub(super) use https_documents::HttpsDocuments;
pub(crate) use resolver::{ClientError, ClientResolver, ResolvedClient};
