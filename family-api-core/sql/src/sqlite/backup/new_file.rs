//! A file that replaces another file atomically.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use family_api_core::storage::StorageError;
use tempfile::NamedTempFile;

use crate::sqlite::BackupError;

/// A new file in the folder of the file that it will replace. It is deleted if it is dropped before.
pub(super) struct NewFile {
    temporary: NamedTempFile,
    target: PathBuf,
}

impl NewFile {
    /// Creates an empty file, which only its owner can read.
    pub(super) fn beside(target: PathBuf) -> Result<Self, BackupError> {
        let failed = |source| BackupError::write(&target, source);
        if fs::metadata(&target).is_ok_and(|existing| !existing.is_file()) {
            return Err(failed(io::Error::other("it is not a regular file")));
        }
        let prefix = format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy());
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(&prefix).suffix(".tmp");
        let temporary = builder.tempfile_in(folder(&target)).map_err(failed)?;
        Ok(Self { temporary, target })
    }

    pub(super) fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// The open file, whatever has its name now.
    pub(super) fn file(&self) -> &File {
        self.temporary.as_file()
    }

    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Writes the new file to the disk.
    pub(super) async fn sync(&self) -> Result<(), BackupError> {
        let file = self.file().try_clone().map_err(|source| BackupError::write(&self.target, source))?;
        write(self.target.clone(), move |_| file.sync_all()).await
    }

    /// Writes the new file to the disk, and replaces the target.
    pub(super) async fn replace_target(self) -> Result<(), BackupError> {
        let Self { temporary, target } = self;
        let replace = move |target: &Path| {
            temporary.as_file().sync_all()?;
            check_name(&temporary)?;
            temporary.persist(target)?;
            sync_folder(folder(target))
        };
        write(target, replace).await
    }
}

/// Runs a write for a target on a thread that may block.
async fn write(
    target: PathBuf,
    write: impl FnOnce(&Path) -> io::Result<()> + Send + 'static,
) -> Result<(), BackupError> {
    let path = target.clone();
    let written = tokio::task::spawn_blocking(move || write(&path)).await;
    let written = written.map_err(|error| BackupError::storage(&target, StorageError::backend(error)))?;
    written.map_err(|source| BackupError::write(&target, source))
}

/// Returns the path of a file without symbolic links, so that not a link is replaced. The file need not exist.
pub(super) fn resolve(file: &Path) -> io::Result<PathBuf> {
    match (file.canonicalize(), file.file_name()) {
        (Err(error), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            Ok(folder(file).canonicalize()?.join(name))
        }
        (path, _) => path,
    }
}

/// Returns a path with a suffix, such as `-wal`.
pub(super) fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a file still has its name.
#[cfg(unix)]
fn check_name(temporary: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    let named = fs::symlink_metadata(temporary.path())?;
    let opened = temporary.as_file().metadata()?;
    if (named.dev(), named.ino()) == (opened.dev(), opened.ino()) {
        Ok(())
    } else {
        Err(io::Error::other("another program has exchanged the new file"))
    }
}

#[cfg(not(unix))]
fn check_name(_: &NamedTempFile) -> io::Result<()> {
    Ok(())
}

/// Writes the new name to the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
