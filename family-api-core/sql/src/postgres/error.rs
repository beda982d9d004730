//! Conversion of PostgreSQL's errors.

use std::error::Error;

use family_api_core::storage::StorageError;

use crate::migration_state::SchemaError;
use crate::postgres::distributed::is_lost_worker;

/// Why a database could not be opened. No error message contains the password of the URL.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The URL is invalid, or has an invalid value.
    #[error("the database URL is not understood")]
    Url(#[source] Box<dyn Error + Send + Sync>),
    /// The URL has an unknown parameter, which the driver would ignore.
    #[error("the database URL has a parameter `{name}`, which is not known")]
    UnknownParameter {
        /// The name of the parameter.
        name: String,
    },
    /// The encoding of the database is not UTF-8.
    #[error("the encoding of the database is not UTF8")]
    Encoding,
    /// The database has no tables of this crate
    /// ([`PostgresOptions::must_exist`](super::PostgresOptions::must_exist)).
    #[error("the database has no tables of this service")]
    Missing,
    /// The tables are distributed, and must be migrated, but this server is not the coordinator.
    #[error("the database must be migrated first: start this version once with the URL of the coordinator")]
    NotCoordinator,
    /// The schema does not match this version.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Any other error.
    #[error("the database cannot be opened")]
    Storage(#[from] StorageError),
}

/// Converts an error of the driver to a [`StorageError`], also for a host with a database of its own.
#[must_use]
pub fn fault(error: sqlx::Error) -> StorageError {
    match &error {
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::Io(_) => StorageError::unavailable(error),
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } | sqlx::Error::TypeNotFound { .. } => {
            StorageError::corrupt(error)
        }
        sqlx::Error::Database(database) => match sql_state(&error) {
            Some(_) if is_lost_worker(&**database) => StorageError::unavailable(error),
            Some(state) if starts_with_any(&state, &UNAVAILABLE) => StorageError::unavailable(error),
            Some(state) if starts_with_any(&state, &CORRUPT) => StorageError::corrupt(error),
            _ => StorageError::backend(error),
        },
        _ => StorageError::backend(error),
    }
}

/// Returns whether the server rolled back the transaction because of a conflict with another transaction. The call can
/// be retried.
pub(super) fn is_conflict(error: &StorageError) -> bool {
    let StorageError::Unavailable(source) = error else {
        return false;
    };
    let state = source.downcast_ref::<sqlx::Error>().and_then(sql_state);
    state.is_some_and(|state| CONFLICTS.contains(&state.as_str()))
}

/// Returns the SQLSTATE: five characters, of which the first two are the class
/// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
fn sql_state(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(String::from)
}

fn starts_with_any(state: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| state.starts_with(prefix))
}

/// `serialization_failure`, `deadlock_detected`.
const CONFLICTS: [&str; 2] = ["40001", "40P01"];

/// Prefixes of SQLSTATEs. In this order: connection exceptions, a missing database, rolled-back transactions,
/// insufficient resources, operator interventions, system errors, the timeout of an idle transaction, a read-only
/// server (a former primary), a lock or object in use, and a rejected role or password.
const UNAVAILABLE: [&str; 10] = ["08", "3D", "40", "53", "57", "58", "25P03", "25006", "55", "28"];

/// Damaged data, a damaged index, or an internal error.
const CORRUPT: [&str; 1] = ["XX"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_and_other_errors_are_not_conflicts() {
        assert!(!is_conflict(&StorageError::unavailable("the database did not respond in time")));
        assert!(!is_conflict(&StorageError::unavailable(sqlx::Error::PoolTimedOut)));
        assert!(!is_conflict(&StorageError::backend(sqlx::Error::RowNotFound)));
    }
}
