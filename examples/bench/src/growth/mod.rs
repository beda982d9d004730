//! Growth: measures imports, and reads of one family, while the number of other families grows.

mod dataset;
mod kept_rows;
mod tables;

use std::iter::successors;
use std::path::Path;

use crate::cli::GrowthOptions;
use crate::compare::{POSTGRES_SKIPPED, sqlite};
use crate::failure::Result;
use crate::load::{self, Load, Schedule};
use crate::machine::Cores;
use crate::postgres::Postgres;
use crate::process::{Program, server_program};
use crate::report::{self, Report, Results, progress};
use crate::scenarios::{CONNECTIONS, random_family, unchanged};
use dataset::Dataset;

/// Number of families in the smallest database.
const SMALLEST: u32 = 1_000;

/// Largest number of families on PostgreSQL. An import takes much longer there than on SQLite.
const MAX_POSTGRES_FAMILIES: u32 = 10_000;

const UNCHANGED: &str = "unchanged";
const UNCACHED: &str = "cache off";
const RANDOM: &str = "cache off, random family";

pub(crate) async fn run(options: GrowthOptions) -> Result<()> {
    let (largest, options) = (options.families, options.common);
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::first_and_last() };
    let mut postgres = Postgres::start(&options);
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head(
        "Growth: reads of one family while the number of other families grows",
        &server,
        options.quick,
    )?)?;
    report.add(EXPLANATION)?;
    let mut datasets = vec![];
    for families in sizes(largest) {
        progress(&format!("SQLite, {families} families"));
        datasets.push(Dataset::build(&server, families, sqlite).await?);
    }
    report.add(&section("SQLite", &datasets, options.schedule()).await?)?;
    drop(datasets);
    let mut datasets = vec![];
    for families in sizes(largest.min(MAX_POSTGRES_FAMILIES)) {
        let Some(database) = postgres.next_database_url().await else { break };
        progress(&format!("PostgreSQL, {families} families"));
        datasets.push(Dataset::build(&server, families, |_: &Path| database).await?);
    }
    if datasets.is_empty() {
        return report.add(POSTGRES_SKIPPED);
    }
    report.add(&section("PostgreSQL", &datasets, options.schedule()).await?)
}

const EXPLANATION: &str = "
Each import loads a whole database in one transaction, from a file that was just written to the disk. It runs on both
CPUs, because no load runs at the same time. The first response is the response to `read/tasks`, timed from the start of
the server process. Reads are `read/tasks` of the measured family, which has 100 open tasks. Every other family has 10.
Each round measures all databases in turn. Figures are medians of the rounds. A ratio is computed in each round, and the
table shows the median. The measured family also has the maximum number of deleted tasks, and of idempotency keys of a
member, 5,000 of each. The size of the database does not include them.

Targets on SQLite: imports of 60,000 records/s or more. Memory: 150 MiB or less for an import, 25 MiB or less for the
idle server. Binary: 16 MiB or less. First response: within 100 ms. With 100,000 families: at most 1.15 times the
CPU and 1.5 times the p99 of 1,000 families.
";

/// Returns the numbers of families of the databases: 1,000, 10,000 and so on, up to `largest`.
pub(crate) fn sizes(largest: u32) -> impl Iterator<Item = u32> {
    successors(Some(SMALLEST), |size| size.checked_mul(10)).take_while(move |size| *size <= largest)
}

async fn section(name: &str, datasets: &[Dataset], schedule: Schedule) -> Result<String> {
    let results = measure(name, datasets, schedule).await?;
    Ok(format!("\n## {name}\n{}{}", tables::imports(datasets), tables::reads(datasets, &results)))
}

/// Measures each dataset and returns the results.
async fn measure(name: &str, datasets: &[Dataset], schedule: Schedule) -> Result<Vec<Results>> {
    let mut results: Vec<Results> = datasets.iter().map(|_| Results::default()).collect();
    let measured_family = unchanged();
    for round in 1..=schedule.rounds {
        progress(&format!("{name}, round {round} of {}", schedule.rounds));
        for connections in CONNECTIONS {
            for (dataset, results) in datasets.iter().zip(&mut results) {
                let random = random_family(dataset.families);
                for (kind, server, client) in [
                    (UNCHANGED, &dataset.cached, &measured_family),
                    (UNCACHED, &dataset.uncached, &measured_family),
                    (RANDOM, &dataset.uncached, &random),
                ] {
                    let load = Load { connections, client };
                    results.push(kind, connections, load::measure(server, &load, schedule).await?);
                }
            }
        }
    }
    Ok(results)
}
