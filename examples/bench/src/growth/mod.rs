//! Growth: one measured family among more and more others. Measures the cost of imports, and whether reads slow down.

mod dataset;
mod tables;

use std::iter::successors;
use std::path::Path;

use crate::cli::GrowthOptions;
use crate::compare::{LEFT_OUT, sqlite};
use crate::failure::Result;
use crate::load::{self, Load, MakeClient, Pace};
use crate::machine::Cores;
use crate::postgres::Postgres;
use crate::process::{Program, server_program};
use crate::report::{self, Report, Results, progress};
use crate::scenarios::{MAX_CONNECTIONS, unchanged};
use dataset::Dataset;

const SMALLEST: u32 = 1_000;

/// Largest number of families that is measured on PostgreSQL, where an import takes much longer.
const MAX_POSTGRES_FAMILIES: u32 = 10_000;

const UNCHANGED: &str = "unchanged";
const COLD: &str = "nothing cached";

pub(crate) async fn run(options: GrowthOptions) -> Result<()> {
    let (largest, options) = (options.families, options.common);
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::claim() };
    let mut postgres = Postgres::find(&options);
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("Growth: one family among more and more others", &server, options.quick)?)?;
    report.add(EXPLANATION)?;
    let mut datasets = vec![];
    for families in sizes(largest) {
        progress(&format!("SQLite, {families} families"));
        datasets.push(Dataset::build(&server, families, sqlite).await?);
    }
    report.add(&section("SQLite", &datasets, options.pace()).await?)?;
    drop(datasets);
    let mut datasets = vec![];
    for families in sizes(largest.min(MAX_POSTGRES_FAMILIES)) {
        let Some(database) = postgres.database().await else { break };
        progress(&format!("PostgreSQL, {families} families"));
        datasets.push(Dataset::build(&server, families, |_: &Path| database).await?);
    }
    if datasets.is_empty() {
        return report.add(LEFT_OUT);
    }
    report.add(&section("PostgreSQL", &datasets, options.pace()).await?)
}

const EXPLANATION: &str = "
Each import loads a whole database in one transaction, from a file that was just written to the disk. It may use both
CPUs, since nothing else runs then; PostgreSQL uses them too. The first response is that of `read/tasks`, timed from the
start of the server process. Reads are `read/tasks` of the same family, with 100 open tasks; every other family has a
tenth. All sizes are measured in turn, in several rounds. Figures are medians, and a ratio is the median of the ratios
of the rounds. Aims: on SQLite 60,000 records/s or more; 150 MiB or less for an import, 25 MiB idle, 16 MiB for the
binary; a first response within 100 ms; from 1,000 to 100,000 families at most 1.15 times the CPU, and 1.5 times the
p99.
";

/// Sizes of the databases: each ten times the one before.
pub(crate) fn sizes(largest: u32) -> impl Iterator<Item = u32> {
    successors(Some(SMALLEST), |size| size.checked_mul(10)).take_while(move |size| *size <= largest)
}

async fn section(name: &str, datasets: &[Dataset], pace: Pace) -> Result<String> {
    let results = measure(name, datasets, pace).await?;
    Ok(format!("\n## {name}\n{}{}", tables::imports(datasets), tables::reads(datasets, &results)))
}

/// Measures each dataset and returns the results.
async fn measure(name: &str, datasets: &[Dataset], pace: Pace) -> Result<Vec<Results>> {
    let mut results: Vec<Results> = datasets.iter().map(|_| Results::default()).collect();
    let client: MakeClient = unchanged();
    for round in 1..=pace.rounds {
        progress(&format!("{name}, round {round} of {}", pace.rounds));
        for connections in [1, MAX_CONNECTIONS] {
            let load = Load { connections, client: &client, writer: None };
            for (dataset, results) in datasets.iter().zip(&mut results) {
                for (kind, server) in [(UNCHANGED, &dataset.warm), (COLD, &dataset.cold)] {
                    results.push(kind, connections, load::measure(server, &load, pace).await?);
                }
            }
        }
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_grow_up_to_the_largest() {
        assert_eq!(sizes(100_000).collect::<Vec<_>>(), [1_000, 10_000, 100_000]);
        assert_eq!(sizes(99_999).collect::<Vec<_>>(), [1_000, 10_000]);
    }
}
