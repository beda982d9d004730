//! What is left of a server when those who started it are gone: nothing.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use family_api_testing::{Server, postgres_tests};

/// Set in the process that is killed: the test, run once more by itself.
const VICTIM: &str = "FAMILY_API_TESTING_VICTIM";

postgres_tests! {
    async fn a_dropped_server_is_stopped_and_its_folder_removed() {
        let server = Server::start();
        let (folder, port) = (server.folder().to_owned(), server.port());
        assert!(folder.join("data").is_dir());
        drop(server);
        assert!(!folder.exists());
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    }

    async fn of_tests_that_are_killed_no_server_and_no_folder_is_left() {
        if env::var_os(VICTIM).is_some() {
            be_killed();
        }
        let name = "leftovers::of_tests_that_are_killed_no_server_and_no_folder_is_left";
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", name, "--nocapture"]).env(VICTIM, "").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut victim = command.spawn().unwrap();
        let lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let place = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("at ").map(str::to_owned)).unwrap();
        let (port, folder) = place.split_once(' ').unwrap();
        let address = format!("127.0.0.1:{port}");
        assert!(TcpStream::connect(&address).is_ok() && Path::new(folder).join("data").is_dir());
        victim.kill().unwrap();
        victim.wait().unwrap();
        wait_until_gone(Path::new(folder));
        assert!(TcpStream::connect(&address).is_err());
    }
}

#[expect(clippy::print_stdout, reason = "this is how the parent learns where the server is")]
fn be_killed() -> ! {
    let server = Server::shared();
    println!("\nat {} {}", server.port(), server.folder().display());
    // The parent never writes; if it ends first, so does this.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    panic!("it was not killed");
}

/// Nobody is left who could say when the guard has done its work.
fn wait_until_gone(folder: &Path) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while folder.exists() {
        assert!(Instant::now() < deadline, "{} is still there", folder.display());
        thread::sleep(Duration::from_millis(10));
    }
}
