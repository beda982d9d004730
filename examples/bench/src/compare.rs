//! Compares requests against a thousand families with the baselines, on each database.

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

/// Maximum CPU time of an uncached read, relative to the plain handler. It differs between the databases, since they do
/// different parts of the work.
const MAX_RATIO_TO_PLAIN_SQLITE: f64 = 0.42;
const MAX_RATIO_TO_PLAIN_POSTGRES: f64 = 0.9;

pub(crate) async fn run(options: HttpOptions) -> Result<()> {
    let options = options.common;
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::claim() };
    // Before CPUs are pinned, so that it may use both.
    let mut postgres = Postgres::find(&options);
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("The server compared with hand-written baselines", &server, options.quick)?)?;
    report.add(EXPLANATION)?;
    let setup = Setup::open(&server, sqlite).await?;
    report.add(&section("SQLite", &setup, MAX_RATIO_TO_PLAIN_SQLITE, options.pace()).await?)?;
    drop(setup);
    if let Some(database) = postgres.database().await {
        let setup = Setup::open(&server, |_| database).await?;
        report.add(&section("PostgreSQL", &setup, MAX_RATIO_TO_PLAIN_POSTGRES, options.pace()).await?)
    } else {
        report.add(LEFT_OUT)
    }
}

pub(crate) const LEFT_OUT: &str =
    "\n## PostgreSQL\n\nSKIPPED: PostgreSQL is not installed or was excluded, and `--postgres` names no database.\n";

const EXPLANATION: &str = "
Figures are medians of several rounds. Each round runs all scenarios in turn. A ratio is the median of the ratios of the
rounds. CPU is the user and system time of the server process per response. It does not include PostgreSQL's processes,
which are not pinned. `× ready` and `× plain` are ratios of CPU to those two baselines for the same document: less is
better. Bytes are the size of a response with its headers. A missed aim is marked. The measured family has 100 open
tasks; each of the 1,000 other families has a tenth. All uses of keys are written before the measurement.
The first read after a write is compared with consecutive reads, and with a read after a write to another family: after
a pause or a commit every read takes longer, and SQLite reads its pages again. The CPU of the write is subtracted.
`ready bytes` is a handler with the same bytes in memory. `plain handler` is a handler with one query per kind of row,
structs and serde; its responses are identical. Both use the system's allocator; the server uses mimalloc.
";

/// Returns the URL of an SQLite file in the folder of a setup.
pub(crate) fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("family.db").display())
}

async fn section(name: &str, setup: &Setup, most_of_plain: f64, pace: Pace) -> Result<String> {
    let scenarios = scenarios(setup, most_of_plain);
    let results = measure(name, setup, &scenarios, pace).await?;
    let mut text = format!("\n## {name}\n{}", table(&results, &scenarios));
    let memory = |subject| mebibytes(setup.server(subject).memory());
    writeln!(
        text,
        "\nMemory: the server {} idle and {} at the end, {} without what it keeps; the plain handler {}.",
        mebibytes(setup.idle_memory),
        memory(Subject::Warm),
        memory(Subject::Cold),
        memory(Subject::Plain),
    )?;
    Ok(text)
}

async fn measure(name: &str, setup: &Setup, scenarios: &[Scenario], pace: Pace) -> Result<Results> {
    let mut results = Results::default();
    for round in 1..=pace.rounds {
        progress(&format!("{name}, round {round} of {}", pace.rounds));
        for scenario in scenarios {
            for connections in scenario.connections.iter().copied() {
                if scenario.warms_keys {
                    fill(setup.server(scenario.subject)).await?;
                }
                let writer = scenario.writer.as_ref().map(|(writer, interval)| (writer, *interval));
                let load = Load { connections, client: &scenario.client, writer };
                let sample = load::measure(setup.server(scenario.subject), &load, pace).await;
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
