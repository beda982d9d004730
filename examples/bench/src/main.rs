//! Measures the server of family-api beside what one would write by hand: `cargo run --profile dist -p family-api-bench`.
#![expect(clippy::cast_precision_loss, reason = "figures are rounded anyway")]

mod baseline;
mod cli;
mod compare;
mod dataset;
mod failure;
mod growth;
mod http;
mod load;
mod machine;
mod postgres;
mod process;
mod report;
mod scenarios;
mod setup;

use std::process::ExitCode;

use clap::Parser;
use tokio::runtime::Builder;

use crate::cli::{Cli, Command};
use crate::failure::Result;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command.unwrap_or(Command::Http(cli.http))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::progress(&format!("family-api-bench: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Measures, unless it is told to stop: what is dropped then leaves no process and no folder behind.
async fn until_stopped(measuring: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::select! {
        measured = measuring => measured,
        stopped = machine::stopped() => stopped.map_err(Into::into).and(Err("it was told to stop".into())),
    }
}

/// Who asks has one thread, which is kept to a core; who serves has as many as there are cores for it.
fn run(command: Command) -> Result<()> {
    let mut asking = Builder::new_current_thread();
    let mut serving = Builder::new_multi_thread();
    match command {
        Command::Http(options) => asking.enable_all().build()?.block_on(until_stopped(compare::run(options))),
        Command::Growth(options) => asking.enable_all().build()?.block_on(until_stopped(growth::run(options))),
        Command::Ready { files } => serving.enable_all().build()?.block_on(baseline::serve_ready(files)),
        Command::Plain { database } => serving.enable_all().build()?.block_on(baseline::serve_plain(&database)),
        Command::Measured { program, arguments } => process::run_measured(program, arguments),
    }
}
