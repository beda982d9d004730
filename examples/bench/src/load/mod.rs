//! The load: callers that send the next request as soon as they get a response.

mod caller;
mod client;
mod key_life;
mod sample;

use std::time::{Duration, Instant};

use futures_util::future::{try_join, try_join_all};

use caller::Caller;
pub(crate) use client::{Client, Conditional, Cycle, Pick, Step};
pub(crate) use key_life::KeyLife;
pub(crate) use sample::Sample;

use crate::failure::Result;
use crate::machine;
use crate::process::Server;

/// Creates the client of a connection from its number.
pub(crate) type MakeClient = Box<dyn Fn(usize) -> Box<dyn Client>>;

/// Durations of a measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) rounds: u32,
    /// Warm-up before each measurement; not counted.
    pub(crate) warm_up: Duration,
    pub(crate) measured: Duration,
}

/// The callers of a server.
pub(crate) struct Load<'a> {
    pub(crate) connections: usize,
    pub(crate) client: &'a MakeClient,
    /// A second caller at a constant rate; not counted.
    pub(crate) writer: Option<(&'a MakeClient, Duration)>,
}

/// Measures a server under load, once.
pub(crate) async fn measure(server: &Server, load: &Load<'_>, pace: Pace) -> Result<Sample> {
    let open = |number| Caller::open(server.address(), (load.client)(number));
    let mut readers = try_join_all((0..load.connections).map(open)).await?;
    let mut writer = match load.writer {
        Some((client, interval)) => Some((Caller::open(server.address(), client(0)).await?, interval)),
        None => None,
    };
    drive(&mut readers, &mut writer, pace.warm_up).await?;
    let (cpu, begun) = (machine::cpu_time(server.process()), Instant::now());
    let answered = drive(&mut readers, &mut writer, pace.measured).await?;
    let cpu = machine::cpu_time(server.process()).zip(cpu).map(|(after, before)| after.saturating_sub(before));
    Sample::new(&answered, begun.elapsed(), cpu)
}

/// Runs all callers for a time, and returns the latencies of the counted responses.
async fn drive(
    readers: &mut [Caller],
    writer: &mut Option<(Caller, Duration)>,
    time: Duration,
) -> Result<Vec<caller::Answered>> {
    let until = Instant::now() + time;
    let reading = try_join_all(readers.iter_mut().map(|reader| reader.ask_until(until)));
    let writing = async {
        match writer {
            Some((writer, interval)) => writer.ask_every(*interval, until).await,
            None => Ok(()),
        }
    };
    Ok(try_join(reading, writing).await?.0)
}
