//! The changes of the other family, at a fixed rate.

use std::cell::RefCell;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, sleep_until};

use crate::dataset::MEASURED_FAMILY;
use crate::failure::Result;
use crate::http::Connection;
use crate::process::Server;
use crate::scenarios::{TITLES, patch};
use crate::setup::one_task_of_each;

/// The time from a request to the next one.
const PERIOD: Duration = Duration::from_millis(20);

pub(super) struct Patches {
    /// The latencies in ascending order.
    pub(super) latencies: Vec<Duration>,
    /// The number of requests without the status 200.
    pub(super) failed: usize,
}

impl Patches {
    /// Returns the smallest latency that is not below this percentage of the latencies.
    pub(super) fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.latencies.len() * percent).div_ceil(100);
        self.latencies.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

/// Returns the task that is changed, after the server has used the key once.
pub(super) async fn prepare(server: &Server) -> Result<String> {
    let task = one_task_of_each(server, [MEASURED_FAMILY].into_iter()).await?.pop().ok_or("the family has no task")?;
    Connection::open(server.address()).await?.send(&patch(&task, TITLES[1])).await?.expect(200)?;
    Ok(task)
}

/// Changes a task for a duration. A request does not wait for the answers to earlier ones.
pub(super) async fn measure(server: &Server, task: &str, duration: Duration) -> Result<Patches> {
    let requests = TITLES.map(|title| patch(task, title));
    let (idle, failed, began) = (RefCell::new(vec![]), RefCell::new(0), Instant::now());
    let send = async |number: usize, due: Instant| {
        sleep_until(due).await;
        let idle_connection = idle.borrow_mut().pop();
        let mut connection = match idle_connection {
            Some(connection) => connection,
            None => Connection::open(server.address()).await?,
        };
        match connection.status_of(&requests[number % requests.len()]).await {
            Ok(200) => idle.borrow_mut().push(connection),
            Ok(_) | Err(_) => *failed.borrow_mut() += 1,
        }
        Ok(due.elapsed())
    };
    let due = (0..).map(|number| began + PERIOD * number).take_while(|due| *due < began + duration);
    let latencies = join_all(due.enumerate().map(|(number, due)| send(number, due))).await;
    let mut latencies = latencies.into_iter().collect::<Result<Vec<Duration>>>()?;
    latencies.sort_unstable();
    Ok(Patches { latencies, failed: failed.into_inner() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_smallest_latency_that_covers_it() {
        let latencies: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        let patches = Patches { latencies, failed: 0 };
        for (percent, millis) in [(50, 100), (99, 198), (100, 200)] {
            assert_eq!(patches.percentile(percent), Duration::from_millis(millis), "{percent}");
        }
    }
}
