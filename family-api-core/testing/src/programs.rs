//! Finds the programs of a PostgreSQL server. Used by the build script and when a server starts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Names the missing programs, at the start of an error message.
pub(crate) const NO_PROGRAMS: &str = "no PostgreSQL server programs (initdb, pg_ctl, postgres; 15 or newer)";

/// The minimum major version. Older versions do not support ICU as the default collation of a database.
const MIN_MAJOR_VERSION: u32 = 15;

/// Parent folders, and the prefix of the installation folders in them.
const INSTALLATIONS: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/opt/homebrew/opt", "postgresql"),
    ("/usr/local/opt", "postgresql"),
];

/// Returns the folder of the programs. If `initdb` is in `PATH`, returns its folder. Otherwise returns the folder of
/// the newest installed server.
pub(crate) fn find() -> Option<PathBuf> {
    if cfg!(not(unix)) {
        return None;
    }
    folders_in_path().into_iter().find(|folder| version(folder).is_some()).or_else(newest_installed)
}

/// Returns the folders that contain the `initdb` programs of `PATH`.
fn folders_in_path() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).filter_map(|folder| folder.join("initdb").canonicalize().ok());
    // `initdb` can be a symbolic link. The folder of its target also contains the other programs.
    found.filter_map(|initdb| initdb.parent().map(Path::to_path_buf)).collect()
}

fn newest_installed() -> Option<PathBuf> {
    let found = INSTALLATIONS.iter().flat_map(|(parent, prefix)| installations(parent, prefix));
    let usable = found.filter_map(|folder| Some((version(&folder)?, folder)));
    usable.max().map(|(_, folder)| folder)
}

fn installations(parent: &str, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    named.map(|entry| entry.path().join("bin")).collect()
}

/// Returns the major version of the server in a folder. Returns `None` if a program is missing or the version is too
/// old.
fn version(folder: &Path) -> Option<u32> {
    if !folder.join("initdb").is_file() || !folder.join("pg_ctl").is_file() {
        return None;
    }
    let output = Command::new(folder.join("postgres")).arg("--version").output().ok()?;
    // Example: "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)". The third word can also be "17beta1".
    let text = String::from_utf8_lossy(&output.stdout);
    let number = text.split_whitespace().nth(2)?;
    let digits = number.split(|char: char| !char.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|major| *major >= MIN_MAJOR_VERSION)
}
