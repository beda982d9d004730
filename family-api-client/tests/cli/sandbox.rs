//! Runs the command with its own home directory and service.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use family_api_core::key::KeyMode;
use serde_json::Value;
use tempfile::TempDir;

use crate::records::{EMAIL, records};
use crate::service::Service;
use crate::sign_in::PASSWORD;

pub(crate) struct Sandbox {
    pub(crate) service: Service,
    home: TempDir,
}

/// The exit code and the output of a run of the command.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self::with_records(&records())
    }

    /// Creates a sandbox whose service has only these records.
    pub(crate) fn with_records(records: &[Value]) -> Self {
        Self { service: Service::start(records), home: tempfile::tempdir().unwrap() }
    }

    /// Creates the command without a key.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_family"));
        // The environment of the test run must not affect the command.
        command.env_clear().args(arguments).stdin(Stdio::null()).current_dir(self.home.path());
        command.env("HOME", self.home.path()).env("FAMILY_API_URL", &self.service.url).env("TZ", "America/Lima");
        command
    }

    /// Runs the command with a key of this mode.
    pub(crate) fn run_with(&self, mode: KeyMode, arguments: &[&str]) -> Run {
        run(self.command(arguments).env("FAMILY_API_TOKEN", self.service.key(mode)))
    }

    /// Runs the command with a key of the mode with the most rights.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(KeyMode::V1Full, arguments)
    }

    /// Runs the command with `--email`, so that it signs in.
    pub(crate) fn run_signed_in(&self, arguments: &[&str]) -> Run {
        self.run_with_password(&format!("{PASSWORD}\n"), &[arguments, &["--email", EMAIL]].concat())
    }

    pub(crate) fn run_with_password(&self, input: &str, arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The write fails if the command exits before it has read all input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run::of(child.wait_with_output().unwrap())
    }

    /// Returns the path of a file below the home directory.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    /// Opens a file below the home directory.
    pub(crate) fn open(&self, path: &str) -> fs::File {
        fs::File::open(self.path(path)).unwrap()
    }

    /// Writes a file with this mode below the home directory.
    pub(crate) fn file(&self, path: &str, text: &str, mode: u32) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }
}

pub(crate) fn run(command: &mut Command) -> Run {
    Run::of(command.output().unwrap())
}

/// Runs the command with this standard output.
pub(crate) fn run_into(out: impl Into<Stdio>, command: &mut Command) -> Run {
    let child = command.stdout(out).stderr(Stdio::piped()).spawn().unwrap();
    Run::of(child.wait_with_output().unwrap())
}

/// Returns the id of a record.
pub(crate) fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Returns standard output. Panics unless the run succeeded with an empty standard error.
    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{self:?}");
        self.out
    }

    /// Returns standard output as one JSON document.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.succeeded()).unwrap()
    }

    /// Returns the exit code and standard error. Panics if there is any standard output.
    #[track_caller]
    pub(crate) fn failed(self) -> (i32, String) {
        assert_eq!(self.out, "", "{self:?}");
        assert!(!self.err.contains("canary") && !self.err.contains("fam_"), "{self:?}");
        assert!(self.err.lines().all(|line| line.starts_with("family: ")), "{self:?}");
        (self.code, self.err)
    }

    /// Returns standard error. Panics unless the run failed with this exit code and a message with these parts.
    #[track_caller]
    pub(crate) fn failed_with(self, code: i32, parts: &[&str]) -> String {
        let (actual, message) = self.failed();
        assert!(actual == code && parts.iter().all(|part| message.contains(part)), "{actual}: {message}");
        message
    }
}
