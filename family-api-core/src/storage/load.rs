//! Taking family data from a file (the import format in the README of the server).

use async_trait::async_trait;

use crate::storage::{Record, StorageError};

/// Takes many records at once, all or nothing.
#[async_trait]
pub trait Load: Send + Sync {
    /// Begins a load; nothing of it is seen until it is committed, and no other load begins.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError>;
}

/// A load under way; dropped before it is committed, it leaves nothing.
#[async_trait]
pub trait Loader: Send {
    /// Adds a record; parents come before children.
    ///
    /// A loader may gather records and store them together: a fault names the record it is about by its number,
    /// which can be an earlier one.
    ///
    /// # Errors
    /// [`LoadError::Refused`] for an unknown parent or an id, e-mail or token hash that exists; the load is lost then.
    async fn insert(&mut self, record: Record) -> Result<(), LoadError>;

    /// Makes everything that was added seen, at once.
    ///
    /// # Errors
    /// As [`insert`](Self::insert), for records that were gathered.
    async fn commit(self: Box<Self>) -> Result<(), LoadError>;
}

/// Why a load failed; nothing of it stays.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A record does not fit what is there.
    #[error("record {number} is refused: {fault}")]
    Refused {
        /// Which call of [`Loader::insert`], the first is 1.
        number: u64,
        /// What is wrong with it.
        fault: LoadFault,
    },
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// What is wrong with a record of a load.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{expected}", if field.is_empty() { String::new() } else { format!("field `{field}`: ") })]
pub struct LoadFault {
    /// The field, as the import format names it; empty for the line itself.
    pub field: String,
    /// What was expected there.
    pub expected: String,
}

impl LoadFault {
    /// A fault of a field; of the line itself where `field` is empty.
    #[must_use]
    pub fn new(field: &str, expected: &str) -> Self {
        Self { field: field.to_owned(), expected: expected.to_owned() }
    }

    /// The id, e-mail or token hash exists.
    #[must_use]
    pub fn exists(field: &str) -> Self {
        Self::new(field, "expected one that does not exist yet")
    }

    /// The parent is not there.
    #[must_use]
    pub fn no_parent(field: &str) -> Self {
        Self::new(field, "expected the id of a record that was given before")
    }
}
