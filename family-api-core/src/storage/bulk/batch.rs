//! Rows of one kind on their way into the database.

use crate::storage::LoadError;
use crate::storage::bulk::{BulkFault, BulkTransaction, Kind};

/// How much text is gathered for a statement, in bytes; a single record may be more.
const MOST_BYTES: usize = 256 * 1024;

/// What was gathered and not stored yet.
#[derive(Default)]
pub(super) struct Batch {
    kind: Option<&'static Kind>,
    rows: Vec<String>,
    bytes: usize,
    /// Which record the first row is.
    first: u64,
}

impl Batch {
    /// Whether another row of that kind may be gathered.
    pub(super) fn takes(&self, kind: &Kind) -> bool {
        self.bytes < MOST_BYTES && self.kind.is_none_or(|own| own.name == kind.name && self.rows.len() < own.most)
    }

    /// Gathers a row, the record of that number.
    pub(super) fn push(&mut self, kind: &'static Kind, row: String, number: u64) {
        if self.rows.is_empty() {
            (self.kind, self.first) = (Some(kind), number);
        }
        self.bytes += row.len();
        self.rows.push(row);
    }

    /// Stores what was gathered, and is empty then.
    pub(super) async fn store(&mut self, transaction: &mut impl BulkTransaction) -> Result<(), LoadError> {
        let Self { kind: Some(kind), rows, first, .. } = std::mem::take(self) else {
            return Ok(());
        };
        match transaction.store(kind, &array(&rows), first).await {
            Err(BulkFault::Misfit(_)) if rows.len() > 1 => store_singly(transaction, kind, &rows, first).await,
            other => other.map_err(|fault| fault.of_record(first)),
        }
    }
}

/// Finds out which row does not fit.
async fn store_singly(
    transaction: &mut impl BulkTransaction,
    kind: &'static Kind,
    rows: &[String],
    first: u64,
) -> Result<(), LoadError> {
    for (number, row) in (first..).zip(rows) {
        let stored = transaction.store(kind, &array(std::slice::from_ref(row)), number).await;
        stored.map_err(|fault| fault.of_record(number))?;
    }
    Ok(())
}

fn array(rows: &[String]) -> String {
    ["[", &rows.join(","), "]"].concat()
}

impl BulkFault {
    /// The fault, where one record was stored.
    fn of_record(self, number: u64) -> LoadError {
        match self {
            Self::Misfit(fault) => LoadError::Refused { number, fault },
            Self::Storage(error) => LoadError::Storage(error),
        }
    }
}
