//! Compares the performance of the server with baselines: minimal handlers without family-api.
//!
//! Run it with `cargo run --profile dist -p family-api-bench`.
#![expect(clippy::cast_precision_loss, reason = "figures are rounded anyway")]

mod baseline;
mod beyond_cache;
mod cli;
mod compare;
mod dataset;
mod failure;
mod growth;
mod http;
mod load;
mod machine;
mod neighbour;
mod overload;
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

/// Measures until the future completes or a signal arrives. Dropping the future kills all child processes and deletes
/// the temporary folders.
async fn until_stopped(measuring: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::select! {
        result = measuring => result,
        signal = machine::stop_signal() => signal.map_err(Into::into).and(Err("interrupted by a signal".into())),
    }
}

/// Runs a command. The load generator has one thread, pinned to a core. A baseline has one thread for each of its
/// cores.
fn run(command: Command) -> Result<()> {
    let mut single_threaded = Builder::new_current_thread();
    let mut multi_threaded = Builder::new_multi_thread();
    match command {
        Command::Http(options) => single_threaded.enable_all().build()?.block_on(until_stopped(compare::run(options))),
        Command::BeyondCache(options) => {
            single_threaded.enable_all().build()?.block_on(until_stopped(beyond_cache::run(options)))
        }
        Command::Growth(options) => single_threaded.enable_all().build()?.block_on(until_stopped(growth::run(options))),
        Command::Overload(options) => {
            single_threaded.enable_all().build()?.block_on(until_stopped(overload::run(options)))
        }
        Command::Neighbour(options) => {
            single_threaded.enable_all().build()?.block_on(until_stopped(neighbour::run(options)))
        }
        Command::Static { files } => multi_threaded.enable_all().build()?.block_on(baseline::serve_static(files)),
        Command::Plain { database } => multi_threaded.enable_all().build()?.block_on(baseline::serve_plain(&database)),
        Command::Measured { program, arguments } => process::run_measured(program, arguments),
    }
}
