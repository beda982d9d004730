//! Why a database could not be opened, without any part of its URL that may be secret.

use std::error::Error;
use std::io::ErrorKind;

use family_api_core::storage::{StorageError, postgres, sqlite};
use sqlx::error::DatabaseError;

const EXPECTED: &str = "expected sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

/// A database could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("databases of the kind `{scheme}` are not supported, {EXPECTED}")]
    UnsupportedScheme { scheme: String },
    #[error("the database URL has no scheme, {EXPECTED}")]
    NoScheme,
    #[error(transparent)]
    Sqlite(#[from] sqlite::OpenError),
    #[error(transparent)]
    Postgres(#[from] Refusal),
}

/// What came in the way of opening a PostgreSQL database, in words of our own where PostgreSQL, or the driver, would
/// repeat a part of the URL.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the database URL is not understood, expected postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
    Url,
    #[error("the database cannot be opened: it does not answer, has no connection to spare, or is a standby")]
    Silence,
    #[error("the database cannot be opened: its user or password is not accepted, or not from this address")]
    Authentication,
    #[error("the database cannot be opened: its server has none of that name")]
    NoDatabase,
    #[error("the database cannot be opened: its server does not accept a setting that the URL holds")]
    Setting,
    #[error("the database cannot be opened: its socket is not there, or a certificate or key that the URL names")]
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
            // The driver's own words repeat those of the cause.
            _ => Self::Other(chain().last().map(ToString::to_string).unwrap_or_default()),
        }
    }

    /// By its SQLSTATE: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    fn of_server(refusal: &dyn DatabaseError) -> Self {
        match refusal.code().as_deref() {
            Some("3D000") => Self::NoDatabase,
            // An option that is not known, or with a value that it does not take.
            Some("42704") => Self::Setting,
            Some(code) if code.starts_with("22") => Self::Setting,
            Some(code) if code.starts_with("28") => Self::Authentication,
            _ => Self::Other(refusal.message().to_owned()),
        }
    }
}
