//! Rows on their way into the database.

use std::collections::{HashMap, HashSet};

use crate::storage::bulk::names::{id, named};
use crate::storage::bulk::{BulkFault, BulkTransaction, Kind, Rows};
use crate::storage::{LoadError, Record};

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

    /// Gathers a record as its row.
    pub(super) fn push(&mut self, record: &Record, row: Row) {
        for (kind, id) in named(record).into_iter().flatten() {
            let named = self.named.entry(kind).or_default();
            if !named.contains(id) {
                named.insert(id.to_owned());
            }
        }
        self.bytes += row.json.len();
        self.rows.push(row);
    }

    /// Stores what was gathered, and is empty then.
    pub(super) async fn store(&mut self, transaction: &mut impl BulkTransaction) -> Result<(), LoadError> {
        let rows = std::mem::take(self).rows;
        match transaction.store(&Rows::by_kind(&rows)).await {
            Err(fault @ BulkFault::Misfit(_)) => Err(find_misfit(transaction, rows, fault).await),
            Err(BulkFault::Storage(error)) => Err(error.into()),
            Ok(()) => Ok(()),
        }
    }
}

/// Finds the first row that does not fit, and stores those before it.
async fn find_misfit(transaction: &mut impl BulkTransaction, mut rows: Vec<Row>, mut fault: BulkFault) -> LoadError {
    while rows.len() > 1 {
        let rest = rows.split_off(rows.len() / 2);
        match transaction.store(&Rows::by_kind(&rows)).await {
            Ok(()) => rows = rest,
            Err(found) => fault = found,
        }
    }
    let number = rows.first().map_or(0, |row| row.number);
    match transaction.store(&Rows::by_kind(&rows)).await.err().unwrap_or(fault) {
        BulkFault::Misfit(fault) => LoadError::Refused { number, fault },
        BulkFault::Storage(error) => LoadError::Storage(error),
    }
}
