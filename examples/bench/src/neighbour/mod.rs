//! The neighbour: measures the changes of one family while another family, the largest that the API permits, sends the
//! requests that cost the server most.

mod load;
mod patches;

use std::fmt::Write;
use std::time::Duration;

use crate::cli::NeighbourOptions;
use crate::compare::sqlite;
use crate::dataset::Others;
use crate::failure::Result;
use crate::machine::Cores;
use crate::process::{Program, Server, import, server_program};
use crate::report::{self, Report, mebibytes, progress};
use crate::setup::serve;
use load::{Load, loads};
use patches::Patches;

const MAX_P99: Duration = Duration::from_millis(50);
const MAX_MEMORY: u64 = 300 * 1024 * 1024;

pub(crate) async fn run(options: NeighbourOptions) -> Result<()> {
    let server = Program { path: server_program(options.server_bin)?, cores: Cores::first_and_last() };
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("Neighbour: one family while another one is a burden", &server, false)?)?;
    report.add(EXPLANATION)?;
    let folder = tempfile::tempdir()?;
    let database = sqlite(folder.path());
    import(&server, &database, Others::Largest)?;
    for load in loads() {
        progress(&format!("neighbour, {}", load.name));
        let server = serve(&server, &database, &[])?;
        report.add(&measure(&server, load, Duration::from_secs(options.seconds)).await?)?;
    }
    Ok(())
}

const EXPLANATION: &str = "
The large family has one column with 20,000 open tasks. Their titles and descriptions have the maximum length, and each
of their characters takes six bytes in JSON. Its clients send the next request as soon as they get an answer, also after
a refusal. The rate limit is off. Meanwhile the other family changes a task 50 times a second, whether answers come or
not. A latency is the time from the moment at which the request was due. Each line has a new server. Memory is the
resident memory of the server, and its peak is the one that the kernel recorded.

Targets: p99 ≤ 50 ms, no status but 200, peak ≤ 300 MiB.

| requests of the large family | their answers | changes of the other family | not 200 | p50 ms | p99 ms | max ms | memory before | peak | after | |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
";

/// Measures a load and returns its line of the table.
async fn measure(server: &Server, load: Load, duration: Duration) -> Result<String> {
    let name = load.name;
    let task = patches::prepare(server).await?;
    let before = server.memory();
    let answers = load.start(server.address().to_owned(), duration);
    let patches = patches::measure(server, &task, duration).await?;
    let answers = answers.join().map_err(|_| "the load has panicked")??;
    let (peak, after) = (server.peak_memory(), server.memory());
    let is_missed =
        patches.failed > 0 || patches.percentile(99) > MAX_P99 || peak.is_some_and(|peak| peak > MAX_MEMORY);
    let answers: Vec<String> = answers.iter().map(|(status, count)| format!("{count} × {status}")).collect();
    Ok(line(name, &answers.join(", "), &patches, [before, peak, after], is_missed))
}

fn line(name: &str, answers: &str, patches: &Patches, memory: [Option<u64>; 3], is_missed: bool) -> String {
    let mut line = format!("| {name} | {answers} | {} | {} |", patches.latencies.len(), patches.failed);
    for percent in [50, 99, 100] {
        // Writing to a string does not fail.
        let _ = write!(line, " {:.1} |", patches.percentile(percent).as_secs_f64() * 1_000.0);
    }
    for memory in memory {
        let _ = write!(line, " {} |", mebibytes(memory));
    }
    line + if is_missed { " MISSED |\n" } else { " |\n" }
}
