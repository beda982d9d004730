//! What can be measured.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::load::Pace;

/// Measures the server of family-api beside what one would write by hand.
#[derive(Debug, Parser)]
#[command(about, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) http: HttpOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Requests against a thousand families, which is what is measured where nothing is said.
    Http(HttpOptions),
    /// The same family among ever more others.
    Growth(GrowthOptions),
    /// Serves files.
    #[command(hide = true)]
    Ready { files: Vec<PathBuf> },
    /// Serves the tasks of a database.
    #[command(hide = true)]
    Plain { database: String },
    /// Runs a program, and prints what it has used up.
    #[command(hide = true)]
    Measured {
        program: PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct HttpOptions {
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

#[derive(Debug, Args)]
pub(crate) struct GrowthOptions {
    #[command(flatten)]
    pub(crate) common: CommonOptions,
    /// How many families there are at the end; it begins with 1,000, and goes on in steps of ten.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) families: u32,
}

#[derive(Debug, Args)]
pub(crate) struct CommonOptions {
    /// The server to measure, instead of a release build made now.
    #[arg(long, value_name = "PATH")]
    pub(crate) server_bin: Option<PathBuf>,
    /// An empty database to use, `postgres://USER@HOST/DATABASE`, instead of a PostgreSQL started for the time.
    #[arg(long, value_name = "URL")]
    pub(crate) postgres: Option<String>,
    /// Measures on SQLite alone.
    #[arg(long, conflicts_with = "postgres")]
    pub(crate) without_postgres: bool,
    /// Where the report goes too.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Less time for each figure, which makes them worse.
    #[arg(long)]
    pub(crate) quick: bool,
}

impl CommonOptions {
    pub(crate) fn pace(&self) -> Pace {
        let [rounds, warm_up, measured] = if self.quick { [2, 20, 100] } else { [5, 50, 500] };
        let [warm_up, measured] = [warm_up, measured].map(|millis| Duration::from_millis(millis.into()));
        Pace { rounds, warm_up, measured }
    }
}
