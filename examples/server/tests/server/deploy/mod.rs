//! `DEPLOY.md` and the files in `deploy`, compared with the binary and with each other.
//!
//! These tests build no image and start no unit. `.ci/image` builds the image if a container engine runs, and
//! otherwise runs the server as the image does. `.ci/units` checks the units with systemd's own program.

mod container;
mod machine;
mod page;
mod unit;

use crate::sandbox::Sandbox;

/// The page that explains the installation.
const PAGE: &str = include_str!("../../../DEPLOY.md");
const UNIT: &str = include_str!("../../../deploy/family-api.service");

/// The path of the binary in the unit, in the image and on the page.
const BINARY: &str = "/usr/local/bin/family-api-server";

/// Asserts that the binary has the command and the options of these words.
fn assert_command_exists(words: &[&str]) {
    let output = Sandbox::on_sqlite().run(&[words, &["--help"]].concat(), "");
    assert!(output.status.success(), "{words:?}: {output:?}");
}

/// Asserts that `serve` reads this variable.
fn assert_variable_exists(variable: &str) {
    let help = Sandbox::on_sqlite().run(&["serve", "--help"], "");
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains(&format!("[env: {variable}")), "{variable}: {help}");
}
