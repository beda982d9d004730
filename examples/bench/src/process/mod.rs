//! Child processes: the server and the baselines.

mod build;
mod import;
mod program;
mod server;

pub(crate) use build::server_program;
pub(crate) use import::{Import, import, run_measured};
pub(crate) use program::{LOG, Program};
pub(crate) use server::{LISTENING, Server};
