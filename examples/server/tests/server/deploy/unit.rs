//! The unit for systemd.

use std::process::{Command, Stdio};

use crate::deploy::{BINARY, UNIT, assert_command_exists};
use crate::sandbox::Sandbox;

/// Returns the value of a setting that the unit has once.
fn setting(name: &str) -> &'static str {
    let values = UNIT.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    let values: Vec<&str> = values.collect();
    assert_eq!(values.len(), 1, "{name}: {values:?}");
    values[0]
}

#[test]
fn the_unit_starts_a_command_of_the_binary() {
    let words: Vec<&str> = setting("ExecStart").split_whitespace().collect();
    assert_eq!(words[0], BINARY);
    assert_command_exists(&words[1..]);
}

/// `ProtectSystem=strict`, `PrivateTmp` and `StateDirectory` let the server write only to its folder.
#[test]
fn the_server_needs_no_folder_but_its_own() {
    let sandbox = Sandbox::on_sqlite();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    // A missing folder for temporary files and a missing home are like folders that cannot be written.
    command.envs([("TMPDIR", "/nonexistent"), ("HOME", "/nonexistent")]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = command.spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.as_mut().unwrap()), &mut line).unwrap();
    let stop = Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap();
    assert!(line.starts_with("listening on ") && stop.success() && server.wait().unwrap().success(), "{line}");
}
