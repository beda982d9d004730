//! A machine on which the page's commands run: its folders are in a sandbox.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::deploy::BINARY;
use crate::sandbox::{Sandbox, Server};

/// The command of the page that administers the service.
const ADMIN: &str = include_str!("../../../deploy/family-admin");

/// How this command runs the server as the user of the service, who does not exist in the test.
const AS_SERVICE: &str = "runuser -u family-api -- ";

/// The machine of the page, with the database of a sandbox.
pub(super) struct Machine<'a> {
    sandbox: &'a Sandbox,
}

impl<'a> Machine<'a> {
    pub(super) fn new(sandbox: &'a Sandbox) -> Self {
        let machine = Self { sandbox };
        let binary = sandbox.command(&[]).get_program().to_str().unwrap().to_owned();
        assert!(ADMIN.contains(&format!("{AS_SERVICE}{BINARY} ")));
        let admin = machine.in_sandbox(ADMIN).replace(AS_SERVICE, "").replace(BINARY, &binary);
        fs::write(machine.path("family-admin"), admin).unwrap();
        machine
    }

    fn path(&self, name: &str) -> String {
        self.sandbox.path(name).into_os_string().into_string().unwrap()
    }

    /// Replaces the folders of the page by those in the sandbox.
    fn in_sandbox(&self, text: &str) -> String {
        text.replace("/etc/family-api", &self.path("settings")).replace("/var/lib/family-api", &self.path(""))
    }

    /// Runs a command of the page in a shell. It must succeed.
    pub(super) fn run(&self, command: &str, input: &str) {
        let admin = format!("sh {} ", self.path("family-admin"));
        let mut shell = Command::new("sh");
        shell.args(["-euc", &self.in_sandbox(command).replace("family-admin ", &admin)]);
        shell.env_clear().env("PATH", "/usr/bin:/bin");
        shell.envs(self.sandbox.database().map(|database| ("DATABASE_URL", database.url())));
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Only one of the commands reads its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
    }

    /// Starts the server as the unit does, with the variables of its settings.
    pub(super) fn serve(&self) -> Server {
        let settings = fs::read_to_string(self.path("settings/environment")).unwrap();
        let variables: Vec<(&str, &str)> = settings.lines().map(|line| line.split_once('=').unwrap()).collect();
        self.sandbox.serve_with(&[], &variables)
    }
}
