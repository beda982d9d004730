//! Requests against a thousand families, on each database, beside the baselines.

use std::fmt::Write;
use std::path::Path;

use crate::cli::HttpOptions;
use crate::failure::Result;
use crate::load::{self, Load, Pace};
use crate::machine::Cores;
use crate::postgres::Postgres;
use crate::process::{Program, server_program};
use crate::report::{self, Report, Results, mebibytes, progress, table};
use crate::scenarios::{Scenario, scenarios};
use crate::setup::{Setup, Subject, fill};

/// What the CPU of a read without a cache may be of the plain handler's: the databases share the work otherwise.
const MOST_OF_PLAIN_SQLITE: f64 = 0.42;
const MOST_OF_PLAIN_POSTGRES: f64 = 0.9;

pub(crate) async fn run(options: HttpOptions) -> Result<()> {
    let options = options.common;
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::claim() };
    // Before anything is kept to a core: it may use both.
    let mut postgres = Postgres::find(&options);
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("The server beside what one would write by hand", &server, options.quick)?)?;
    report.add(EXPLANATION)?;
    let stage = Setup::open(&server, sqlite).await?;
    report.add(&section("SQLite", &stage, MOST_OF_PLAIN_SQLITE, options.pace()).await?)?;
    drop(stage);
    if let Some(database) = postgres.database().await {
        let stage = Setup::open(&server, |_| database).await?;
        report.add(&section("PostgreSQL", &stage, MOST_OF_PLAIN_POSTGRES, options.pace()).await?)
    } else {
        report.add(LEFT_OUT)
    }
}

pub(crate) const LEFT_OUT: &str = "\n## PostgreSQL\n\nLEFT OUT: its programs are not installed, or were not wanted, and `--postgres` names no database.\n";

const EXPLANATION: &str = "
Medians of several rounds, which go through all lines in turn; a ratio is the median of the rounds' own. CPU is what the
process of the server takes for an answer, as user and as system together; that of PostgreSQL's processes is not in it,
and they are kept to no core. `× ready` and `× plain` are ratios of CPU to those two for the same document: less is
better. The bytes are those of an answer with its headers. An aim that is not reached is marked. The measured family has
100 open tasks, the 1,000 added ones have a tenth; that their keys are used is written down before they are measured.
The first read after a write stands beside reads in a row, and beside one after a write to another family: after a pause
or a commit, every read takes longer, and SQLite reads its pages again. The write's CPU, as in a row, is taken off.
`ready bytes` is a handler that has the same bytes in memory, `plain handler` one with a query for each kind of row,
structs and serde, whose answers are the same byte for byte; both have the allocator of the system, the server has one
of its own.
";

/// A file in the folder of a stage.
pub(crate) fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("family.db").display())
}

async fn section(name: &str, stage: &Setup, most_of_plain: f64, pace: Pace) -> Result<String> {
    let scenarios = scenarios(stage, most_of_plain);
    let results = measure(name, stage, &scenarios, pace).await?;
    let mut text = format!("\n## {name}\n{}", table(&results, &scenarios));
    let memory = |subject| mebibytes(stage.server(subject).memory());
    writeln!(
        text,
        "\nMemory: the server {} idle and {} at the end, {} without what it keeps; the plain handler {}.",
        mebibytes(stage.idle_memory),
        memory(Subject::Warm),
        memory(Subject::Cold),
        memory(Subject::Plain),
    )?;
    Ok(text)
}

async fn measure(name: &str, stage: &Setup, scenarios: &[Scenario], pace: Pace) -> Result<Results> {
    let mut results = Results::default();
    for round in 1..=pace.rounds {
        progress(&format!("{name}, round {round} of {}", pace.rounds));
        for scenario in scenarios {
            for connections in scenario.connections.iter().copied() {
                if scenario.is_known {
                    fill(stage.server(scenario.subject)).await?;
                }
                let writer = scenario.writer.as_ref().map(|(writer, interval)| (writer, *interval));
                let load = Load { connections, client: &scenario.client, writer };
                let sample = load::measure(stage.server(scenario.subject), &load, pace).await;
                let sample = sample.map_err(|error| format!("{name}, {}: {error}", scenario.name))?;
                results.push(scenario.name, connections, sample);
            }
        }
    }
    for scenario in scenarios {
        if let Some(other) = scenario.without {
            results.take_off(other, scenario.name);
        }
    }
    Ok(results)
}
