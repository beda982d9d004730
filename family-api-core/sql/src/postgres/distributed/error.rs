//! Errors of distributed tables, which Citus reports as internal errors.

use sqlx::error::{DatabaseError, ErrorKind};
use sqlx::postgres::PgDatabaseError;

/// `internal_error`.
const INTERNAL: &str = "XX000";

/// The beginnings of messages of Citus about a worker that was lost at the commit.
const LOST_WORKER: [&str; 3] = [
    "could not commit transaction for shard",
    "failure on connection marked as essential",
    "failed to prepare transaction",
];

const WORKER_CONTEXT: &str = "while executing command on ";

/// Parts of the English messages of PostgreSQL about violated constraints.
const VIOLATIONS: [(&str, ErrorKind); 2] = [
    ("violates unique constraint", ErrorKind::UniqueViolation),
    ("violates foreign key constraint", ErrorKind::ForeignKeyViolation),
];

/// Returns the kind of the violated constraint.
///
/// If a statement inserts many rows into a distributed table, Citus returns the worker's message without its SQLSTATE.
pub(crate) fn violated_kind(error: &dyn DatabaseError) -> ErrorKind {
    if !is_internal(error) {
        return error.kind();
    }
    let violated = VIOLATIONS.into_iter().find(|(text, _)| error.message().contains(text));
    violated.map_or(ErrorKind::Other, |(_, kind)| kind)
}

/// Returns whether Citus reports that it lost the connection to a worker. PostgreSQL itself uses this SQLSTATE for
/// damage and for bugs.
///
/// Citus adds the context to each error of a connection to a worker. An error without SQLSTATE is one of the connection
/// itself, whose message depends on the language of the server.
pub(crate) fn is_lost_worker(error: &dyn DatabaseError) -> bool {
    if !is_internal(error) {
        return false;
    }
    let context = error.try_downcast_ref::<PgDatabaseError>().and_then(PgDatabaseError::r#where);
    LOST_WORKER.iter().any(|start| error.message().starts_with(start))
        || context.is_some_and(|context| context.contains(WORKER_CONTEXT))
}

fn is_internal(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|state| state == INTERNAL)
}
