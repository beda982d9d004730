//! Those who call: by a schedule that does not wait for answers, or each again when it is answered.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::join;
use tokio::sync::Semaphore;
use tokio::time::{interval, timeout};

use crate::overload::outcome::Outcome;
use crate::process::own_ticks;
use crate::wire::{Connection, Request};

/// As many as may be on their way at once. Who comes while all of them are waits, and the wait counts.
const CONNECTIONS: usize = 1_000;
/// How long the last answers may take before they count as hung.
const TIMEOUT: Duration = Duration::from_mins(1);

pub(crate) struct Target {
    pub(crate) address: String,
    pub(crate) request: Request,
}

pub(crate) struct Load {
    connections: usize,
    duration: Duration,
    /// Arrivals a second; without, who was answered comes again.
    rate: Option<f64>,
}

impl Load {
    /// So many arrivals a second, whether or not those before are answered.
    pub(crate) fn open(rate: f64, duration: Duration) -> Self {
        Self { connections: CONNECTIONS, duration, rate: Some(rate) }
    }

    pub(crate) fn closed(callers: usize, duration: Duration) -> Self {
        Self { connections: callers, duration, rate: None }
    }

    pub(crate) async fn run(&self, target: &Target) -> Outcome {
        let arrivals = Arrivals::default();
        let outcome = RefCell::new(Outcome::default());
        let ticks = own_ticks();
        let began = Instant::now();
        let serve = async {
            let callers = (0..self.connections).map(|_| self.call(target, &arrivals, &outcome, began));
            timeout(TIMEOUT + self.duration, join_all(callers)).await.unwrap();
        };
        join!(serve, self.schedule(&arrivals, began));
        let mut outcome = outcome.into_inner();
        outcome.took = self.duration;
        outcome.ticks = own_ticks().zip(ticks).map(|(after, before)| after - before);
        outcome
    }

    /// Lets everybody come at their instants.
    async fn schedule(&self, arrivals: &Arrivals, began: Instant) {
        let Some(rate) = self.rate else {
            return;
        };
        let mut tick = interval(Duration::from_millis(1));
        let mut come = 0_u32;
        while began.elapsed() < self.duration {
            tick.tick().await;
            let due = Duration::from_secs_f64(f64::from(come) / rate);
            let mut at = began + due;
            while at <= Instant::now().min(began + self.duration) {
                arrivals.come(at);
                come += 1;
                at = began + Duration::from_secs_f64(f64::from(come) / rate);
            }
        }
        arrivals.end();
    }

    /// One connection, opened when it is first needed.
    async fn call(&self, target: &Target, arrivals: &Arrivals, outcome: &RefCell<Outcome>, began: Instant) {
        let mut connection = None;
        loop {
            let at = match self.rate {
                Some(_) => arrivals.next().await,
                None => (began.elapsed() < self.duration).then(Instant::now),
            };
            let Some(at) = at else {
                return;
            };
            let reply = async {
                if connection.is_none() {
                    connection = Some(Connection::open(&target.address).await?);
                }
                match &mut connection {
                    Some(connection) => connection.ask(target.request.clone()).await,
                    None => Err("there is no connection".into()),
                }
            };
            let reply = reply.await;
            if reply.is_err() {
                connection = None;
            }
            outcome.borrow_mut().count(&reply, at.elapsed());
        }
    }
}

/// Those who have come, and are not called up yet.
struct Arrivals {
    waiting: RefCell<VecDeque<Instant>>,
    count: Semaphore,
}

impl Default for Arrivals {
    fn default() -> Self {
        Self { waiting: RefCell::default(), count: Semaphore::new(0) }
    }
}

impl Arrivals {
    fn come(&self, at: Instant) {
        self.waiting.borrow_mut().push_back(at);
        self.count.add_permits(1);
    }

    /// Nobody comes any more.
    fn end(&self) {
        self.count.add_permits(CONNECTIONS);
    }

    /// The next one, or nobody once it is over.
    async fn next(&self) -> Option<Instant> {
        self.count.acquire().await.unwrap().forget();
        self.waiting.borrow_mut().pop_front()
    }
}
