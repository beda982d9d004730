//! The method of [`WriteStorage`] for each kind of record.

use async_trait::async_trait;

use crate::access::Author;
use crate::change::Editable;
use crate::resource::{Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task};
use crate::storage::value::StoredFields;
use crate::storage::{RecordWrite, StorageError, WriteStorage, Written};

/// A record counts once more towards the maximum for each full block of its text, in bytes. So the maximum also limits
/// the size of a document.
pub const TEXT_BLOCK: usize = 4_096;

/// A kind of record that storages write: it has rules ([`Editable`]) and columns ([`StoredFields`]). Every [`Editable`]
/// implements it.
#[async_trait]
pub trait Writable: Editable + StoredFields {
    /// Returns how often the record counts towards the maximum beside once: for each full [`TEXT_BLOCK`] of its
    /// [text](crate::resource::RecordKind::text_columns).
    fn blocks(&self) -> u32 {
        let text = Self::KIND.text_columns();
        if text.is_empty() {
            return 0;
        }
        let columns = Self::COLUMNS.iter().zip(self.values());
        let sizes = columns.filter(|(column, _)| text.contains(&column.name)).map(|(_, value)| value.text_bytes());
        u32::try_from(sizes.sum::<usize>() / TEXT_BLOCK).unwrap_or(u32::MAX)
    }

    /// Calls the method of [`WriteStorage`] for records of this kind.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn write(
        storage: &(impl WriteStorage + ?Sized),
        author: &Author,
        write: &RecordWrite<Self>,
    ) -> Result<Written<Self>, StorageError>;
}

/// Passes the kinds of records to a macro, after other tokens: each kind with the method of
/// [`WriteStorage`](crate::storage::WriteStorage) that writes it.
///
/// ```
/// macro_rules! methods {
///     ($name:ident => $($method:ident: $Record:ident,)*) => {
///         const $name: &[&str] = &[$(stringify!($method)),*];
///     };
/// }
/// family_api_core::for_each_kind!(methods METHODS =>);
/// assert_eq!(METHODS.len(), family_api_core::resource::RecordKind::ALL.len());
/// ```
#[macro_export]
macro_rules! for_each_kind {
    ($macro:ident $($context:tt)*) => {
        $macro! {
            $($context)*
            write_task: Task,
            write_note: Note,
            write_event: Event,
            write_shopping_item: ShoppingItem,
            write_board: Board,
            write_column: Column,
            write_shopping_list: ShoppingList,
            write_note_category: NoteCategory,
        }
    };
}

macro_rules! impl_writable {
    ($($method:ident: $Record:ident,)*) => {$(
        #[async_trait]
        impl Writable for $Record {
            async fn write(
                storage: &(impl WriteStorage + ?Sized),
                author: &Author,
                write: &RecordWrite<Self>,
            ) -> Result<Written<Self>, StorageError> {
                storage.$method(author, write).await
            }
        }
    )*};
}

for_each_kind!(impl_writable);
