//! A batch of records to store.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use family_api_core::storage::table::Table;
use family_api_core::storage::{LoadError, LoadFault, Record, StorageError};

use crate::bulk::BulkTransaction;
use crate::bulk::destination::Destination;
use crate::bulk::rows::Rows;

/// A batch is stored when its JSON reaches this many bytes. The last record can exceed this limit.
///
/// Smaller batches spend most of their time on thread switches. Larger batches take several times their size in memory.
const MAX_BYTES: usize = 1024 * 1024;

/// Records of all kinds that are not stored yet.
///
/// A load must refuse a child that comes before its parent. But a batch is stored kind by kind, such as all boards
/// before all columns, so the parent would be stored first and the child accepted. A batch therefore accepts no record
/// that an earlier record of the batch refers to.
#[derive(Default)]
pub(super) struct Batch {
    /// The rows of each kind, by its index in [`Record::TABLES`].
    rows: BTreeMap<usize, Rows>,
    /// The hashes of the referenced ids. If two ids have the same hash, the batch only ends earlier.
    referenced: HashSet<u64>,
    hasher: RandomState,
    bytes: usize,
}

impl Batch {
    /// Whether the record may be added to this batch.
    pub(super) fn accepts(&self, record: &Record) -> bool {
        self.bytes < MAX_BYTES && !self.referenced.contains(&self.hasher.hash_one(record.record_id()))
    }

    /// Adds a record with its row and its number in the load.
    pub(super) fn push(&mut self, record: &Record, row: &str, number: u64) {
        self.bytes += row.len();
        self.referenced.extend(record.references().map(|(_, id)| self.hasher.hash_one(id)));
        let table = record.table();
        let index = Record::KINDS.iter().position(|kind| *kind == table.kind).unwrap_or_default();
        self.rows.entry(index).or_insert_with(|| Rows::new(table)).push(row, record.family(), number);
    }

    /// Stores the batch. If several records are faulty, the error names the first.
    pub(super) async fn store(self, destination: &mut Destination<impl BulkTransaction>) -> Result<(), LoadError> {
        let mut refused: Option<Refused> = None;
        for rows in self.rows.into_values() {
            let end = refused.as_ref().map_or(rows.count(), |first| rows.count_before(first.number));
            refused = store(destination, &rows, 0..end).await?.or(refused);
        }
        refused.map_or(Ok(()), |Refused { number, id, fault }| Err(LoadError::Refused { number, id, fault }))
    }
}

/// A faulty row.
struct Refused {
    /// The number of its record in the load.
    number: u64,
    id: String,
    fault: LoadFault,
}

/// Stores the rows in the range. If one of them is faulty, stores the rows before it and returns that row.
///
/// Finds the faulty row by bisection.
async fn store(
    destination: &mut Destination<impl BulkTransaction>,
    rows: &Rows,
    Range { mut start, mut end }: Range<usize>,
) -> Result<Option<Refused>, StorageError> {
    if start == end || destination.try_store(rows, start..end).await?.is_none() {
        return Ok(None);
    }
    while end - start > 1 {
        let middle = start.midpoint(end);
        match destination.try_store(rows, start..middle).await? {
            Some(_) => end = middle,
            None => start = middle,
        }
    }
    let fault = destination.find_fault(rows, start).await?;
    Ok(Some(Refused { number: rows.number(start), id: id(rows.table, &rows.json(start..end))?, fault }))
}

/// Returns the id in a JSON array of one row.
fn id(table: &Table, row: &str) -> Result<String, StorageError> {
    let rows: Vec<Vec<serde_json::Value>> = serde_json::from_str(row).map_err(StorageError::backend)?;
    let id = rows.first().zip(table.position("id")).and_then(|(row, position)| row.get(position)?.as_str());
    Ok(id.unwrap_or_default().to_owned())
}
