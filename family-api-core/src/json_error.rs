//! The error of conversions between records and JSON.

/// A record cannot be converted to or from JSON. A storage returns it as
/// [`StorageError::Corrupt`](crate::storage::StorageError::Corrupt).
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct JsonError(#[from] serde_json::Error);
