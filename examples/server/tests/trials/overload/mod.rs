//! More requests than a server can answer: it answers as many as before, refuses the others at once, and is as fast as
//! ever when the load is gone.

mod load;
mod outcome;

use std::time::{Duration, Instant};

use crate::family::{self, task};
use crate::figures::Figures;
use crate::is_long;
use crate::overload::load::{Load, Target};
use crate::overload::outcome::Outcome;
use crate::process::{Pinned, mebibytes, memory};
use crate::sandbox::{Sandbox, Server};
use crate::session::{cookie, create_key};
use crate::wire::{Connection, with_token};

/// How many tasks stand in the document that everybody reads.
const TASKS: usize = 150;
const PATH: &str = "/api/v1/read/tasks";
/// How long nothing may be refused and everything be fast again until the load counts as forgotten.
const WINDOW: Duration = Duration::from_millis(250);

fn families() -> Sandbox {
    let mut lines = family::lines();
    lines.extend((0..TASKS).map(|number| task(&format!("t{number}"), "todo").to_string()));
    let sandbox = Sandbox::on_sqlite();
    let output = sandbox.import(&lines.join("\n"));
    assert!(output.status.success(), "{output:?}");
    sandbox
}

async fn target(server: &Server) -> Target {
    let key = create_key(server, &cookie(server, "ana").await).await;
    Target { address: server.address().to_owned(), request: with_token(&key.token, "GET", PATH, None) }
}

#[tokio::test]
async fn whatever_comes_too_much_is_refused_in_order_and_the_next_request_is_served() {
    let sandbox = families();
    let server = serve(&sandbox, "error");
    let target = target(&server).await;
    let outcome = Load::closed(512, Duration::from_secs(1)).run(&target).await;
    outcome.is_in_order();
    assert!(outcome.shed > 0, "nobody was asked to come again: {outcome}");
    assert!(outcome.served.len() > 0, "nobody was served: {outcome}");
    let mut connection = Connection::open(&target.address).await.unwrap();
    for _ in 0..20 {
        assert_eq!(connection.ask(target.request.clone()).await.unwrap().status, 200);
    }
    drop(server);
    if is_long() {
        measure(&sandbox).await;
    }
}

/// Every request is work for it: what it keeps, it hands out faster than anybody here can ask.
fn serve(sandbox: &Sandbox, log: &str) -> Server {
    sandbox.serve_with(&["--cache", "off", "--rate-limit", "off"], &[("FAMILY_API_LOG", log)])
}

/// The server on one processor, and who calls it on another.
async fn measure(sandbox: &Sandbox) {
    let pinned = Pinned::to_first();
    let server = serve(sandbox, "info");
    if let Some(pinned) = &pinned {
        pinned.move_over();
    }
    let target = target(&server).await;
    let mut figures = Figures::of(format!("Overload: GET {PATH} of {TASKS} tasks, SQLite"));
    figures.add("server and callers on a processor each", pinned.is_some());
    let peak = saturate(&target, &mut figures).await;
    let calm = Load::open(peak * 0.2, Duration::from_secs(5)).run(&target).await;
    figures.add("at a fifth of it", &calm);
    figures.add("memory before", rss(&server));
    for times in [2.0, 5.0] {
        let outcome = Load::open(peak * times, Duration::from_secs(30)).run(&target).await;
        let ended = Instant::now();
        figures.add(format!("at {times} times"), &outcome);
        figures.add("… goodput as a share of the peak", format!("{:.0} %", 100.0 * outcome.goodput() / peak));
        let normal = recover(&target, peak * 0.2, &calm, ended).await;
        figures.add("… normal again after", format!("{:.2} s", normal.as_secs_f64()));
        figures.add("… memory afterwards", rss(&server));
    }
    figures.print();
}

/// The most answers a second, over several numbers of callers.
async fn saturate(target: &Target, figures: &mut Figures) -> f64 {
    let mut peak = 0.0_f64;
    for callers in [4, 8, 16, 32, 64] {
        let outcome = Load::closed(callers, Duration::from_secs(4)).run(target).await;
        figures.add(format!("{callers} callers, each again when it is answered"), &outcome);
        peak = peak.max(outcome.goodput());
    }
    figures.add("peak goodput", format!("{peak:.0}/s"));
    peak
}

/// How long after the end of a load light requests were refused or slow for the last time.
async fn recover(target: &Target, rate: f64, calm: &Outcome, ended: Instant) -> Duration {
    let slow = calm.served.percentile(99) * 2 + Duration::from_millis(5);
    let mut normal = ended;
    while ended.elapsed() < Duration::from_secs(8) {
        let outcome = Load::open(rate, WINDOW).run(target).await;
        if outcome.refused.len() > 0 || outcome.served.percentile(99) > slow {
            normal = Instant::now();
        }
    }
    normal - ended
}

fn rss(server: &Server) -> String {
    let told = memory(server.id());
    told.map_or_else(|| "unknown".to_owned(), |[now, most]| format!("{} (most {})", mebibytes(now), mebibytes(most)))
}
