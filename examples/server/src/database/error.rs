//! Errors of opening a database. They contain no secret part of the URL.

use std::error::Error;
use std::io::ErrorKind;

use family_api_core::storage::{StorageError, postgres, sqlite};
use sqlx::error::DatabaseError;

const EXPECTED: &str = "expected sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

/// A database could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("unsupported database scheme `{scheme}`, {EXPECTED}")]
    UnsupportedScheme { scheme: String },
    #[error("the database URL has no scheme, {EXPECTED}")]
    NoScheme,
    #[error(transparent)]
    Sqlite(#[from] sqlite::OpenError),
    #[error(transparent)]
    Postgres(#[from] Refusal),
}

/// Why PostgreSQL could not be opened. It has its own messages where those of PostgreSQL or of the driver would quote
/// the URL.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("invalid database URL, expected postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
    Url,
    #[error("the database cannot be opened: it does not answer, has no connection to spare, or is a standby")]
    Silence,
    #[error("the database cannot be opened: the user or password is wrong, or not allowed from this address")]
    Authentication,
    #[error("the database cannot be opened: no database of this name exists")]
    NoDatabase,
    #[error("the database cannot be opened: the server rejects a setting in the URL")]
    Setting,
    #[error("the database cannot be opened: the socket, or a certificate or key named in the URL, does not exist")]
    NoFile,
    #[error("the database cannot be opened: {0}")]
    Other(String),
    #[error(transparent)]
    Contents(postgres::OpenError),
}

impl Refusal {
    pub(super) fn new(error: postgres::OpenError) -> Self {
        match error {
            postgres::OpenError::Url(_) => Self::Url,
            postgres::OpenError::Storage(error) => Self::of(&error),
            other => Self::Contents(other),
        }
    }

    fn of(error: &StorageError) -> Self {
        let chain = || std::iter::successors(Some(error as &dyn Error), |error| (*error).source());
        match chain().find_map(|error| error.downcast_ref()) {
            Some(sqlx::Error::PoolTimedOut) => Self::Silence,
            Some(sqlx::Error::Database(refusal)) => Self::of_server(&**refusal),
            Some(sqlx::Error::Io(error)) if error.kind() == ErrorKind::NotFound => Self::NoFile,
            // The driver's message repeats that of the cause.
            _ => Self::Other(chain().last().map(ToString::to_string).unwrap_or_default()),
        }
    }

    /// Maps the SQLSTATE: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    fn of_server(refusal: &dyn DatabaseError) -> Self {
        match refusal.code().as_deref() {
            Some("3D000") => Self::NoDatabase,
            // An unknown option, or an invalid value.
            Some("42704") => Self::Setting,
            Some(code) if code.starts_with("22") => Self::Setting,
            Some(code) if code.starts_with("28") => Self::Authentication,
            _ => Self::Other(refusal.message().to_owned()),
        }
    }
}
