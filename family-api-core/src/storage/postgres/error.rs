//! Faults of PostgreSQL, by their meaning.

use std::error::Error;

use crate::storage::{SchemaError, StorageError};

/// Why a database could not be opened; no message holds the password of its URL.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The URL is none, or asks for something unknown.
    #[error("the database URL is not understood")]
    Url(#[source] Box<dyn Error + Send + Sync>),
    /// The URL has a parameter that the driver would pass over.
    #[error("the database URL has a parameter `{name}`, which is not known")]
    UnknownParameter {
        /// Its name.
        name: String,
    },
    /// The database does not keep its text in UTF-8.
    #[error("the encoding of the database is not UTF8")]
    Encoding,
    /// The schema is not one that this version makes.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Anything else.
    #[error("the database cannot be opened")]
    Storage(#[from] StorageError),
}

/// The meaning of a fault.
pub(super) fn fault(error: sqlx::Error) -> StorageError {
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
        sqlx::Error::Database(_) => match sql_state(&error) {
            Some(state) if starts_with_any(&state, &UNAVAILABLE) => StorageError::unavailable(error),
            Some(state) if starts_with_any(&state, &CORRUPT) => StorageError::corrupt(error),
            _ => StorageError::backend(error),
        },
        _ => StorageError::backend(error),
    }
}

/// Whether a transaction was undone because another was in its way: it may be tried again.
pub(super) fn is_conflict(error: &StorageError) -> bool {
    let StorageError::Unavailable(source) = error else {
        return false;
    };
    let state = source.downcast_ref::<sqlx::Error>().and_then(sql_state);
    state.is_some_and(|state| CONFLICTS.contains(&state.as_str()))
}

/// <https://www.postgresql.org/docs/current/errcodes-appendix.html>: five characters, of which two name the class.
fn sql_state(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(String::from)
}

fn starts_with_any(state: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| state.starts_with(beginning))
}

/// `serialization_failure`, `deadlock_detected`.
const CONFLICTS: [&str; 2] = ["40001", "40P01"];

/// Connection exceptions, a database that is not there, rolled-back transactions, insufficient resources, operator
/// interventions, system errors; an idle transaction that was given up, a server that only reads (it was the primary), a
/// lock or an object in use, and a role or password that is not let in (any more).
const UNAVAILABLE: [&str; 10] = ["08", "3D", "40", "53", "57", "58", "25P03", "25006", "55", "28"];

/// Data or an index that is damaged.
const CORRUPT: [&str; 1] = ["XX"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_undid_a_transaction_for_another_is_tried_again() {
        assert!(!is_conflict(&StorageError::unavailable("no answer in time")));
        assert!(!is_conflict(&StorageError::unavailable(sqlx::Error::PoolTimedOut)));
        assert!(!is_conflict(&StorageError::backend(sqlx::Error::RowNotFound)));
    }
}
