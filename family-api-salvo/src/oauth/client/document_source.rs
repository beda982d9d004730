//! The source of metadata documents.

use async_trait::async_trait;
use bytes::Bytes;

/// Fetches the metadata documents of clients (draft-ietf-oauth-client-id-metadata-document).
///
/// By default, the server fetches them itself over HTTPS, and only from public addresses. A host implements this trait
/// if its requests must leave through its own gateway.
#[async_trait]
pub trait ClientDocuments: Send + Sync {
    /// Fetches the document at this `https` URL.
    ///
    /// Anyone can choose the URL. An implementation must not connect to addresses of the host's own network, must not
    /// follow redirects, and must limit the size and the time.
    ///
    /// # Errors
    /// [`FetchError`] if there is no document.
    async fn fetch(&self, url: &str) -> Result<Bytes, FetchError>;
}

/// The reason why a document was not fetched. The user sees the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The site does not respond, or responds that it cannot serve now. A copy of the document may be used.
    #[error("{0}")]
    Unreachable(String),
    /// The site responds, but not with a document.
    #[error("{0}")]
    Refused(String),
}
