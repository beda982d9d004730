//! Export of all records.

use async_trait::async_trait;

use crate::id::FamilyId;
use crate::storage::{Record, StorageError};

/// Reads all records, so that they can be loaded into another storage.
///
/// An export does not contain sessions, grants, deleted records, idempotency keys and the last uses of keys.
#[async_trait]
pub trait Export: Send + Sync {
    /// Begins an export of the whole storage, or of one family with its users and their keys. It reads one snapshot:
    /// later changes are not in it.
    ///
    /// Every record can be loaded ([`BulkLoad`](crate::storage::BulkLoad)). So a record that belongs to a user who does
    /// not exist, or not in the exported family, has no owner in the export. Nobody sees such a record if it is
    /// private.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn begin_export(
        &self,
        family: Option<&FamilyId>,
        passwords: ExportedPasswords,
    ) -> Result<Box<dyn Exporter>, StorageError>;
}

/// Whether an export contains the hashes of passwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportedPasswords {
    /// The users of the export have no passwords.
    None,
    /// The users of the export have the hashes of their passwords.
    Hashed,
}

/// An export in progress.
#[async_trait]
pub trait Exporter: Send {
    /// Returns the next records, or an empty list at the end. Parents come before children. The order does not depend
    /// on the storage.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn next(&mut self) -> Result<Vec<Record>, StorageError>;
}
