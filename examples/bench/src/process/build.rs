//! Builds the server with the profile `dist`.

use std::env;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::failure::Result;

const PACKAGE: &str = "family-api-server";

/// Returns the program of `--server-bin`. Without this option, builds the server with Cargo.
pub(crate) fn server_program(server_bin: Option<PathBuf>) -> Result<PathBuf> {
    let Some(path) = server_bin else { return build() };
    let with_path = |error: &dyn Display| format!("--server-bin {}: {error}", path.display());
    let program = path.canonicalize().map_err(|error| with_path(&error))?;
    if program.is_file() { Ok(program) } else { Err(with_path(&"not a file").into()) }
}

fn build() -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // Cargo sets `CARGO_PKG_*` for this program. If the build inherited them, Cargo would rebuild the server.
    for (name, _) in env::vars_os().filter(|(name, _)| is_of_this_package(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command.args(["build", "--profile", "dist", "--package", PACKAGE, "--message-format=json-render-diagnostics"]);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the server cannot be built".into());
    }
    let messages = String::from_utf8(output.stdout)?;
    let program = messages.lines().find_map(executable).ok_or("Cargo printed no path of the server binary")?;
    Ok(program.into())
}

fn is_of_this_package(variable: &str) -> bool {
    variable.starts_with("CARGO_MANIFEST_") || variable.starts_with("CARGO_PKG_")
}

/// Returns the path of the server binary from a message of Cargo.
fn executable(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_server = message["target"]["name"] == PACKAGE;
    message["executable"].as_str().filter(|_| is_server).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_server_is_read_from_cargo_messages() {
        let built = r#"{"reason":"compiler-artifact","target":{"name":"family-api-server"},"executable":"/s"}"#;
        assert_eq!(executable(built).as_deref(), Some("/s"));
        assert_eq!(executable(&built.replace(PACKAGE, "other")), None);
        assert_eq!(executable(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
