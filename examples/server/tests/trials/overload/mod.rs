//! More requests than the server can serve: throughput stays the same, the other requests are refused at once, and
//! latency is normal again after the load.

mod load;
mod outcome;

use std::time::{Duration, Instant};

use crate::family::{self, task};
use crate::figures::Figures;
use crate::is_long;
use crate::overload::load::{Load, Target};
use crate::overload::outcome::Outcome;
use crate::process::{CpuPin, mebibytes, memory};
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};
use crate::wire::{Connection, with_token};

/// The number of tasks in the document that all requests read.
const TASKS: usize = 150;
const PATH: &str = "/api/v1/read/tasks";
/// The duration of each short load that measures whether latency is normal again.
const PROBE_DURATION: Duration = Duration::from_millis(250);

fn families() -> Sandbox {
    let mut lines = family::lines();
    lines.extend((0..TASKS).map(|number| task(&format!("t{number}"), "todo").to_string()));
    Sandbox::on_sqlite().import_lines(&lines)
}

async fn target(server: &Server) -> Target {
    let key = create_key(server, &session_cookie(server, "ana").await).await;
    Target { address: server.address().to_owned(), request: with_token(&key.token, "GET", PATH, None) }
}

#[tokio::test]
async fn overload_is_shed_and_later_requests_succeed() {
    let sandbox = families();
    let server = serve(&sandbox, "error");
    let target = target(&server).await;
    let outcome = Load::closed(512, Duration::from_secs(1)).run(&target).await;
    outcome.assert_no_failures();
    assert!(outcome.shed > 0, "no request was refused with 503: {outcome}");
    assert!(outcome.served.len() > 0, "no request was served: {outcome}");
    let mut connection = Connection::open(&target.address).await.unwrap();
    for _ in 0..20 {
        assert_eq!(connection.send(target.request.clone()).await.unwrap().status, 200);
    }
    drop(server);
    if is_long() {
        measure(&sandbox).await;
    }
}

/// Starts the server without its cache: cached responses are faster than these clients can send requests.
fn serve(sandbox: &Sandbox, log: &str) -> Server {
    sandbox.serve_with(&["--cache", "off", "--rate-limit", "off"], &[("FAMILY_API_LOG", log)])
}

/// Measures the overload, with the server on one CPU and the clients on another.
async fn measure(sandbox: &Sandbox) {
    let pinned = CpuPin::first();
    let server = serve(sandbox, "info");
    if let Some(pinned) = &pinned {
        pinned.move_to_second();
    }
    let target = target(&server).await;
    let mut figures = Figures::new(format!("Overload: GET {PATH} of {TASKS} tasks, SQLite"));
    figures.add("server and callers on separate CPUs", pinned.is_some());
    let peak = find_peak(&target, &mut figures).await;
    let light_load_outcome = Load::open(peak * 0.2, Duration::from_secs(5)).run(&target).await;
    figures.add("at a fifth of the peak", &light_load_outcome);
    figures.add("memory before", resident_memory(&server));
    for times in [2.0, 5.0] {
        let outcome = Load::open(peak * times, Duration::from_secs(30)).run(&target).await;
        let ended = Instant::now();
        figures.add(format!("at {times} times the peak"), &outcome);
        figures.add("… goodput as a share of the peak", format!("{:.0} %", 100.0 * outcome.goodput() / peak));
        let recovered_after = recovery_time(&target, peak * 0.2, &light_load_outcome, ended).await;
        figures.add("… normal again after", format!("{:.2} s", recovered_after.as_secs_f64()));
        figures.add("… memory afterwards", resident_memory(&server));
    }
    figures.print();
}

/// Measures closed loads with several numbers of callers. Returns the highest goodput: responses with 200 per second.
async fn find_peak(target: &Target, figures: &mut Figures) -> f64 {
    let mut peak = 0.0_f64;
    for callers in [4, 8, 16, 32, 64] {
        let outcome = Load::closed(callers, Duration::from_secs(4)).run(target).await;
        figures.add(format!("{callers} callers in a closed load"), &outcome);
        peak = peak.max(outcome.goodput());
    }
    figures.add("peak goodput", format!("{peak:.0}/s"));
    peak
}

/// Sends probes after the end of a load. Returns the time until the last probe with a refused or slow request.
async fn recovery_time(target: &Target, rate: f64, light_load_outcome: &Outcome, ended: Instant) -> Duration {
    let slow = light_load_outcome.served.percentile(99) * 2 + Duration::from_millis(5);
    let mut last_slow = ended;
    while ended.elapsed() < Duration::from_secs(8) {
        let outcome = Load::open(rate, PROBE_DURATION).run(target).await;
        if outcome.refused.len() > 0 || outcome.served.percentile(99) > slow {
            last_slow = Instant::now();
        }
    }
    last_slow - ended
}

fn resident_memory(server: &Server) -> String {
    let resident = memory(server.id());
    resident
        .map_or_else(|| "unknown".to_owned(), |[now, peak]| format!("{} (peak {})", mebibytes(now), mebibytes(peak)))
}
