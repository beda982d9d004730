//! The error of every storage method.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::json_error::JsonError;

/// A fault of a storage, grouped by meaning. The source is for the log only. Clones share the source.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum StorageError {
    /// The storage cannot be reached, has no free connection, or is busy. A later call may succeed.
    Unavailable(Arc<dyn Error + Send + Sync>),
    /// As [`Unavailable`](Self::Unavailable), for a write of a record that has not begun. It has no effect, so no
    /// [event in doubt](crate::audit::AuditEvent::InDoubt) is recorded.
    NotBegun(Arc<dyn Error + Send + Sync>),
    /// Too many calls wait already, so this one has not begun. It is no sign that the storage fails: the caller gets 429,
    /// and the source is not logged.
    Overloaded(Arc<dyn Error + Send + Sync>),
    /// The stored data cannot be read by this version.
    Corrupt(Arc<dyn Error + Send + Sync>),
    /// Any other fault.
    Backend(Arc<dyn Error + Send + Sync>),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unavailable(_) | Self::NotBegun(_) => "the storage is not available",
            Self::Overloaded(_) => "too many calls wait for the storage",
            Self::Corrupt(_) => "the storage holds data that cannot be read",
            Self::Backend(_) => "the storage failed",
        })
    }
}

/// Implemented manually: a derived `source` would return the [`Arc`], which cannot be downcast to the original error.
impl Error for StorageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unavailable(source)
            | Self::NotBegun(source)
            | Self::Overloaded(source)
            | Self::Corrupt(source)
            | Self::Backend(source) => Some(&**source),
        }
    }
}

impl StorageError {
    /// Returns a fixed name of the kind, for logs and metrics.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unavailable(_) | Self::NotBegun(_) => "unavailable",
            Self::Overloaded(_) => "overloaded",
            Self::Corrupt(_) => "corrupt",
            Self::Backend(_) => "failed",
        }
    }

    /// Creates [`Unavailable`](Self::Unavailable) from a temporary fault.
    pub fn unavailable(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(source.into().into())
    }

    /// Creates [`Overloaded`](Self::Overloaded) from what waits already.
    pub fn overloaded(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Overloaded(source.into().into())
    }

    /// Creates [`Corrupt`](Self::Corrupt) from the reason why stored data cannot be read.
    pub fn corrupt(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Corrupt(source.into().into())
    }

    /// Creates [`Backend`](Self::Backend) from any other fault.
    pub fn backend(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Backend(source.into().into())
    }

    /// Converts [`Unavailable`](Self::Unavailable) to [`NotBegun`](Self::NotBegun), for a fault before anything was
    /// written. Other errors stay as they are.
    #[must_use]
    pub fn not_begun(self) -> Self {
        match self {
            Self::Unavailable(source) => Self::NotBegun(source),
            other => other,
        }
    }
}

impl From<JsonError> for StorageError {
    fn from(error: JsonError) -> Self {
        Self::corrupt(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clone_keeps_the_type_of_the_source() {
        for fault in [
            StorageError::unavailable(fmt::Error),
            StorageError::unavailable(fmt::Error).not_begun(),
            StorageError::overloaded(fmt::Error),
            StorageError::corrupt(fmt::Error),
            StorageError::backend(fmt::Error),
        ] {
            assert!(fault.clone().source().unwrap().is::<fmt::Error>(), "{fault}");
        }
    }
}
