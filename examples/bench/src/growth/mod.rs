//! The same family among ever more others: what an import takes, and whether a read becomes dearer.

mod dataset;
mod tables;

use std::iter::successors;
use std::path::Path;

use crate::cli::GrowthOptions;
use crate::compare::{LEFT_OUT, sqlite};
use crate::failure::Result;
use crate::load::{self, Load, MakeAsker, Pace};
use crate::machine::Cores;
use crate::postgres::Postgres;
use crate::process::{Program, server_program};
use crate::report::{self, Report, Results, progress};
use crate::scenarios::{MOST_CONNECTIONS, unchanged};
use dataset::Dataset;

const SMALLEST: u32 = 1_000;

/// PostgreSQL takes its time.
const LARGEST_OF_POSTGRES: u32 = 10_000;

const UNCHANGED: &str = "unchanged";
const COLD: &str = "nothing cached";

pub(crate) async fn run(options: GrowthOptions) -> Result<()> {
    let (largest, options) = (options.families, options.common);
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::claim() };
    let mut postgres = Postgres::find(&options);
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("The same family among ever more others", &server, options.quick)?)?;
    report.add(EXPLANATION)?;
    let mut towns = vec![];
    for families in sizes(largest) {
        progress(&format!("SQLite, {families} families"));
        towns.push(Dataset::build(&server, families, sqlite).await?);
    }
    report.add(&section("SQLite", &towns, options.pace()).await?)?;
    drop(towns);
    let mut towns = vec![];
    for families in sizes(largest.min(LARGEST_OF_POSTGRES)) {
        let Some(database) = postgres.database().await else { break };
        progress(&format!("PostgreSQL, {families} families"));
        towns.push(Dataset::build(&server, families, |_: &Path| database).await?);
    }
    if towns.is_empty() {
        return report.add(LEFT_OUT);
    }
    report.add(&section("PostgreSQL", &towns, options.pace()).await?)
}

const EXPLANATION: &str = "
One import of a whole database, in one transaction, from a file that was just written and is on the disk. It has both
processors, for nothing else is done then; PostgreSQL has its share of them. The first answer is that of `read/tasks` to
a server that was just started, from the start of its process. Reads are `read/tasks` of the same family, with 100 open
tasks; all others have a tenth. All sizes are measured in turn, in several rounds; the figures are medians, and a ratio
is the median of the rounds' own. Aims: on SQLite 60,000 records/s or more; 150 MiB or less for an import, 25 MiB idle,
16 MiB of program; a first answer within 100 ms; from 1,000 to 100,000 families at most 1.15 times the CPU, and 1.5
times the p99.
";

/// From the smallest on, each ten times the one before.
pub(crate) fn sizes(largest: u32) -> impl Iterator<Item = u32> {
    successors(Some(SMALLEST), |size| size.checked_mul(10)).take_while(move |size| *size <= largest)
}

async fn section(name: &str, towns: &[Dataset], pace: Pace) -> Result<String> {
    let results = measure(name, towns, pace).await?;
    Ok(format!("\n## {name}\n{}{}", tables::imports(towns), tables::reads(towns, &results)))
}

/// The results of each dataset.
async fn measure(name: &str, towns: &[Dataset], pace: Pace) -> Result<Vec<Results>> {
    let mut results: Vec<Results> = towns.iter().map(|_| Results::default()).collect();
    let client: MakeAsker = unchanged();
    for round in 1..=pace.rounds {
        progress(&format!("{name}, round {round} of {}", pace.rounds));
        for connections in [1, MOST_CONNECTIONS] {
            let load = Load { connections, client: &client, writer: None };
            for (dataset, results) in towns.iter().zip(&mut results) {
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
