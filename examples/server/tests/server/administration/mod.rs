//! The commands of the administration.

mod check;
mod concurrency;
mod credentials;
mod damage;
mod databases;
mod families;
mod kills;
mod moves;
mod passwords;
pub(crate) mod removal;
mod users;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Runs a command that must succeed, and returns its output.
fn output(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.run(arguments, "");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command with `--json`, and returns the lines of its output.
pub(crate) fn json(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let text = output(sandbox, &[arguments, &["--json"]].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs a command that must fail, and returns its message.
fn error(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.run(arguments, "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{stderr}");
    stderr.strip_prefix("family-api-server: ").unwrap().trim_end().to_owned()
}

/// Returns a field of each line.
fn field(lines: &[Value], name: &str) -> Vec<Value> {
    lines.iter().map(|line| line[name].clone()).collect()
}
