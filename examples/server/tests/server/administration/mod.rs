//! The commands of the administration.

mod check;
mod concurrency;
mod credentials;
mod damage;
mod databases;
mod families;
mod kills;
mod moves;
pub(crate) mod removal;
mod users;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Runs a command that must succeed, and returns its output.
fn output(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.succeed(arguments, "")
}

/// Runs a command with `--json`, and returns the lines of its output.
pub(crate) fn json(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let text = output(sandbox, &[arguments, &["--json"]].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs a command that must fail, and returns its message.
fn error(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.fail(arguments, "")
}

/// Returns a field of each line.
fn field(lines: &[Value], name: &str) -> Vec<Value> {
    lines.iter().map(|line| line[name].clone()).collect()
}
