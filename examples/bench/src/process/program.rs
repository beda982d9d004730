//! Programs and the CPUs on which they run.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::Result;
use crate::machine::Cores;

/// The only environment variable that a program inherits: the log level. The report shows the log level, because
/// logging affects the speed of the server.
pub(crate) const LOG: &str = "FAMILY_API_LOG";

/// A program and its CPUs.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) cores: Cores,
}

impl Program {
    /// Returns this program, which contains the baselines.
    pub(crate) fn own(cores: Cores) -> Result<Self> {
        Ok(Self { path: env::current_exe()?, cores })
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        // Other variables of the user must not affect the measurement.
        command.env_clear().args(arguments);
        command.envs(env::var_os(LOG).map(|filter| (LOG, filter)));
        command
    }
}
