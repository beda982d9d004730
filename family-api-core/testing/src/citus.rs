//! The Citus cluster of the tests. Used by the build script and by the tests.

use std::env;

/// The variable with the URL of a database on the coordinator of a cluster. The extension is installed in the database,
/// and the role may create schemas.
pub const URL: &str = "FAMILY_API_TEST_CITUS";

/// Returns the URL of the database, if the variable [`URL`] is set.
#[must_use]
pub fn url() -> Option<String> {
    env::var(URL).ok()
}
