//! A server leaves no process and no folder behind when the tests end.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use family_api_testing::{Server, postgres_tests};

/// The environment variable that marks a child process. The test runs itself again as this child and kills it.
const CHILD_VARIABLE: &str = "FAMILY_API_TESTING_VICTIM";

postgres_tests! {
    async fn killed_tests_leave_no_server_and_no_folder() {
        if env::var_os(CHILD_VARIABLE).is_some() {
            wait_to_be_killed();
        }
        let name = "cleanup::killed_tests_leave_no_server_and_no_folder";
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", name, "--nocapture"]).env(CHILD_VARIABLE, "");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let server = lines.find_map(|line| line.strip_prefix("at ").map(str::to_owned)).unwrap();
        let (port, folder) = server.split_once(' ').unwrap();
        let address = format!("127.0.0.1:{port}");
        assert!(TcpStream::connect(&address).is_ok() && Path::new(folder).join("data").is_dir());
        child.kill().unwrap();
        child.wait().unwrap();
        wait_until_removed(Path::new(folder));
        assert!(TcpStream::connect(&address).is_err());
    }
}

#[expect(clippy::print_stdout, reason = "the parent reads the port and folder of the server")]
fn wait_to_be_killed() -> ! {
    let server = Server::shared();
    println!("\nat {} {}", server.port(), server.folder().display());
    // The parent never writes. If it ends first, the pipe closes and this process ends too.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    panic!("the process was not killed");
}

/// Polls until the guard has removed the folder. The guard cannot report this, because its pipe to the test is closed.
fn wait_until_removed(folder: &Path) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while folder.exists() {
        assert!(Instant::now() < deadline, "{} still exists", folder.display());
        thread::sleep(Duration::from_millis(10));
    }
}
