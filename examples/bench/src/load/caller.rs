//! A caller: one connection and its client.

use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use super::Client;
use crate::failure::Result;
use crate::http::Connection;

pub(super) struct Caller {
    connection: Connection,
    client: Box<dyn Client>,
}

/// The counted responses of a measurement.
#[derive(Default)]
pub(super) struct Answered {
    /// Latencies of the counted responses.
    pub(super) latencies: Vec<Duration>,
    /// Total size of the counted responses, in bytes.
    pub(super) wire: usize,
}

impl Caller {
    pub(super) async fn open(address: &str, client: Box<dyn Client>) -> Result<Self> {
        Ok(Self { connection: Connection::open(address).await?, client })
    }

    /// Sends requests until the time is over and the client may stop.
    pub(super) async fn ask_until(&mut self, until: Instant) -> Result<Answered> {
        let mut answered = Answered::default();
        let mut begun = Instant::now();
        while begun < until || !self.client.may_rest() {
            let answer = self.connection.ask(self.client.request()).await?;
            let ended = Instant::now();
            let wire = answer.wire();
            if self.client.take(answer)? {
                answered.latencies.push(ended - begun);
                answered.wire += wire;
            }
            begun = ended;
        }
        Ok(answered)
    }

    /// Sends requests at a constant rate. Delays of the server are not caught up.
    pub(super) async fn ask_every(&mut self, time: Duration, until: Instant) -> Result<()> {
        let mut ticks = interval(time);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while Instant::now() < until {
            ticks.tick().await;
            let answer = self.connection.ask(self.client.request()).await?;
            self.client.take(answer)?;
        }
        Ok(())
    }
}
