//! Overload: measures a server that gets several times as many requests as it can answer.

mod measurement;
mod open_loop;
mod table;

use std::rc::Rc;

use crate::cli::CommonOptions;
use crate::compare::sqlite;
use crate::dataset::{self, Others};
use crate::failure::Result;
use crate::http::Request;
use crate::load::{self, Load, MakeClient, RandomSteps, Schedule, Step};
use crate::machine::Cores;
use crate::process::{Program, Server, import, server_program};
use crate::report::{self, Report, progress};
use crate::scenarios::MAX_CONNECTIONS;
use crate::setup::{CACHE_OFF, TASKS, serve};
use measurement::Overload;

/// Number of families. The server loads at most two documents of one family at a time, so the reads of few families
/// would wait for each other.
const FAMILIES: u32 = 64;

/// The offered requests, relative to the capacity.
const FACTORS: [f64; 2] = [2.0, 5.0];

/// How many times as long as a measurement of another scenario each measurement takes. The 99th percentile of the
/// answers needs more than one period in which the server is full.
const TIMES_AS_LONG: u32 = 4;

const EXPLANATION: &str = "
The capacity is the number of reads per second in a closed loop with 32 connections: `read/tasks` of any of 64 families
with 100 open tasks, without caches. Then an open loop offers a multiple of it with 512 connections. Each connection
sends at fixed times, and one request at a time: if a response is late, the next request follows it at once. So the
offered rate is measured, too. An answer is a response with the status 200, a refusal one with the status 503 or 429.
Goodput is the number of answers per second, relative to the capacity. Latencies are the time from sending a request to
its complete response. One more connection reads `/healthz` at fixed times.

CPU is that of the server process. CPU per refusal is what remains if each answer takes as much as in the measurement of
the capacity, divided by the number of refusals. Each round measures the capacity and then each factor. Figures are
medians of the rounds.

Targets at 5 times the capacity: goodput of 75 % or more, p99 of refusals within 50 ms.
";

pub(crate) async fn run(options: CommonOptions) -> Result<()> {
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::first_and_last() };
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("Overload: more requests than the server can answer", &server, options.quick)?)?;
    report.add(EXPLANATION)?;
    let folder = tempfile::tempdir()?;
    let database = sqlite(folder.path());
    import(&server, &database, Others::Large(FAMILIES - 1))?;
    let server = serve(&server, &database, &CACHE_OFF)?;
    report.add(&table::table(&measure(&server, options.schedule()).await?))
}

/// Measures each factor in each round. Returns the measurements of each factor.
async fn measure(server: &Server, schedule: Schedule) -> Result<Vec<(f64, Vec<Overload>)>> {
    let schedule = Schedule {
        warm_up: schedule.warm_up * TIMES_AS_LONG,
        measurement: schedule.measurement * TIMES_AS_LONG,
        ..schedule
    };
    let client = reads();
    let mut results: Vec<_> = FACTORS.iter().map(|factor| (*factor, vec![])).collect();
    for round in 1..=schedule.rounds {
        progress(&format!("round {round} of {}", schedule.rounds));
        let load = Load { connections: MAX_CONNECTIONS, client: &client };
        let capacity = load::measure(server, &load, schedule).await?;
        for (factor, overloads) in &mut results {
            let offered = open_loop::run(server, &requests(), capacity.rate * *factor, schedule).await?;
            overloads.push(Overload::new(&capacity, &offered)?);
        }
    }
    Ok(results)
}

fn reads() -> MakeClient {
    let steps: Rc<[Step]> = requests().into_iter().map(|request| Step::new(request, 200)).collect();
    Box::new(move |connection| Box::new(RandomSteps::new(Rc::clone(&steps), connection as u64)))
}

/// Returns a read of each family.
fn requests() -> Vec<Request> {
    (0..FAMILIES).map(|family| Request::get(TASKS).token(&dataset::token(family, 0))).collect()
}
