//! Finds Chromium and axe-core. Used by the build script and by the tests in a browser.

use std::env;
use std::path::PathBuf;

/// Names the missing program, at the start of an error message.
pub const NO_CHROMIUM: &str = "no Chromium (chromium, chromium-browser or google-chrome in PATH)";

/// States that axe-core is missing.
pub const NO_AXE: &str = "FAMILY_API_TEST_AXE does not name the file axe.min.js of the npm package axe-core";

/// The variable with the path of axe-core.
pub(crate) const AXE: &str = "FAMILY_API_TEST_AXE";

const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Returns the path of Chromium: the first of its programs that is in `PATH`.
#[must_use]
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let in_path =
        |program: &str| env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
    PROGRAMS.into_iter().find_map(in_path)
}

/// Returns the path of axe-core, which checks the accessibility of a page.
#[must_use]
pub fn axe() -> Option<PathBuf> {
    env::var_os(AXE).map(PathBuf::from).filter(|file| file.is_file())
}
