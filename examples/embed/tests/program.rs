//! Starts and stops the real program.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
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
fn program_serves_on_an_address_that_is_not_loopback() {
    let temporary = tempfile::tempdir().unwrap();
    let mut child = start(temporary.path(), "0.0.0.0:0");
    let mut guide = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let url = guide.find_map(|line| Some(line.split_once("http://")?.1.split_once('/')?.0.to_owned())).unwrap();
    let port = url.split_once(':').unwrap().1;
    let mut socket = std::net::TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let request = "GET /family/openapi.json HTTP/1.1\r\nhost: 192.0.2.1\r\nconnection: close\r\n\r\n";
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    child.kill().unwrap();
    child.wait().unwrap();
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
