//! Records on their way into the database.

use std::collections::{HashMap, HashSet};

use crate::storage::bulk::names::{id, named};
use crate::storage::bulk::{BulkFault, BulkTransaction, Kind, Rows};
use crate::storage::{LoadError, LoadFault, Record, StorageError};

/// How much text is gathered before it is stored, in bytes; a single record may be more.
const MOST_BYTES: usize = 1024 * 1024;

/// What was gathered and not stored yet, of any kind.
///
/// It is stored kind by kind, so that of two records that name each other the later one would be there for the earlier:
/// what an earlier one names is not taken.
#[derive(Default)]
pub(super) struct Batch {
    rows: Vec<Row>,
    bytes: usize,
    /// The ids that the records name, by the kind of what they name.
    named: HashMap<&'static str, HashSet<String>>,
}

/// A record as a row of its kind.
pub(super) struct Row {
    pub(super) kind: &'static Kind,
    pub(super) record: Record,
    /// The JSON array.
    pub(super) json: String,
    /// Which record of the load it is.
    pub(super) number: u64,
}

impl Batch {
    /// Whether that record may be gathered too.
    pub(super) fn takes(&self, record: &Record) -> bool {
        self.bytes < MOST_BYTES && !self.named.get(record.kind()).is_some_and(|named| named.contains(id(record)))
    }

    /// Gathers a row.
    pub(super) fn push(&mut self, row: Row) {
        for (kind, id) in named(&row.record).into_iter().flatten() {
            let named = self.named.entry(kind).or_default();
            if !named.contains(id) {
                named.insert(id.to_owned());
            }
        }
        self.bytes += row.json.len();
        self.rows.push(row);
    }

    /// Stores what was gathered; of several records that do not fit, the first is refused.
    pub(super) async fn store(self, transaction: &mut impl BulkTransaction) -> Result<(), LoadError> {
        let mut rows = self.rows;
        rows.sort_by_cached_key(|row| Record::KINDS.iter().position(|kind| *kind == row.kind.name));
        let mut refused = None;
        for rows in rows.chunk_by(|one, next| one.kind.name == next.kind.name) {
            let end = refused.as_ref().map_or(rows.len(), |(first, _)| rows.partition_point(|row| row.number < *first));
            refused = store(transaction, &rows[..end]).await?.or(refused);
        }
        refused.map_or(Ok(()), |(number, fault)| Err(LoadError::Refused { number, fault }))
    }
}

/// Stores rows of one kind; where some do not fit, those before the first, which is told by its number.
async fn store(transaction: &mut impl BulkTransaction, rows: &[Row]) -> Result<Option<(u64, LoadFault)>, StorageError> {
    let Some(mut fault) = misfit(transaction, rows).await? else { return Ok(None) };
    let mut rows = rows;
    while rows.len() > 1 {
        let (half, rest) = rows.split_at(rows.len() / 2);
        match misfit(transaction, half).await? {
            Some(found) => (rows, fault) = (half, found),
            None => rows = rest,
        }
    }
    let fault = misfit(transaction, rows).await?.unwrap_or(fault);
    Ok(rows.first().map(|row| (row.number, fault)))
}

/// Stores all of the rows, or tells why one of them does not fit.
async fn misfit(transaction: &mut impl BulkTransaction, rows: &[Row]) -> Result<Option<LoadFault>, StorageError> {
    let Some(rows) = Rows::of(rows) else { return Ok(None) };
    match transaction.store(&rows).await {
        Ok(()) => Ok(None),
        Err(BulkFault::Misfit(fault)) => Ok(Some(fault)),
        Err(BulkFault::Storage(error)) => Err(error),
    }
}
