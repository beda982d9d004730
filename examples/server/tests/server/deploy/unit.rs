//! The unit for systemd.

use std::io::{BufRead, BufReader};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::deploy::{BINARY, UNIT, assert_command_exists};
use crate::sandbox::Sandbox;

/// Timeout, so that a missing message fails the test instead of blocking it.
const TIMEOUT: Duration = Duration::from_secs(30);

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

#[test]
fn the_server_tells_the_service_manager_that_it_is_ready() {
    assert_eq!(setting("Type"), "notify");
    let sandbox = Sandbox::on_sqlite();
    let path = sandbox.path("notify").to_str().unwrap().to_owned();
    let addresses = [
        (path.clone(), SocketAddr::from_pathname(&path).unwrap()),
        (format!("@{path}"), SocketAddr::from_abstract_name(&path).unwrap()),
    ];
    for (variable, address) in addresses {
        let manager = UnixDatagram::bind_addr(&address).unwrap();
        manager.set_read_timeout(Some(TIMEOUT)).unwrap();
        let server = sandbox.serve_with(&[], &[("NOTIFY_SOCKET", &variable)]);
        let mut state = [0; 64];
        let length = manager.recv(&mut state).unwrap();
        assert_eq!(&state[..length], b"READY=1");
        assert!(server.stop().success());
        // A manager that is gone does not stop the server.
        drop(manager);
        let server = sandbox.serve_with(&[], &[("NOTIFY_SOCKET", &variable)]);
        assert!(server.stop().success());
        assert!(sandbox.log().contains("cannot tell the service manager"), "{}", sandbox.log());
    }
}

#[test]
fn the_backup_has_the_settings_of_the_server() {
    const BACKUP: &str = include_str!("../../../deploy/family-api-backup.service");

    for name in ["EnvironmentFile", "User", "WorkingDirectory", "UMask"] {
        let line = format!("{name}={}", setting(name));
        assert!(BACKUP.lines().any(|other| other == line), "{line}");
    }
}

/// `ProtectSystem=strict`, `PrivateTmp` and `StateDirectory` let the server write only to its folder.
#[test]
fn the_server_needs_no_folder_but_its_own() {
    let sandbox = Sandbox::on_sqlite();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    // A missing folder for temporary files and a missing home are like folders that cannot be written.
    command.envs([("TMPDIR", "/nonexistent"), ("HOME", "/nonexistent")]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = command.spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("listening on ")));
    let stop = Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap();
    assert!(stop.success() && server.wait().unwrap().success());
}
