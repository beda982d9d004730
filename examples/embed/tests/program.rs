//! Starts and stops the real program.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

fn start(temporary: &Path, address: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_family-api-embed"));
    let command = command.env_clear().env("TMPDIR", temporary).arg(address);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the folders that the program has created in its temporary directory.
fn folders(temporary: &TempDir) -> Vec<fs::DirEntry> {
    fs::read_dir(temporary.path()).unwrap().map(Result::unwrap).collect()
}

#[test]
fn database_is_private_and_deleted_after_a_signal() {
    for signal in ["TERM", "INT"] {
        let temporary = tempfile::tempdir().unwrap();
        let mut child = start(temporary.path(), "127.0.0.1:0");
        let mut guide = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        guide.read_line(&mut first).unwrap();
        assert!(first.starts_with("Paste these commands."), "{first}");
        let [folder] = &folders(&temporary)[..] else { panic!("one folder") };
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert!(child.wait().unwrap().success());
        let mut rest = String::new();
        guide.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("http://127.0.0.1:") && !rest.contains("127.0.0.1:0/"), "{rest}");
        assert!(folders(&temporary).is_empty());
    }
}

#[test]
fn port_in_use_is_reported_on_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let temporary = tempfile::tempdir().unwrap();
    let output = start(temporary.path(), &address).wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.starts_with(&format!("cannot serve at {address}: Address already in use")), "{error}");
    assert!(folders(&temporary).is_empty());
}
