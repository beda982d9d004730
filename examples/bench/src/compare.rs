//! Compares the server with the baselines on SQLite and PostgreSQL, with a thousand families.

use std::fmt::Write;
use std::path::Path;

use crate::cli::CommonOptions;
use crate::failure::Result;
use crate::load::{self, Load, Schedule};
use crate::machine::Cores;
use crate::postgres::Postgres;
use crate::process::{Program, server_program};
use crate::report::{self, Report, Results, mebibytes, progress, table};
use crate::scenarios::{CONNECTIONS, Scenario, scenarios};
use crate::setup::{Setup, Subject, use_all_keys};

pub(crate) async fn run(options: CommonOptions) -> Result<()> {
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::first_and_last() };
    // Starts PostgreSQL before CPUs are pinned, so that PostgreSQL can use both CPUs.
    let mut postgres = Postgres::start(&options);
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("The server compared with hand-written baselines", &server, options.quick)?)?;
    report.add(EXPLANATION)?;
    let setup = Setup::open(&server, sqlite).await?;
    report.add(&section("SQLite", &setup, &options).await?)?;
    drop(setup);
    if let Some(database) = postgres.next_database_url().await {
        let setup = Setup::open(&server, |_| database).await?;
        report.add(&section("PostgreSQL", &setup, &options).await?)
    } else {
        report.add(POSTGRES_SKIPPED)
    }
}

pub(crate) const POSTGRES_SKIPPED: &str =
    "\n## PostgreSQL\n\nSKIPPED: PostgreSQL is not installed or was excluded, and `--postgres` names no database.\n";

const EXPLANATION: &str = "
Each round runs all scenarios in turn. Figures are medians of the rounds. A ratio is computed in each round, and the
table shows the median. CPU is the user and system time of the server process per response. It does not include
PostgreSQL's processes, which are not pinned. Bytes are the size of a response with its headers. A missed target is
marked.

The measured family has 100 open tasks. Each of the 1,000 other families has 10. In the scenario
`read/tasks, unchanged, any of 2,000 keys`, the server writes the last uses of the keys before the measurement, not
during it.

`static bytes` is an axum handler that sends the same bytes from memory. `plain handler` is an axum handler with one
query per kind of row, through rusqlite or sqlx, and serde. Its responses are identical to the server's. `× static` and
`× plain` are the CPU of the row divided by the CPU of these baselines: a lower ratio is better. Both baselines use the
system's allocator. The server uses mimalloc.
";

/// Returns the URL of an SQLite file in a folder.
pub(crate) fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("family.db").display())
}

async fn section(name: &str, setup: &Setup, options: &CommonOptions) -> Result<String> {
    let mut scenarios = scenarios(setup);
    scenarios.retain(|scenario| options.selects(scenario.name));
    let results = measure(name, setup, &scenarios, options.schedule()).await?;
    let mut text = format!("\n## {name}\n{}", table(&results, &scenarios));
    let memory = |subject| mebibytes(setup.server(subject).memory());
    writeln!(
        text,
        "\nMemory: the server {} idle and {} at the end, {} without its caches; the plain handler {}.",
        mebibytes(setup.idle_memory),
        memory(Subject::Cached),
        memory(Subject::Uncached),
        memory(Subject::Plain),
    )?;
    Ok(text)
}

async fn measure(name: &str, setup: &Setup, scenarios: &[Scenario], schedule: Schedule) -> Result<Results> {
    let mut results = Results::default();
    for round in 1..=schedule.rounds {
        progress(&format!("{name}, round {round} of {}", schedule.rounds));
        for scenario in scenarios {
            for connections in CONNECTIONS {
                if scenario.warms_key_cache {
                    use_all_keys(setup.server(scenario.subject)).await?;
                }
                let load = Load { connections, client: &scenario.client };
                let measurement = load::measure(setup.server(scenario.subject), &load, schedule).await;
                let measurement = measurement.map_err(|error| format!("{name}, {}: {error}", scenario.name))?;
                results.push(scenario.name, connections, measurement);
            }
        }
    }
    Ok(results)
}
