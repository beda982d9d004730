//! Sends requests at a fixed rate, and counts their answers and what they store.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::client::{Response, try_send};
use crate::figures::print_line;
use crate::sandbox::Server;

/// A client that repeats its steps until the end of the trial.
pub(super) type Actor<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// The maximum time for an answer, longer than any timeout of the server.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The number of attempts to send a request to a server that is busy.
const MAX_ATTEMPTS: u32 = 20;

/// The number of unexpected answers that are shown.
const MAX_SHOWN: u64 = 20;

pub(super) struct Load {
    pub(super) server: Server,
    began: Instant,
    duration: Duration,
    statuses: RefCell<BTreeMap<u16, u64>>,
    requests: Cell<u64>,
    /// The rows that requests may have added, by table.
    added: RefCell<BTreeMap<&'static str, u64>>,
    /// The number of answers with 503 and `Retry-After`.
    busy: Cell<u64>,
    unexpected: Cell<u64>,
}

impl Load {
    pub(super) fn new(server: Server, duration: Duration) -> Self {
        Self {
            server,
            began: Instant::now(),
            duration,
            statuses: RefCell::default(),
            requests: Cell::default(),
            added: RefCell::default(),
            busy: Cell::default(),
            unexpected: Cell::default(),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn is_over(&self) -> bool {
        self.elapsed() >= self.duration
    }

    /// Repeats a step until the end. If a step takes longer than the pause, the next one starts later.
    pub(super) async fn repeat(&self, pause: Duration, mut step: impl AsyncFnMut()) {
        let mut ticks = interval(pause);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.is_over() {
            ticks.tick().await;
            step().await;
        }
    }

    /// Sends a request. Returns the answer, or `None` if it is not one of the expected ones. A request that the server
    /// is too busy to serve is repeated as the server says.
    pub(super) async fn send(&self, request: RequestBuilder, expected: &[u16]) -> Option<Response> {
        for attempt in 0..MAX_ATTEMPTS {
            match self.attempt(request.try_clone().unwrap()).await {
                Ok(answer) if expected.contains(&answer.status) => return Some(answer),
                Ok(answer) if answer.status == 503 && answer.header("retry-after").is_some() => {
                    self.busy.update(|count| count + 1);
                    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
                    sleep(Duration::from_secs(seconds)).await;
                }
                // The first attempt may have succeeded although its answer was 503.
                Ok(answer) if attempt > 0 && [401, 404, 409, 412].contains(&answer.status) => return None,
                other => {
                    self.report(format_args!("expected {expected:?}: {other:?}"));
                    return None;
                }
            }
        }
        self.report(format_args!("expected {expected:?}: the server was too busy {MAX_ATTEMPTS} times"));
        None
    }

    async fn attempt(&self, request: RequestBuilder) -> Result<Response, reqwest::Error> {
        self.requests.update(|count| count + 1);
        let response = try_send(request.timeout(TIMEOUT)).await?;
        *self.statuses.borrow_mut().entry(response.status).or_default() += 1;
        Ok(response)
    }

    /// Counts rows before the request that adds them: a sample sees a row before its client gets the answer.
    pub(super) fn add_rows(&self, table: &'static str, rows: u64) {
        *self.added.borrow_mut().entry(table).or_default() += rows;
    }

    /// Returns the number of rows that requests may have added to a table.
    pub(super) fn added_rows(&self, table: &str) -> u64 {
        self.added.borrow().get(table).copied().unwrap_or_default()
    }

    /// Reports something unexpected. The trial continues, and fails at its end.
    pub(super) fn report(&self, text: impl Display) {
        self.unexpected.update(|count| count + 1);
        if self.unexpected() <= MAX_SHOWN {
            print_line(&format!("after {:.0?}: {text}", self.elapsed()));
        }
    }

    /// Ends the load, whose clients have ended.
    pub(super) fn into_server(self) -> Server {
        self.server
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests.get()
    }

    pub(super) fn busy(&self) -> u64 {
        self.busy.get()
    }

    pub(super) fn unexpected(&self) -> u64 {
        self.unexpected.get()
    }

    /// Returns the number of answers of each status, as text.
    pub(super) fn statuses(&self) -> String {
        let statuses = self.statuses.borrow();
        let counts: Vec<String> = statuses.iter().map(|(status, count)| format!("{status}: {count}")).collect();
        counts.join(", ")
    }
}
