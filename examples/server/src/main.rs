//! The standalone server of family-api: the API, sign-in, import and a demo, on SQLite or PostgreSQL.

mod access_log;
mod administration;
mod app;
mod audit;
mod backup;
mod cli;
mod confirm;
mod cookie;
mod database;
mod demo;
mod error;
mod export;
mod handlers;
mod health;
mod import;
mod limits;
mod log;
mod metrics;
mod new_file;
mod oauth;
mod open_files;
mod openapi;
mod other_host;
mod output;
mod password;
mod readiness;
mod restore;
mod return_path;
mod serve;
mod server;
mod session;
mod shutdown;
mod sign_in;
mod sign_in_audit;
mod sign_in_limits;
#[cfg(feature = "otel")]
mod trace_export;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

use crate::cli::{Cli, Command};
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
        Command::Export(options) => export::run(options).await,
        Command::Backup(options) => backup::run(options).await,
        Command::Restore(options) => restore::run(options).await,
        Command::Administration(command) => administration::run(command).await,
        Command::Health(options) => health::run(options).await,
    }
}
