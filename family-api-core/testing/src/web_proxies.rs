//! Finds nginx and Caddy. Used by the build script and by the tests behind a proxy.

use std::env;
use std::path::PathBuf;

/// Names the missing programs, at the start of an error message.
pub const NO_PROXIES: &str = "no nginx or no Caddy (nginx and caddy in PATH or /usr/sbin)";

/// Debian installs nginx here. The folder is not in the `PATH` of every user.
const SYSTEM_PROGRAMS: &str = "/usr/sbin";

/// Returns the path of nginx.
#[must_use]
pub fn nginx() -> Option<PathBuf> {
    find("nginx")
}

/// Returns the path of Caddy.
#[must_use]
pub fn caddy() -> Option<PathBuf> {
    find("caddy")
}

fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from(SYSTEM_PROGRAMS)]);
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}
