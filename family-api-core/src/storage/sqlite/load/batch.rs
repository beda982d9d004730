//! Records of one kind on their way into the database.

use sqlx::SqliteConnection;

use crate::storage::LoadError;
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::load::kind::Kind;

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
    pub(super) async fn store(&mut self, writer: &mut SqliteConnection) -> Result<(), LoadError> {
        let Self { kind: Some(kind), rows, first, .. } = std::mem::take(self) else {
            return Ok(());
        };
        match store(writer, kind, &rows).await {
            Err(error) if kind.fault(&error).is_some() => store_singly(writer, kind, &rows, first).await,
            other => Ok(other.map_err(fault)?),
        }
    }
}

/// Finds out which row does not fit.
async fn store_singly(
    writer: &mut SqliteConnection,
    kind: &Kind,
    rows: &[String],
    first: u64,
) -> Result<(), LoadError> {
    for (number, row) in (first..).zip(rows) {
        if let Err(error) = store(writer, kind, std::slice::from_ref(row)).await {
            return Err(match kind.fault(&error) {
                Some(fault) => LoadError::Refused { number, fault },
                None => LoadError::Storage(fault(error)),
            });
        }
    }
    Ok(())
}

async fn store(writer: &mut SqliteConnection, kind: &Kind, rows: &[String]) -> Result<(), sqlx::Error> {
    let rows = ["[", &rows.join(","), "]"].concat();
    for sql in kind.sql {
        sqlx::query(*sql).bind(rows.as_str()).execute(&mut *writer).await?;
    }
    Ok(())
}
