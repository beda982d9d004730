//! The inspection of a database, which does not migrate it.

use std::path::Path;

use family_api_core::Timestamp;
use family_api_sql::Inspection;
use family_api_sql::postgres::PostgresOptions;
use family_api_sql::sqlite::SqliteOptions;

use crate::database::error::PostgresOpenError;
use crate::database::{DatabaseKind, OpenError};

/// Inspects the database of a URL or of the path of an SQLite file.
pub(crate) async fn inspect(url: &str, now: Timestamp) -> Result<Inspection, OpenError> {
    match DatabaseKind::of(url)? {
        DatabaseKind::Sqlite => {
            let inspected = SqliteOptions::new(url).inspect(now).await;
            inspected.map_err(|error| OpenError::of_sqlite(error, Path::new(url)))
        }
        DatabaseKind::Postgres => Ok(PostgresOptions::new(url).inspect(now).await.map_err(PostgresOpenError::new)?),
    }
}
