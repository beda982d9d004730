//! Load generators. In an open load, requests arrive at a fixed rate and do not wait for earlier responses. In a closed
//! load, each caller sends its next request after the response.

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

/// The maximum number of concurrent requests of an open load. Further requests wait, and the wait counts as latency.
const CONNECTIONS: usize = 1_000;
/// The maximum time for the last responses after the end of the load.
const TIMEOUT: Duration = Duration::from_mins(1);

pub(crate) struct Target {
    pub(crate) address: String,
    pub(crate) request: Request,
}

pub(crate) struct Load {
    connections: usize,
    duration: Duration,
    /// Requests per second. `None` for a closed load.
    rate: Option<f64>,
}

impl Load {
    /// Creates a load of `rate` requests per second.
    pub(crate) fn open(rate: f64, duration: Duration) -> Self {
        Self { connections: CONNECTIONS, duration, rate: Some(rate) }
    }

    /// Creates a load of `callers` callers.
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

    /// Adds arrivals at the rate of an open load. For a closed load, it returns at once.
    async fn schedule(&self, arrivals: &Arrivals, began: Instant) {
        let Some(rate) = self.rate else {
            return;
        };
        let mut tick = interval(Duration::from_millis(1));
        let mut arrived = 0_u32;
        while began.elapsed() < self.duration {
            tick.tick().await;
            let due = Duration::from_secs_f64(f64::from(arrived) / rate);
            let mut at = began + due;
            while at <= Instant::now().min(began + self.duration) {
                arrivals.push(at);
                arrived += 1;
                at = began + Duration::from_secs_f64(f64::from(arrived) / rate);
            }
        }
        arrivals.end();
    }

    /// Sends requests on one connection, which is opened at the first request and again after an error.
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
                    Some(connection) => connection.send(target.request.clone()).await,
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

/// The times at which the requests of an open load are due. A connection takes a time and sends the request.
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
    fn push(&self, at: Instant) {
        self.waiting.borrow_mut().push_back(at);
        self.count.add_permits(1);
    }

    /// Ends the queue: wakes all connections.
    fn end(&self) {
        self.count.add_permits(CONNECTIONS);
    }

    /// Waits for the next arrival. Returns `None` after the end.
    async fn next(&self) -> Option<Instant> {
        self.count.acquire().await.unwrap().forget();
        self.waiting.borrow_mut().pop_front()
    }
}
