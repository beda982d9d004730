//! What can go wrong below the API.

use std::error::Error;
use std::sync::Arc;

/// A fault of a storage, by its meaning; the source is for the log only.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// The storage cannot be reached, is out of connections or is busy: later it may answer.
    #[error("the storage is not available")]
    Unavailable(#[source] Arc<dyn Error + Send + Sync>),
    /// What is stored is not what this version writes.
    #[error("the storage holds data that cannot be read")]
    Corrupt(#[source] Arc<dyn Error + Send + Sync>),
    /// Anything else.
    #[error("the storage failed")]
    Backend(#[source] Arc<dyn Error + Send + Sync>),
}

impl StorageError {
    /// A fault that may pass.
    pub fn unavailable(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(source.into().into())
    }

    /// Data that cannot be read.
    pub fn corrupt(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Corrupt(source.into().into())
    }

    /// Any other fault.
    pub fn backend(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Backend(source.into().into())
    }
}
