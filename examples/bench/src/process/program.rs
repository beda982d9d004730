//! What is run, and where.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::Result;
use crate::machine::Cores;

/// What a program sees of the environment: how much is logged belongs to what is measured, and is told in the report.
pub(crate) const LOG: &str = "FAMILY_API_LOG";

/// A program and the processors for it.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) cores: Cores,
}

impl Program {
    /// This program, which has the baselines in it.
    pub(crate) fn own(cores: Cores) -> Result<Self> {
        Ok(Self { path: env::current_exe()?, cores })
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        // Settings of whoever measures must not leak in.
        command.env_clear().args(arguments);
        command.envs(env::var_os(LOG).map(|filter| (LOG, filter)));
        command
    }
}
