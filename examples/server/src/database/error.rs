//! Errors of opening a database. They do not contain secrets from the database URL.

use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;

use family_api_core::storage::{StorageError, postgres, sqlite};
use sqlx::error::DatabaseError;

const EXPECTED_URL: &str = "expected a path, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

/// A database could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("unsupported database scheme `{scheme}`, {EXPECTED_URL}")]
    UnsupportedScheme { scheme: String },
    #[error("the database URL has no scheme, {EXPECTED_URL}")]
    NoScheme,
    #[error("there is no database {url}; `serve` and `import` create it")]
    NoSqlite { url: String },
    #[error(transparent)]
    Sqlite(sqlite::OpenError),
    #[error(transparent)]
    Postgres(#[from] PostgresOpenError),
}

impl OpenError {
    /// Converts an error of a file, given by its path or URL.
    pub(super) fn of_sqlite(error: sqlite::OpenError, database: &Path) -> Self {
        match error {
            sqlite::OpenError::Missing => Self::NoSqlite { url: database.display().to_string() },
            other => Self::Sqlite(other),
        }
    }
}

/// The reason why a PostgreSQL database cannot be opened. Some messages of PostgreSQL and of the driver quote the URL,
/// so these messages are replaced.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PostgresOpenError {
    #[error("invalid database URL, expected postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
    InvalidUrl,
    #[error("the database cannot be opened: it does not answer, has no connection to spare, or is a standby")]
    Unreachable,
    #[error("the database cannot be opened: the user or password is wrong, or not allowed from this address")]
    Authentication,
    #[error("the database cannot be opened: no database of this name exists")]
    NoDatabase,
    #[error("the database cannot be opened: the server rejects a setting in the URL")]
    InvalidSetting,
    #[error("the database cannot be opened: the socket, or a certificate or key named in the URL, does not exist")]
    MissingFile,
    #[error("the database has no tables of this server; `serve` and `import` create them")]
    NoTables,
    #[error("the database cannot be opened: {0}")]
    Other(String),
    #[error(transparent)]
    Unsuitable(postgres::OpenError),
}

impl PostgresOpenError {
    pub(super) fn new(error: postgres::OpenError) -> Self {
        match error {
            postgres::OpenError::Url(_) => Self::InvalidUrl,
            postgres::OpenError::Missing => Self::NoTables,
            postgres::OpenError::Storage(error) => Self::from_storage(&error),
            other => Self::Unsuitable(other),
        }
    }

    fn from_storage(error: &StorageError) -> Self {
        let chain = || std::iter::successors(Some(error as &dyn Error), |error| (*error).source());
        match chain().find_map(|error| error.downcast_ref()) {
            Some(sqlx::Error::PoolTimedOut) => Self::Unreachable,
            Some(sqlx::Error::Database(error)) => Self::from_sqlstate(&**error),
            Some(sqlx::Error::Io(error)) if error.kind() == ErrorKind::NotFound => Self::MissingFile,
            // Each message of the driver repeats the message of its cause. So only the innermost message is kept.
            _ => Self::Other(chain().last().map(ToString::to_string).unwrap_or_default()),
        }
    }

    /// Maps the SQLSTATE: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    fn from_sqlstate(error: &dyn DatabaseError) -> Self {
        match error.code().as_deref() {
            Some("3D000") => Self::NoDatabase,
            // An unknown option, or an invalid value.
            Some("42704") => Self::InvalidSetting,
            Some(code) if code.starts_with("22") => Self::InvalidSetting,
            Some(code) if code.starts_with("28") => Self::Authentication,
            _ => Self::Other(error.message().to_owned()),
        }
    }
}
