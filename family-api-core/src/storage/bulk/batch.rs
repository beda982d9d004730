//! Records on their way into the database.

use std::collections::BTreeMap;

use crate::storage::bulk::names::id;
use crate::storage::bulk::rows::AllRows;
use crate::storage::bulk::{BulkFault, BulkTransaction, Kind, Rows};
use crate::storage::{LoadError, LoadFault, Record, StorageError};

/// How much text is gathered before it is stored, in bytes; a single record may be more. Of less, the switches between
/// threads take too much; more takes memory, several times as much.
const MOST_BYTES: usize = 1024 * 1024;

/// What was gathered and not stored yet, of any kind.
///
/// It is stored kind by kind, so that of two records that name each other the later one would be there for the earlier:
/// what an earlier one names is not taken.
#[derive(Default)]
pub(super) struct Batch {
    /// Of each kind, in the order in which they are stored.
    rows: BTreeMap<(Option<usize>, &'static str), AllRows>,
    bytes: usize,
}

impl Batch {
    /// Whether that record may be gathered too.
    pub(super) fn takes(&self, record: &Record) -> bool {
        self.bytes < MOST_BYTES && !self.rows.values().any(|rows| rows.name_that(record.kind(), id(record)))
    }

    /// Gathers a record, which is that row of its kind and that one of the load.
    pub(super) fn push(&mut self, record: &Record, kind: &'static Kind, json: &str, number: u64) {
        self.bytes += json.len();
        let place = Record::KINDS.iter().position(|name| *name == kind.name);
        self.rows.entry((place, kind.name)).or_insert_with(|| AllRows::new(kind)).push(record, json, number);
    }

    /// Stores what was gathered; of several records that do not fit, the first is refused.
    pub(super) async fn store(self, transaction: &mut impl BulkTransaction) -> Result<(), LoadError> {
        let mut refused = None;
        for rows in self.rows.into_values() {
            let end = refused.as_ref().map_or(rows.count(), |(first, _)| rows.count_before(*first));
            refused = store(transaction, &rows, end).await?.or(refused);
        }
        refused.map_or(Ok(()), |(number, fault)| Err(LoadError::Refused { number, fault }))
    }
}

/// Stores so many of the rows; where some do not fit, those before the first, which is told by its number.
async fn store(
    transaction: &mut impl BulkTransaction,
    all: &AllRows,
    end: usize,
) -> Result<Option<(u64, LoadFault)>, StorageError> {
    let (mut start, mut end) = (0, end);
    if end == 0 {
        return Ok(None);
    }
    let Some(mut fault) = misfit(transaction, &all.part(start..end)).await? else { return Ok(None) };
    while end - start > 1 {
        let middle = start.midpoint(end);
        match misfit(transaction, &all.part(start..middle)).await? {
            Some(found) => (end, fault) = (middle, found),
            None => start = middle,
        }
    }
    let fault = misfit(transaction, &all.part(start..end)).await?.unwrap_or(fault);
    Ok(Some((all.number(start), fault)))
}

/// Stores all of the rows, or tells why one of them does not fit.
async fn misfit(transaction: &mut impl BulkTransaction, rows: &Rows<'_>) -> Result<Option<LoadFault>, StorageError> {
    match transaction.store(rows).await {
        Ok(()) => Ok(None),
        Err(BulkFault::FieldErrors(fault)) => Ok(Some(fault)),
        Err(BulkFault::Storage(error)) => Err(error),
    }
}
