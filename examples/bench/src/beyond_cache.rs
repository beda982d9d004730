//! Beyond the cache: reads of random users, whose documents have three times the size of the cache.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use crate::cli::CommonOptions;
use crate::compare::{POSTGRES_SKIPPED, sqlite};
use crate::dataset::Others;
use crate::failure::Result;
use crate::load::{self, Load, Schedule};
use crate::machine::Cores;
use crate::postgres::Postgres;
use crate::process::{Program, Server, import, server_program};
use crate::report::{self, Report, Results, mebibytes, progress, table};
use crate::scenarios::{CONNECTIONS, MAX_CONNECTIONS, PerformanceTarget, Scenario, random_user, unchanged};
use crate::setup::{CACHE_OFF, Subject, read_tasks, serve};

/// The command of this program that serves the baseline.
const BASELINE: &str = "plain";

/// Number of families besides the measured one.
const FAMILIES: u32 = 900;

/// Number of members of each family. All have keys.
const MEMBERS: u16 = 3;

/// Time under load before the first round, in which the cache fills.
const FILLING: Duration = Duration::from_secs(20);

const PLAIN: &str = "plain handler, any of 2,700 users";

pub(crate) async fn run(options: CommonOptions) -> Result<()> {
    let server = Program { path: server_program(options.server_bin.clone())?, cores: Cores::first_and_last() };
    let mut postgres = Postgres::start(&options);
    let mut report = Report::open(options.output.as_deref())?;
    report.add(&report::head("Reads beyond the cache", &server, options.quick)?)?;
    report.add(EXPLANATION)?;
    let servers = Servers::start(&server, sqlite).await?;
    report.add(&section("SQLite", &servers, &options).await?)?;
    drop(servers);
    let Some(database) = postgres.next_database_url().await else { return report.add(POSTGRES_SKIPPED) };
    let servers = Servers::start(&server, |_| database).await?;
    report.add(&section("PostgreSQL", &servers, &options).await?)
}

const EXPLANATION: &str = "
900 families have 100 open tasks and three members each. Each member's document has about 82 KB: 221 MB for all. The
cache of the server has its default size of 64 MiB. Before the first round, the cache fills under load for 20 seconds.
Each round runs all scenarios in turn. Figures are medians of the rounds. A ratio is computed in each round, and the
table shows the median.
";

fn scenarios() -> Vec<Scenario> {
    let random = || random_user(FAMILIES + 1, MEMBERS);
    vec![
        Scenario::new(PLAIN, Subject::Plain, random()),
        Scenario::new("read/tasks, any of 2,700 users", Subject::Cached, random())
            .target(PerformanceTarget::CpuRatio(0.45, PLAIN)),
        Scenario::new("read/tasks, cache off, any of 2,700 users", Subject::Uncached, random()),
        Scenario::new("read/tasks, unchanged", Subject::Cached, unchanged()),
    ]
}

struct Servers {
    cached: Server,
    uncached: Server,
    plain: Server,
    _folder: TempDir,
}

impl Servers {
    /// Fills a database and starts the servers on it. `database` gets a temporary folder and returns the database URL.
    async fn start(server: &Program, database: impl FnOnce(&Path) -> String) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = database(folder.path());
        import(server, &database, Others::Large(FAMILIES))?;
        let cached = serve(server, &database, &[])?;
        let uncached = serve(server, &database, &CACHE_OFF)?;
        let plain = Server::start(&Program::own(server.cores)?, &[BASELINE, &database])?;
        for member in 0..MEMBERS {
            if read_tasks(&cached, FAMILIES, member).await? != read_tasks(&plain, FAMILIES, member).await? {
                return Err(format!("the baseline returns a different response to member {member}").into());
            }
        }
        Ok(Self { cached, uncached, plain, _folder: folder })
    }

    fn server(&self, subject: Subject) -> &Server {
        match subject {
            Subject::Plain => &self.plain,
            Subject::Uncached => &self.uncached,
            _ => &self.cached,
        }
    }
}

async fn section(name: &str, servers: &Servers, options: &CommonOptions) -> Result<String> {
    let mut scenarios = scenarios();
    scenarios.retain(|scenario| options.selects(scenario.name));
    let results = measure(name, servers, &scenarios, options.schedule()).await?;
    let mut text = format!("\n## {name}\n{}", table(&results, &scenarios));
    writeln!(text, "\nMemory of the server with its cache: {}.", mebibytes(servers.cached.memory()))?;
    Ok(text)
}

async fn measure(name: &str, servers: &Servers, scenarios: &[Scenario], schedule: Schedule) -> Result<Results> {
    progress(&format!("{name}, filling the cache"));
    let fill = Load { connections: MAX_CONNECTIONS, client: &random_user(FAMILIES + 1, MEMBERS) };
    load::measure(&servers.cached, &fill, Schedule { warm_up: FILLING, ..schedule }).await?;
    let mut results = Results::default();
    for round in 1..=schedule.rounds {
        progress(&format!("{name}, round {round} of {}", schedule.rounds));
        for scenario in scenarios {
            for connections in CONNECTIONS {
                let load = Load { connections, client: &scenario.client };
                let measurement = load::measure(servers.server(scenario.subject), &load, schedule).await?;
                results.push(scenario.name, connections, measurement);
            }
        }
    }
    Ok(results)
}
