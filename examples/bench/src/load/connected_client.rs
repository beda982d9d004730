//! A client with its connection.

use std::time::{Duration, Instant};

use super::Client;
use crate::failure::Result;
use crate::http::Connection;

pub(super) struct ConnectedClient {
    connection: Connection,
    client: Box<dyn Client>,
}

/// The counted responses of a measurement.
#[derive(Default)]
pub(super) struct CountedResponses {
    /// Latencies of the counted responses.
    pub(super) latencies: Vec<Duration>,
    /// Total size of the counted responses, in bytes.
    pub(super) bytes: usize,
}

impl ConnectedClient {
    pub(super) async fn open(address: &str, client: Box<dyn Client>) -> Result<Self> {
        Ok(Self { connection: Connection::open(address).await?, client })
    }

    /// Sends requests until the time `until` is reached.
    pub(super) async fn run_until(&mut self, until: Instant) -> Result<CountedResponses> {
        let mut counted = CountedResponses::default();
        let mut start = Instant::now();
        while start < until {
            let response = self.connection.send(self.client.request()).await?;
            let end = Instant::now();
            let bytes = response.total_bytes();
            if self.client.check(response)? {
                counted.latencies.push(end - start);
                counted.bytes += bytes;
            }
            start = end;
        }
        Ok(counted)
    }
}
