//! Errors of an import.

use std::io;

use family_api_core::storage::{LoadError, LoadFault, StorageError};
use tokio::task::JoinError;

use crate::import::line_numbers::LineNumbers;
use crate::password::HashError;

/// The error of an import. Nothing of the file was imported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    #[error("line {line}: {fault}")]
    Line { line: u64, fault: LoadFault },
    #[error("line {line}: field `id`: a record with the id `{id}` exists already; --update changes it")]
    Exists { line: u64, id: String },
    #[error(
        "line {line}: field `email`: another user has this address; `user set` gives that user another one, and `user \
         remove` removes the user"
    )]
    EmailExists { line: u64 },
    #[error("cannot read line {line}")]
    Read { line: u64, source: io::Error },
    #[error("database error")]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("the import was interrupted")]
    Interrupted(#[source] JoinError),
}

impl ImportError {
    /// Converts an error of the storage. Replaces the number of a refused record with its line number.
    pub(super) fn from_load(numbers: &LineNumbers, error: LoadError) -> Self {
        match error {
            LoadError::Refused { number, id, fault } if fault == LoadFault::exists("id") => {
                Self::Exists { line: numbers.line_of(number), id }
            }
            LoadError::Refused { number, fault, .. } if fault == LoadFault::exists("email") => {
                Self::EmailExists { line: numbers.line_of(number) }
            }
            LoadError::Refused { number, fault, .. } => Self::Line { line: numbers.line_of(number), fault },
            LoadError::Storage(error) => Self::Storage(error),
        }
    }
}
