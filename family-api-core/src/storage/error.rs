//! What can go wrong below the API.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A fault of a storage, by its meaning; the source is for the log only. Clones share it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum StorageError {
    /// The storage cannot be reached, is out of connections or is busy: later it may answer.
    Unavailable(Arc<dyn Error + Send + Sync>),
    /// What is stored is not what this version writes.
    Corrupt(Arc<dyn Error + Send + Sync>),
    /// Anything else.
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

/// By hand, so that a source is found as what it is, and not as an [`Arc`] of it.
impl Error for StorageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unavailable(source) | Self::Corrupt(source) | Self::Backend(source) => Some(&**source),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_found_as_what_it_is_in_every_clone() {
        for fault in [
            StorageError::unavailable(fmt::Error),
            StorageError::corrupt(fmt::Error),
            StorageError::backend(fmt::Error),
        ] {
            assert!(fault.clone().source().unwrap().is::<fmt::Error>(), "{fault}");
        }
    }
}
