//! The deletion of the checked items of a list. Every storage takes the same steps in one transaction: check the
//! credential, find the items, delete and keep them.

use crate::Timestamp;
use crate::access::{Author, FoundCredential, write_scope};
use crate::id::ListId;
use crate::resource::{RecordKind, ShoppingItem, Verb};
use crate::storage::write_sequence::{SequenceResult, Stop};
use crate::storage::{DeletedRecord, StorageError, Writable, Written};

/// Maximum number of items that [`delete_checked_items`] deletes.
pub const MAX_CHECKED_ITEMS: u32 = 500;

/// Deletes the checked items that [`WriteStorage`](crate::storage::WriteStorage::delete_checked_items) names, and returns
/// them. `credential` was found in the same transaction.
///
/// # Errors
/// [`StorageError`] for a fault.
pub async fn delete_checked_items(
    author: &Author,
    list: &ListId,
    now: Timestamp,
    credential: FoundCredential,
    steps: &mut impl CheckedItemSteps,
) -> Result<SequenceResult<Vec<ShoppingItem>>, StorageError> {
    let delete = async || {
        let scope = write_scope(RecordKind::ShoppingItem, Verb::Delete);
        author.check(credential, &scope, now).map_err(|denied| Stop::Unchanged(denied.into()))?;
        let items = steps.find_checked_items(list).await?.ok_or(Stop::Unchanged(Written::NotFound))?;
        if items.is_empty() {
            return Err(Stop::Unchanged(Written::Deleted(Vec::new())));
        }
        let deleted = items.iter().map(|item| DeletedRecord::new(item, now)).collect::<Result<Vec<_>, _>>()?;
        let blocks = items.iter().map(Writable::blocks).fold(0, u32::saturating_add);
        steps.delete_items(deleted, blocks).await?;
        Ok(Written::Deleted(items))
    };
    SequenceResult::of(delete().await)
}

/// The steps of [`delete_checked_items`] that differ between storages.
pub trait CheckedItemSteps: Send {
    /// Returns the checked items that the member sees, at most [`MAX_CHECKED_ITEMS`], the earliest first. Returns
    /// `None` if the member does not see the list.
    fn find_checked_items(
        &mut self,
        list: &ListId,
    ) -> impl Future<Output = Result<Option<Vec<ShoppingItem>>, StorageError>> + Send;

    /// Deletes items that were found in the same transaction, keeps them, so that they can be restored, and adds the
    /// deletions to the log of changes. `blocks` is the sum of their [blocks](Writable::blocks).
    fn delete_items(
        &mut self,
        items: Vec<DeletedRecord>,
        blocks: u32,
    ) -> impl Future<Output = Result<(), StorageError>> + Send;
}
