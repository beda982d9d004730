//! Errors of opening a database. They do not contain secrets from the database URL.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

use family_api_core::storage::StorageError;
use family_api_sql::{postgres, sqlite};
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
    Sqlite(SqliteOpenError),
    #[error(transparent)]
    Postgres(#[from] PostgresOpenError),
}

impl OpenError {
    /// Converts an error of a file, given by its path or URL.
    pub(super) fn of_sqlite(error: sqlite::OpenError, database: &Path) -> Self {
        match error {
            sqlite::OpenError::Missing => Self::NoSqlite { url: database.display().to_string() },
            other => Self::Sqlite(SqliteOpenError::new(database, other)),
        }
    }
}

/// The reason why an SQLite file cannot be opened. The message names the file once, and says what to correct.
#[derive(Debug, thiserror::Error)]
#[error("the database {file} cannot be opened: {reason}")]
pub(crate) struct SqliteOpenError {
    file: String,
    reason: String,
}

impl SqliteOpenError {
    fn new(database: &Path, error: sqlite::OpenError) -> Self {
        let file = file_of(database);
        let reason = match error {
            sqlite::OpenError::Storage(error) => file_fault(Path::new(&file)).unwrap_or_else(|| innermost(&error)),
            other => other.to_string(),
        };
        Self { file, reason }
    }
}

/// Returns the path in a `sqlite:` URL, or the path itself.
fn file_of(database: &Path) -> String {
    let text = database.display().to_string();
    let Some(url) = text.strip_prefix("sqlite:") else {
        return text;
    };
    let path = url.split_once('?').map_or(url, |(path, _)| path);
    path.strip_prefix("//").unwrap_or(path).to_owned()
}

/// Returns what prevents that a file is opened or created. SQLite's messages do not tell.
fn file_fault(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Some(format!("the folder {} does not exist", folder.display()));
    }
    if file.is_dir() {
        return Some("it is a folder".to_owned());
    }
    let error = OpenOptions::new().read(true).write(true).open(file).err()?;
    (error.kind() != ErrorKind::NotFound).then(|| error.to_string())
}

/// Returns an error and its sources.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| (*error).source())
}

/// Returns the innermost message, because each message of the driver repeats the message of its cause.
fn innermost(error: &StorageError) -> String {
    match chain(error).find_map(|error| error.downcast_ref()) {
        Some(sqlx::Error::Database(error)) => error.message().to_owned(),
        _ => chain(error).last().map(ToString::to_string).unwrap_or_default(),
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
        match chain(error).find_map(|error| error.downcast_ref()) {
            Some(sqlx::Error::PoolTimedOut) => Self::Unreachable,
            Some(sqlx::Error::Database(error)) => Self::from_sqlstate(&**error),
            Some(sqlx::Error::Io(error)) if error.kind() == ErrorKind::NotFound => Self::MissingFile,
            _ => Self::Other(innermost(error)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_url_has_no_scheme_and_no_parameters() {
        for (database, file) in [
            ("sqlite:family.db", "family.db"),
            ("sqlite:///var/lib/family.db?mode=rwc", "/var/lib/family.db"),
            ("data/what?.db", "data/what?.db"),
        ] {
            assert_eq!(file_of(Path::new(database)), file);
        }
    }
}
