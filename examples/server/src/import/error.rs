//! Why an import stopped.

use std::io;

use family_api_core::storage::{LoadError, LoadFault, StorageError};
use tokio::task::JoinError;

use crate::import::numbers::LineNumbers;
use crate::password::HashError;

/// Why an import stopped; nothing of the file stays.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    #[error("line {line}: {fault}")]
    Line { line: u64, fault: LoadFault },
    #[error("cannot read line {line}")]
    Read { line: u64, source: io::Error },
    #[error("the database failed")]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("the import was interrupted")]
    Interrupted(#[source] JoinError),
}

impl ImportError {
    /// A record that the storage refused, or a fault of the storage.
    pub(super) fn at(numbers: &LineNumbers, error: LoadError) -> Self {
        match error {
            LoadError::Refused { number, fault } => Self::Line { line: numbers.line_of(number), fault },
            LoadError::Storage(error) => Self::Storage(error),
        }
    }
}
