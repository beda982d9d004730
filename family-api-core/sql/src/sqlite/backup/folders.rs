//! The folders in which root works.
//!
//! SQLite opens a file by its path, and applies a journal that it finds beside it. If root works in a folder that another
//! user can change, this user can exchange the file for a link, or add a journal that names any file for deletion. So
//! root is refused there.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::sqlite::BackupError;

/// As many links as Linux follows in a path.
const MAX_LINKS: usize = 40;

const ROOT: u32 = 0;
const STICKY: u32 = 0o1000;
const GROUP_CAN_WRITE: u32 = 0o020;
const OTHERS_CAN_WRITE: u32 = 0o002;

/// Refuses a path for root if another user can change a folder or a link on the way to its file.
pub(super) fn check_folders(file: &Path) -> Result<(), BackupError> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    match changeable_folder(file).map_err(|source| BackupError::read(file, source))? {
        Some(folder) => Err(BackupError::ChangeableFolder { folder }),
        None => Ok(()),
    }
}

/// Returns the first folder on the way to a file that another user than root can change. Each folder is checked before
/// a name in it is looked up. The file need not exist.
fn changeable_folder(file: &Path) -> io::Result<Option<PathBuf>> {
    let mut names = names(&std::path::absolute(file)?);
    let mut folder = PathBuf::from("/");
    let mut links = 0;
    while let Some(name) = names.pop_front() {
        if name == ".." {
            folder.pop();
            continue;
        }
        let path = folder.join(name);
        let found = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            found => found.ok(),
        };
        let is_folder = found.as_ref().is_some_and(Metadata::is_dir);
        if is_changeable(&fs::symlink_metadata(&folder)?, is_folder) {
            return Ok(Some(folder));
        } else if is_folder {
            folder = path;
        } else if found.is_some_and(|found| found.is_symlink()) {
            links += 1;
            if links > MAX_LINKS {
                return Err(io::Error::other("too many symbolic links"));
            }
            let target = fs::read_link(&path)?;
            if target.is_absolute() {
                folder = PathBuf::from("/");
            }
            self::names(&target).into_iter().rev().for_each(|name| names.push_front(name));
        }
    }
    Ok(None)
}

/// Returns whether another user than root can exchange an entry of a folder. In a sticky folder such as `/tmp`, no
/// other user can exchange a folder of root. But each can add a journal there, which SQLite applies to a file.
fn is_changeable(folder: &Metadata, entry_is_folder: bool) -> bool {
    let mode = folder.mode();
    let is_group_of_others = mode & GROUP_CAN_WRITE != 0 && folder.gid() != ROOT;
    let others_can_write = is_group_of_others || mode & OTHERS_CAN_WRITE != 0;
    folder.uid() != ROOT || others_can_write && !(entry_is_folder && mode & STICKY != 0)
}

/// Returns the names in a path, with `..`.
fn names(path: &Path) -> VecDeque<OsString> {
    let names = path.components().filter(|step| matches!(step, Component::Normal(_) | Component::ParentDir));
    names.map(|step| step.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use super::*;

    /// Any user but root.
    const OTHER: u32 = 65_534;

    /// Creates a folder that does not belong to root. Tests that do not run as root own all their folders.
    fn other_folder(parent: &Path) -> PathBuf {
        let folder = parent.join("other");
        fs::create_dir(&folder).unwrap();
        if rustix::process::geteuid().is_root() {
            chown(&folder, Some(OTHER), Some(OTHER)).unwrap();
        }
        folder
    }

    #[track_caller]
    fn assert_changeable(file: &Path, folder: Option<&Path>) {
        assert_eq!(changeable_folder(file).unwrap().as_deref(), folder, "{}", file.display());
    }

    #[test]
    fn the_folder_of_another_user_is_found_also_behind_links() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        let other = other_folder(&root);
        let is_root = rustix::process::geteuid().is_root();
        let first = if is_root { other.clone() } else { changeable_folder(&other).unwrap().unwrap() };
        let first = first.as_path();
        assert_changeable(&other.join("family.db"), Some(first));
        assert_changeable(&other.join("missing/family.db"), Some(first));
        // A link of another user leads to a file of root.
        symlink("/etc/passwd", other.join("link.db")).unwrap();
        symlink("/etc", other.join("folder")).unwrap();
        assert_changeable(&other.join("link.db"), Some(first));
        assert_changeable(&other.join("folder/passwd"), Some(first));
        symlink("other", root.join("way")).unwrap();
        assert_changeable(&root.join("way/../way/family.db"), Some(first));
    }

    #[test]
    fn the_folders_of_the_system_belong_to_root() {
        for file in ["/etc/passwd", "/bin/sh", "/usr/../etc/missing.db", "/missing/family.db", "/"] {
            assert_changeable(Path::new(file), None);
        }
    }

    #[test]
    fn too_many_links_are_an_error() {
        let temporary = tempfile::tempdir().unwrap();
        let link = temporary.path().join("link");
        symlink("link", &link).unwrap();
        // Without root, the folder is found before the link is followed.
        assert_eq!(changeable_folder(&link).is_err(), rustix::process::geteuid().is_root());
    }

    #[test]
    fn a_sticky_folder_protects_folders_and_no_files() {
        let temporary = tempfile::tempdir().unwrap();
        let mode = |mode| {
            fs::set_permissions(temporary.path(), Permissions::from_mode(mode)).unwrap();
            fs::metadata(temporary.path()).unwrap()
        };
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(is_changeable(&mode(0o755), false), !is_root);
        assert_eq!(is_changeable(&mode(0o1777), true), !is_root);
        assert!(is_changeable(&mode(0o1777), false));
        assert!(is_changeable(&mode(0o757), true));
    }
}
