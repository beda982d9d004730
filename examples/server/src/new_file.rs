//! A file that replaces another one when it is complete.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A new file in the folder of the file that it will replace. It is deleted if it is dropped before.
pub(crate) struct NewFile {
    temporary: NamedTempFile,
    target: PathBuf,
}

impl NewFile {
    /// Creates an empty file, which only its owner can read. Of a symbolic link, it will replace the target, not the
    /// link.
    pub(crate) fn beside(target: &Path) -> io::Result<Self> {
        let target = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { temporary: NamedTempFile::new_in(folder)?, target })
    }

    /// Lets all users read the file.
    pub(crate) fn allow_all_to_read(&self) -> io::Result<()> {
        self.temporary.as_file().set_permissions(Permissions::from_mode(0o644))
    }

    /// Writes the file to the disk, and replaces the target.
    pub(crate) fn replace_target(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        self.temporary.persist(self.target)?;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}
