//! The method of [`WriteStorage`] for each kind of record.

use async_trait::async_trait;

use crate::access::Author;
use crate::change::Editable;
use crate::for_each_kind;
use crate::storage::value::StoredFields;
use crate::storage::{RecordWrite, StorageError, WriteStorage, Written};

/// A record counts once more towards the maximum for each full block of its
/// [text](crate::resource::RecordKind::text_columns), in bytes of JSON. So the
/// [maximum](crate::resource::RecordKind::max_records) also limits the size of this text in a response.
pub const TEXT_BLOCK: usize = 1_024;

/// A kind of record that storages write: it has rules ([`Editable`]) and columns ([`StoredFields`]). Every [`Editable`]
/// implements it.
#[async_trait]
pub trait Writable: Editable + StoredFields {
    /// Returns how often the record counts towards the maximum beside once: for each full [`TEXT_BLOCK`] of its
    /// [text](crate::resource::RecordKind::text_columns).
    fn blocks(&self) -> u32 {
        let text = Self::KIND.text_columns();
        let columns = Self::COLUMNS.iter().zip(self.values());
        let sizes = columns.filter(|(column, _)| text.contains(&column.name)).map(|(_, value)| value.json_bytes());
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

macro_rules! impl_writable {
    ($($method:ident: $Record:ident,)*) => {$(
        #[async_trait]
        impl Writable for crate::resource::$Record {
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
