//! Finds `promtool`. Used by the build script and by the tests of metrics and alerts.

use std::env;
use std::path::PathBuf;

/// Names the missing program, at the start of an error message.
pub const NO_PROMTOOL: &str = "no promtool";

/// Returns the path of `promtool`.
#[must_use]
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join("promtool")).find(|file| file.is_file())
}
