//! Errors of backups.

use std::io;
use std::path::{Path, PathBuf};

use family_api_core::storage::StorageError;

use crate::sqlite::OpenError;
use crate::sqlite::error::{fault, primary_code};

/// Why a backup was not written, or not restored. The file that it would have replaced is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// The backup cannot be opened by this version of the crate, or the database is not given by a path.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file does not exist or cannot be read.
    #[error("cannot read {}", file.display())]
    Read {
        /// The path of the file.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file cannot be written or replaced.
    #[error("cannot write {}", file.display())]
    Write {
        /// The path of the file.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The backup and the database are the same file.
    #[error("{} belongs to the database itself", file.display())]
    SameFile {
        /// The path of the file.
        file: PathBuf,
    },
    /// A file is not an SQLite file, or contains no tables of this crate.
    #[error("{} is not a database of this service", file.display())]
    OtherFile {
        /// The path of the file.
        file: PathBuf,
    },
    /// A file is damaged.
    #[error("{} is damaged: {reason}", file.display())]
    Damaged {
        /// The path of the file.
        file: PathBuf,
        /// What SQLite has found.
        reason: String,
    },
    /// The file to replace is open in another process.
    #[error("{} is in use: stop the service and other programs that have it open", file.display())]
    InUse {
        /// The path of the file.
        file: PathBuf,
    },
    /// Root runs the process, and another user can exchange the files that it would work with.
    #[error(
        "other users can change {}, so root must not work there: run the command as the owner of the folder, or use a \
         folder that only root can change",
        folder.display()
    )]
    ChangeableFolder {
        /// The first folder of a path that another user can change.
        folder: PathBuf,
    },
    /// SQLite failed for another reason.
    #[error("cannot copy {}", file.display())]
    Storage {
        /// The path of the file.
        file: PathBuf,
        /// The reason.
        source: StorageError,
    },
}

impl BackupError {
    pub(super) fn read(file: &Path, source: io::Error) -> Self {
        Self::Read { file: file.to_owned(), source }
    }

    pub(super) fn write(file: &Path, source: io::Error) -> Self {
        Self::Write { file: file.to_owned(), source }
    }

    pub(super) fn storage(file: &Path, source: StorageError) -> Self {
        Self::Storage { file: file.to_owned(), source }
    }

    /// Converts an error of a statement.
    pub(super) fn sqlite(file: &Path, error: sqlx::Error) -> Self {
        const CORRUPT: u32 = 11;
        const NOT_A_DATABASE: u32 = 26;
        let file = file.to_owned();
        match error.as_database_error().and_then(primary_code) {
            Some(NOT_A_DATABASE) => Self::OtherFile { file },
            Some(CORRUPT) => Self::Damaged { file, reason: error.to_string() },
            _ => Self::Storage { file, source: fault(error) },
        }
    }
}
