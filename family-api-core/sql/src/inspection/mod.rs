//! Inspection: the statements that count records and find what is unusual. They read whole tables, but return only
//! numbers and a few ids.

mod counts;
mod query;
mod report;
mod unusual;

pub(crate) use query::Query;
pub use report::{Finding, Inspection};

use family_api_core::Timestamp;
use family_api_core::storage::StorageError;

use crate::migration_state::SchemaState;
use crate::sql_connection::SqlConnection;

/// Inspects the rows of the tables that exist, unless the database is damaged.
pub(crate) async fn inspect_rows(
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
