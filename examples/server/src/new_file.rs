//! A file that replaces another one when it is complete.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A new file in the folder of the file that it will replace. It is deleted if it is dropped before.
pub(crate) struct NewFile {
    temporary: NamedTempFile,
    target: PathBuf,
}

impl NewFile {
    /// Creates an empty file, which only its owner can read. Of a symbolic link, it will replace the target, not the
    /// link. A link of another user is replaced itself, unless it belongs to root: it could lead to a file that only
    /// this user can replace.
    pub(crate) fn beside(target: &Path) -> io::Result<Self> {
        let followed = Some(target).filter(|target| is_followed(target)).and_then(|target| target.canonicalize().ok());
        let target = followed.unwrap_or_else(|| target.to_owned());
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

/// Returns whether a path is no link, or a link that root or this user has created.
fn is_followed(path: &Path) -> bool {
    let this_user = rustix::process::geteuid();
    fs::symlink_metadata(path)
        .is_ok_and(|found| !found.is_symlink() || found.uid() == 0 || found.uid() == this_user.as_raw())
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{lchown, symlink};

    use super::*;

    /// Replaces `link`, which leads to `file`, and returns whether it is still a link.
    fn replace(folder: &Path) -> bool {
        let link = folder.join("link");
        let mut file = NewFile::beside(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.replace_target().unwrap();
        assert_eq!(fs::read(&link).unwrap(), b"new");
        link.is_symlink()
    }

    #[test]
    fn only_a_link_of_this_user_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        symlink("file", folder.path().join("link")).unwrap();
        assert!(replace(folder.path()));
        assert_eq!(fs::read(&file).unwrap(), b"new");
        // Only root can give a link to another user.
        if rustix::process::geteuid().is_root() {
            fs::write(&file, "old").unwrap();
            lchown(folder.path().join("link"), Some(65_534), None).unwrap();
            assert!(!replace(folder.path()));
            assert_eq!(fs::read(&file).unwrap(), b"old");
        }
    }
}
