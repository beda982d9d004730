//! A batch of records to store.

use std::collections::BTreeMap;

use crate::storage::bulk::references::id;
use crate::storage::bulk::rows::AllRows;
use crate::storage::bulk::{BulkFault, BulkTransaction, Kind, Rows};
use crate::storage::{LoadError, LoadFault, Record, StorageError};

/// A batch is stored when its JSON reaches this many bytes. The last record may exceed it.
///
/// With smaller batches, thread switches dominate. Larger ones cost several times their size in memory.
const MAX_BYTES: usize = 1024 * 1024;

/// Records of all kinds that are not stored yet.
///
/// A batch is stored kind by kind. So a later parent could be stored before an earlier child, which must be refused. A
/// batch therefore accepts no record that an earlier record of the batch refers to.
#[derive(Default)]
pub(super) struct Batch {
    /// The rows of each kind, in the order in which the kinds are stored.
    rows: BTreeMap<(Option<usize>, &'static str), AllRows>,
    bytes: usize,
}

impl Batch {
    /// Whether the record may be added to this batch.
    pub(super) fn accepts(&self, record: &Record) -> bool {
        self.bytes < MAX_BYTES && !self.rows.values().any(|rows| rows.refer_to(record.kind(), id(record)))
    }

    /// Adds a record with its JSON row and its number in the load.
    pub(super) fn push(&mut self, record: &Record, kind: &'static Kind, json: &str, number: u64) {
        self.bytes += json.len();
        let kind_index = Record::KINDS.iter().position(|name| *name == kind.name);
        self.rows.entry((kind_index, kind.name)).or_insert_with(|| AllRows::new(kind)).push(record, json, number);
    }

    /// Stores the batch. If several records are faulty, the error names the first.
    pub(super) async fn store(self, transaction: &mut impl BulkTransaction) -> Result<(), LoadError> {
        let mut refused = None;
        for rows in self.rows.into_values() {
            let end = refused.as_ref().map_or(rows.count(), |(first, _)| rows.count_before(*first));
            refused = store(transaction, &rows, end).await?.or(refused);
        }
        refused.map_or(Ok(()), |(number, fault)| Err(LoadError::Refused { number, fault }))
    }
}

/// Stores the first `end` rows. If one of them is faulty, stores the rows before it and returns its number and fault.
///
/// Finds the faulty row by bisection.
async fn store(
    transaction: &mut impl BulkTransaction,
    all: &AllRows,
    end: usize,
) -> Result<Option<(u64, LoadFault)>, StorageError> {
    let mut start = 0;
    let mut end = end;
    if end == 0 {
        return Ok(None);
    }
    let Some(mut fault) = try_store(transaction, &all.part(start..end)).await? else { return Ok(None) };
    while end - start > 1 {
        let middle = start.midpoint(end);
        match try_store(transaction, &all.part(start..middle)).await? {
            Some(found) => {
                end = middle;
                fault = found;
            }
            None => start = middle,
        }
    }
    let fault = try_store(transaction, &all.part(start..end)).await?.unwrap_or(fault);
    Ok(Some((all.number(start), fault)))
}

/// Stores all of the rows, or none and returns the fault of one of them.
async fn try_store(transaction: &mut impl BulkTransaction, rows: &Rows<'_>) -> Result<Option<LoadFault>, StorageError> {
    match transaction.store(rows).await {
        Ok(()) => Ok(None),
        Err(BulkFault::FieldErrors(fault)) => Ok(Some(fault)),
        Err(BulkFault::Storage(error)) => Err(error),
    }
}
