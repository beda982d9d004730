//! Inspection: the statements that count records and find what is unusual. They read whole tables, but return only
//! numbers and a few ids.

mod counts;
mod query;
mod unusual;

pub(in crate::storage) use query::Query;

use crate::Timestamp;
use crate::storage::sql::SqlConnection;
use crate::storage::{Finding, Inspection, SchemaState, StorageError};

/// Inspects the rows of the tables that exist, unless the database is damaged.
pub(in crate::storage) async fn inspect_rows(
    connection: &mut impl SqlConnection,
    schema: SchemaState,
    damage: Vec<Finding>,
    tables: &[String],
    now: Timestamp,
) -> Result<Inspection, StorageError> {
    let mut inspection = Inspection { schema, damage, counts: Vec::new(), unusual: None };
    if inspection.damage.is_empty() {
        inspection.counts = counts::count_tables(connection, tables).await?;
        if inspection.schema.is_current() {
            inspection.unusual = Some(unusual::find_unusual(connection, now).await?);
        }
    }
    Ok(inspection)
}
