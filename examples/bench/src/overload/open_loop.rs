//! An open loop: sends requests at a given rate, whether the server answers or refuses them.

use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::future::{try_join, try_join_all};
use tokio::time::sleep_until;

use crate::failure::{BoxError, Result};
use crate::http::{Connection, Request};
use crate::load::Schedule;
use crate::machine;
use crate::process::Server;

/// Number of connections. By default, the server has 64 requests in progress, so most of these get refusals.
const CONNECTIONS: u32 = 512;

/// Time between two requests for `/healthz`.
const PROBE_INTERVAL: Duration = Duration::from_millis(10);

/// The responses to the requests that were sent while the measurement ran.
#[derive(Default)]
pub(super) struct Responses {
    /// Latencies of the responses with the status 200.
    pub(super) answers: Vec<Duration>,
    /// Latencies of the responses with the status 503 or 429. A read gets 429 after it has waited a second for the other
    /// reads of its family.
    pub(super) refusals: Vec<Duration>,
}

/// What a server did with the offered requests.
pub(super) struct Offered {
    pub(super) responses: Responses,
    pub(super) probes: Responses,
    pub(super) elapsed: Duration,
    /// CPU time of the server, if the operating system reports it.
    pub(super) cpu: Option<Duration>,
}

/// The times at which a connection sends its requests.
#[derive(Clone, Copy)]
struct Times {
    first: Instant,
    interval: Duration,
    /// Responses to earlier requests are not counted.
    counted_from: Instant,
    end: Instant,
}

/// Sends random requests with this rate per second.
pub(super) async fn run(server: &Server, requests: &[Request], rate: f64, schedule: Schedule) -> Result<Offered> {
    let connections = try_join_all((0..CONNECTIONS).map(|_| Connection::open(server.address()))).await?;
    let mut probe = Connection::open(server.address()).await?;
    let mut rng = Rng::new();
    let start = Instant::now();
    let counted_from = start + schedule.warm_up;
    let end = counted_from + schedule.measurement;
    let interval = Duration::from_secs_f64(f64::from(CONNECTIONS) / rate);
    let senders = connections.into_iter().map(|mut connection| {
        let times = Times { first: start + interval.mul_f64(rng.f64()), interval, counted_from, end };
        let mut rng = rng.fork();
        async move { send(&mut connection, || &requests[rng.usize(..requests.len())], times).await }
    });
    let health = Request::get("/healthz");
    let probes = Times { first: start, interval: PROBE_INTERVAL, counted_from, end };
    let loads = try_join(try_join_all(senders), send(&mut probe, || &health, probes));
    let usage = async {
        sleep_until(counted_from.into()).await;
        let before = (machine::cpu_time(server.process_id()), Instant::now());
        sleep_until(end.into()).await;
        let cpu = machine::cpu_time(server.process_id()).zip(before.0);
        Ok((cpu.map(|(after, before)| after.saturating_sub(before)), before.1.elapsed()))
    };
    let ((responses, probes), (cpu, elapsed)) = try_join(loads, usage).await?;
    let mut all = Responses::default();
    for Responses { answers, refusals } in responses {
        all.answers.extend(answers);
        all.refusals.extend(refusals);
    }
    Ok(Offered { responses: all, probes, elapsed, cpu })
}

/// Sends requests on one connection.
async fn send<'a>(
    connection: &mut Connection,
    mut request: impl FnMut() -> &'a Request,
    times: Times,
) -> Result<Responses> {
    let mut responses = Responses::default();
    let mut due = times.first;
    while due < times.end {
        sleep_until(due.into()).await;
        let sent = Instant::now();
        let status = connection.send(request()).await?.status;
        let received = Instant::now();
        if sent >= times.counted_from {
            match status {
                200 => responses.answers.push(received - sent),
                429 | 503 => responses.refusals.push(received - sent),
                other => return Err(BoxError::from(format!("expected the status 200, 429 or 503, got {other}"))),
            }
        }
        due = next(due, times.interval, received);
    }
    Ok(responses)
}

/// Returns when the request after that of `due` is sent: after the interval, or at once if its response was later.
fn next(due: Instant, interval: Duration, received: Instant) -> Instant {
    (due + interval).max(received)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_response_delays_the_next_request_and_no_later_one_catches_up() {
        let start = Instant::now();
        let ms = |ms| start + Duration::from_millis(ms);
        let interval = Duration::from_millis(10);
        assert_eq!([next(start, interval, ms(4)), next(start, interval, ms(34))], [ms(10), ms(34)]);
        assert_eq!(next(ms(34), interval, ms(35)), ms(44));
    }
}
