//! Commands that ask, in a pseudo-terminal.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::client::sign_in;
use crate::family::{self, PASSWORD};
use crate::sandbox::Sandbox;

/// Timeout, so that an unexpected prompt fails the test instead of blocking it.
const TIMEOUT: Duration = Duration::from_secs(30);

const EMAIL: &str = "ana@family.example";

const SET_PASSWORD: [&str; 3] = ["user", "set-password", EMAIL];

/// A command and the controlling end of its terminal.
struct Terminal {
    command: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    shown: String,
}

impl Terminal {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let terminal = OpenOptions::new().read(true).write(true).open(OsStr::from_bytes(name.as_bytes())).unwrap();
        let inner = sandbox.command(arguments);
        let mut command = Command::new("setsid");
        command.args(["--ctty", "--wait"]).arg(inner.get_program()).args(inner.get_args());
        command.env_clear().current_dir(inner.get_current_dir().unwrap());
        let ends = [(); 3].map(|()| terminal.try_clone().unwrap());
        let [stdin, stdout, stderr] = ends;
        let command = command.stdin(stdin).stdout(stdout).stderr(stderr).spawn().unwrap();
        let keyboard = File::from(keyboard);
        Self { command, screen: read_screen(keyboard.try_clone().unwrap()), keyboard, shown: String::new() }
    }

    /// Waits for a prompt.
    fn wait_for(&mut self, prompt: &str) {
        while !self.shown.ends_with(prompt) {
            let more = self.screen.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no {prompt:?}: {}", self.shown));
            self.shown.push_str(&String::from_utf8(more).unwrap());
        }
    }

    /// Types a text, and presses Enter.
    fn type_line(&mut self, text: &str) {
        self.keyboard.write_all(format!("{text}\r").as_bytes()).unwrap();
    }

    /// Waits for a prompt, and types a password.
    fn type_password(&mut self, prompt: &str, password: &str) {
        self.wait_for(prompt);
        // The terminal shows text that is typed before the command has switched off the echo.
        while tcgetattr(&self.keyboard).unwrap().local_modes.contains(LocalModes::ECHO) {
            thread::yield_now();
        }
        self.type_line(password);
    }

    /// Returns the exit status and the whole output.
    fn end(mut self) -> (ExitStatus, String) {
        let status = self.command.wait().unwrap();
        while let Ok(more) = self.screen.recv_timeout(TIMEOUT) {
            self.shown.push_str(&String::from_utf8(more).unwrap());
        }
        (status, self.shown)
    }
}

/// Reads the output of a terminal until it is closed.
fn read_screen(mut screen: File) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(length) = screen.read(&mut buffer) {
            if length == 0 || sender.send(buffer[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

#[tokio::test]
async fn in_a_terminal_the_password_is_prompted_twice_and_not_shown() {
    let (sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for (second, is_set) in [("n\u{e4}chste canary", true), ("another canary", false)] {
        let first = if is_set { second } else { "one canary" };
        let mut terminal = Terminal::start(&sandbox, &SET_PASSWORD);
        terminal.type_password("New password: ", first);
        terminal.type_password("Repeat the password: ", second);
        let (status, shown) = terminal.end();
        assert_eq!(status.success(), is_set, "{shown}");
        assert!(!shown.contains("canary"), "{shown}");
        assert_eq!(shown.contains("the passwords do not match"), !is_set, "{shown}");
        assert_eq!(sign_in(&server, EMAIL, second).await.status, if is_set { 200 } else { 401 });
    }
    assert_eq!(sign_in(&server, EMAIL, PASSWORD).await.status, 401);
}

#[test]
fn a_user_who_is_removed_during_the_prompt_gets_no_password() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let mut terminal = Terminal::start(&sandbox, &SET_PASSWORD);
    terminal.wait_for("New password: ");
    assert!(sandbox.run(&["user", "remove", EMAIL, "--yes"], "").status.success());
    // The e-mail address now belongs to another user.
    let add = ["user", "add", EMAIL, "--id", "other", "--name", "Other", "--no-family", "--time-zone", "UTC"];
    assert!(sandbox.run(&add, "").status.success());
    terminal.type_password("New password: ", PASSWORD);
    terminal.type_password("Repeat the password: ", PASSWORD);
    let (status, shown) = terminal.end();
    assert_eq!(status.code(), Some(1), "{shown}");
    assert!(shown.contains(&format!("the user {EMAIL} was removed while the command waited")), "{shown}");
    let users = String::from_utf8(sandbox.run(&["user", "list", "--json"], "").stdout).unwrap();
    let other = users.lines().find(|line| line.contains(EMAIL)).unwrap();
    assert!(other.contains(r#""hasPassword":false"#), "{other}");
}

#[test]
fn in_a_terminal_an_empty_password_is_refused() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let mut terminal = Terminal::start(&sandbox, &SET_PASSWORD);
    terminal.type_password("New password: ", "");
    terminal.type_password("Repeat the password: ", "");
    let (status, shown) = terminal.end();
    assert_eq!(status.code(), Some(1));
    assert!(shown.ends_with("the password is empty\r\n"), "{shown}");
}

#[test]
fn in_a_terminal_a_removal_asks_and_only_yes_removes() {
    let sandbox = Sandbox::on_sqlite().import_families();
    for (answer, is_removed) in [("n", false), ("", false), ("Yes", true)] {
        let mut terminal = Terminal::start(&sandbox, &["family", "remove", "rivera"]);
        terminal.wait_for("Continue? [y/N] ");
        assert!(terminal.shown.contains("task: 1") && terminal.shown.contains("Its users (2) stay"));
        terminal.type_line(answer);
        let (status, shown) = terminal.end();
        assert_eq!(status.success(), is_removed, "{shown}");
        assert_eq!(shown.contains("nothing was changed"), !is_removed, "{shown}");
        let families = sandbox.run(&["family", "list"], "").stdout;
        assert_eq!(String::from_utf8(families).unwrap().contains("rivera"), !is_removed);
    }
}

#[test]
fn in_a_terminal_an_update_asks_before_it_deletes() {
    let sandbox = Sandbox::on_sqlite().import_families();
    fs::write(sandbox.path("rivera.jsonl"), format!("{}\n", family::family("rivera"))).unwrap();
    for (answer, is_updated) in [("", false), ("y", true)] {
        let mut terminal = Terminal::start(&sandbox, &["import", "rivera.jsonl", "--update", "--delete-missing"]);
        terminal.wait_for("Continue? [y/N] ");
        assert!(terminal.shown.contains("user: 2, ") && terminal.shown.contains("task: 1"), "{}", terminal.shown);
        terminal.type_line(answer);
        let (status, shown) = terminal.end();
        assert_eq!(status.success(), is_updated, "{shown}");
        let users = String::from_utf8(sandbox.run(&["user", "list"], "").stdout).unwrap();
        assert_eq!(users.contains("ana@"), !is_updated, "{users}");
    }
}
