//! The command line.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::growth;
use crate::load::Schedule;

/// Compares the performance of the server with baselines: minimal handlers without family-api.
#[derive(Debug, Parser)]
#[command(about, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) http: CommonOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measures requests against a database with a thousand families. This is the default.
    Http(CommonOptions),
    /// Measures imports and reads of one family in databases with a growing number of other families.
    Growth(GrowthOptions),
    /// Measures reads of 2,700 users, whose documents do not fit into the cache.
    BeyondCache(CommonOptions),
    /// Measures a server on SQLite that gets more requests than it can answer.
    Overload(CommonOptions),
    /// Measures the changes of one family while the largest permitted family puts load on the server.
    Neighbour(NeighbourOptions),
    /// Serves files (the static baseline; started by the benchmark).
    #[command(hide = true)]
    Static { files: Vec<PathBuf> },
    /// Serves the tasks of a database (the plain baseline; started by the benchmark).
    #[command(hide = true)]
    Plain { database: String },
    /// Runs a program, and prints its CPU time and memory (started by the benchmark).
    #[command(hide = true)]
    Measured {
        program: PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct GrowthOptions {
    #[command(flatten)]
    pub(crate) common: CommonOptions,
    /// Number of families in the largest database. The first database has 1,000 families. Each further
    /// database has ten times as many. 100,000 families take ten minutes and 4 GB of disk space.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = parse_families)]
    pub(crate) families: u32,
}

#[derive(Debug, Args)]
pub(crate) struct NeighbourOptions {
    /// Path of the server binary to measure. Default: a build with the profile `dist`.
    #[arg(long, value_name = "PATH")]
    pub(crate) server_bin: Option<PathBuf>,
    /// File to which the report is also written.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Duration of each load.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) seconds: u64,
}

#[derive(Debug, Args)]
pub(crate) struct CommonOptions {
    /// Path of the server binary to measure. Default: a build with the profile `dist`.
    #[arg(long, value_name = "PATH")]
    pub(crate) server_bin: Option<PathBuf>,
    /// Empty database to use, `postgres://USER@HOST/DATABASE`. Default: a temporary PostgreSQL server.
    #[arg(long, value_name = "URL", value_parser = parse_postgres_url)]
    pub(crate) postgres: Option<String>,
    /// Measures only on SQLite.
    #[arg(long, conflicts_with = "postgres")]
    pub(crate) without_postgres: bool,
    /// File to which the report is also written.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Measures for a shorter time. The figures are less exact.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Number of rounds. More rounds show smaller differences. Default: 5, or 2 with `--quick`.
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<NonZeroU32>,
    /// Measures only scenarios whose names contain this text. Can be repeated. Default: all scenarios.
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Vec<String>,
}

fn parse_families(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| growth::sizes(*number).last() == Some(*number));
    number.ok_or_else(|| "expected 1000, 10000, 100000 or a higher power of ten".to_owned())
}

fn parse_postgres_url(text: &str) -> Result<String, String> {
    let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    is_url.then(|| text.to_owned()).ok_or_else(|| "expected postgres://USER@HOST/DATABASE".to_owned())
}

impl CommonOptions {
    /// Returns whether a scenario is measured.
    pub(crate) fn selects(&self, scenario: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| scenario.contains(text.as_str()))
    }

    pub(crate) fn schedule(&self) -> Schedule {
        let [rounds, warm_up, measurement] = if self.quick { [2, 20, 100] } else { [5, 50, 500] };
        let [warm_up, measurement] = [warm_up, measurement].map(|millis| Duration::from_millis(millis.into()));
        Schedule { rounds: self.rounds.map_or(rounds, NonZeroU32::get), warm_up, measurement }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_families_must_be_a_power_of_ten_from_1000() {
        let growth = |families| Cli::try_parse_from(["family-api-bench", "growth", "--families", families]);
        for valid in ["1000", "10000", "1000000"] {
            assert!(growth(valid).is_ok(), "{valid}");
        }
        for invalid in ["0", "1", "1500", "999", "100000000000", "abc", "-1000"] {
            assert!(growth(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn the_number_of_rounds_can_be_set() {
        let rounds = |arguments: &[&str]| {
            let arguments = [&["family-api-bench"], arguments].concat();
            Cli::try_parse_from(arguments).unwrap_or_else(|error| panic!("{error}")).http.schedule().rounds
        };
        assert_eq!([rounds(&[]), rounds(&["--quick"]), rounds(&["--quick", "--rounds", "60"])], [5, 2, 60]);
    }

    #[test]
    fn only_a_url_of_a_postgres_database_is_accepted() {
        let http = |url| Cli::try_parse_from(["family-api-bench", "--postgres", url]);
        assert!(http("postgres://me@localhost/empty").is_ok() && http("postgresql://localhost/empty").is_ok());
        assert!(http("empty").is_err() && http("sqlite:empty.db").is_err());
    }
}
