//! The load: clients that send the next request as soon as they get a response.

mod client;
mod connected_client;
mod measurement;

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

pub(crate) use client::{Client, ConditionalReads, NewRequests, RandomSteps, RepeatedSteps, Step};
use connected_client::{ConnectedClient, CountedResponses};
pub(crate) use measurement::Measurement;

use crate::failure::Result;
use crate::machine;
use crate::process::Server;

/// Creates a client from the number of the client's connection.
pub(crate) type MakeClient = Box<dyn Fn(usize) -> Box<dyn Client>>;

/// The number of rounds and the durations in a round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) rounds: u32,
    /// Time under load before each measurement. The responses in this time are not counted.
    pub(crate) warm_up: Duration,
    /// Duration of each measurement.
    pub(crate) measurement: Duration,
}

/// The clients that send requests to a server.
pub(crate) struct Load<'a> {
    pub(crate) connections: usize,
    pub(crate) client: &'a MakeClient,
}

/// Measures a server under load, once.
pub(crate) async fn measure(server: &Server, load: &Load<'_>, schedule: Schedule) -> Result<Measurement> {
    let open = |number| ConnectedClient::open(server.address(), (load.client)(number));
    let mut clients = try_join_all((0..load.connections).map(open)).await?;
    run_clients(&mut clients, schedule.warm_up).await?;
    let (cpu, start) = (machine::cpu_time(server.process_id()), Instant::now());
    let counted = run_clients(&mut clients, schedule.measurement).await?;
    let cpu = machine::cpu_time(server.process_id()).zip(cpu).map(|(after, before)| after.saturating_sub(before));
    Measurement::new(&counted, start.elapsed(), cpu)
}

/// Runs all clients for a duration and returns their counted responses.
async fn run_clients(clients: &mut [ConnectedClient], duration: Duration) -> Result<Vec<CountedResponses>> {
    let until = Instant::now() + duration;
    try_join_all(clients.iter_mut().map(|client| client.run_until(until))).await
}
