//! One connection and what is asked on it.

use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use super::Asker;
use crate::failure::Result;
use crate::http::Connection;

pub(super) struct Caller {
    connection: Connection,
    asker: Box<dyn Asker>,
}

/// What came back while it was measured.
#[derive(Default)]
pub(super) struct Answered {
    /// Of the answers that count.
    pub(super) latencies: Vec<Duration>,
    /// All of these, in bytes.
    pub(super) wire: usize,
}

impl Caller {
    pub(super) async fn open(address: &str, asker: Box<dyn Asker>) -> Result<Self> {
        Ok(Self { connection: Connection::open(address).await?, asker })
    }

    /// Asks again and again, and ends where the asker may rest.
    pub(super) async fn ask_until(&mut self, until: Instant) -> Result<Answered> {
        let mut answered = Answered::default();
        let mut begun = Instant::now();
        while begun < until || !self.asker.may_rest() {
            let answer = self.connection.ask(self.asker.request()).await?;
            let ended = Instant::now();
            let wire = answer.wire();
            if self.asker.take(answer)? {
                answered.latencies.push(ended - begun);
                answered.wire += wire;
            }
            begun = ended;
        }
        Ok(answered)
    }

    /// Asks at a steady rate; what the server is late for is not made up.
    pub(super) async fn ask_every(&mut self, time: Duration, until: Instant) -> Result<()> {
        let mut ticks = interval(time);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while Instant::now() < until {
            ticks.tick().await;
            let answer = self.connection.ask(self.asker.request()).await?;
            self.asker.take(answer)?;
        }
        Ok(())
    }
}
