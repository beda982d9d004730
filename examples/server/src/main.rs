//! The standalone server of family-api: the API, sign-in, import and a demo, on SQLite or PostgreSQL.

mod access_log;
mod app;
mod audit;
mod cli;
mod connection;
mod cookie;
mod database;
mod demo;
mod error;
mod handlers;
mod health;
mod import;
mod limits;
mod listening_socket;
mod log;
mod metrics;
mod oauth;
mod open_files;
mod openapi;
mod other_host;
mod output;
mod password;
mod request_scope;
mod return_path;
mod serve;
mod session;
mod set_password;
mod shutdown;
mod sign_in;
mod sign_in_audit;
mod sign_in_limits;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

use crate::cli::{Cli, Command, UserCommand};
use crate::error::CommandError;

/// On Linux with glibc, mimalloc also replaces C's `malloc`, which SQLite uses. glibc's `malloc` returns the memory
/// of each large document to the operating system and requests it again for the next document.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match run(Cli::parse().command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&error);
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> Result<(), CommandError> {
    match command {
        Command::Serve(options) => serve::run(options).await,
        Command::Demo(options) => demo::run(options).await,
        Command::Import(options) => import::run(options).await,
        Command::User(UserCommand::SetPassword(options)) => set_password::run(options).await,
        Command::Health(options) => health::run(options).await,
    }
}
