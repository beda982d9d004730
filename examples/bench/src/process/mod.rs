//! Child processes: the server and the baselines.

mod build;
mod measured;
mod program;
mod server;

pub(crate) use build::server_program;
pub(crate) use measured::{Import, import, run_measured};
pub(crate) use program::{LOG, Program};
pub(crate) use server::{LISTENING, Server};
