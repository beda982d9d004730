//! The error of every storage method.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A fault of a storage, grouped by meaning. The source is for the log only. Clones share the source.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum StorageError {
    /// The storage cannot be reached, has no free connection, or is busy. A later call may succeed.
    Unavailable(Arc<dyn Error + Send + Sync>),
    /// The stored data cannot be read by this version.
    Corrupt(Arc<dyn Error + Send + Sync>),
    /// Any other fault.
    Backend(Arc<dyn Error + Send + Sync>),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unavailable(_) => "the storage is not available",
            Self::Corrupt(_) => "the storage holds data that cannot be read",
            Self::Backend(_) => "the storage failed",
        })
    }
}

/// Implemented by hand, so that a source can be downcast to its own type and not to an [`Arc`] of it.
impl Error for StorageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unavailable(source) | Self::Corrupt(source) | Self::Backend(source) => Some(&**source),
        }
    }
}

impl StorageError {
    /// Wraps a temporary fault as [`Unavailable`](Self::Unavailable).
    pub fn unavailable(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(source.into().into())
    }

    /// Wraps the reason why stored data cannot be read as [`Corrupt`](Self::Corrupt).
    pub fn corrupt(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Corrupt(source.into().into())
    }

    /// Wraps any other fault as [`Backend`](Self::Backend).
    pub fn backend(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Backend(source.into().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clone_keeps_the_type_of_the_source() {
        for fault in [
            StorageError::unavailable(fmt::Error),
            StorageError::corrupt(fmt::Error),
            StorageError::backend(fmt::Error),
        ] {
            assert!(fault.clone().source().unwrap().is::<fmt::Error>(), "{fault}");
        }
    }
}
