//! Stops and starts the nodes in turn.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::figures::Figures;
use crate::latencies::Latencies;
use crate::nodes::Trial;
use crate::nodes::cluster::{NODES, Stop};
use crate::short_or_long;
use crate::tables::SESSIONS;

/// The minimum number of acknowledged writes between two restarts.
const WRITES: u64 = 20;
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// The maximum number of connections to the database: by default, 11 of each node.
const MAX_DATABASE_CONNECTIONS: i64 = 33;

/// What has happened to the nodes.
#[derive(Default)]
pub(crate) struct Restarts {
    kills: StopCounts,
    terminations: StopCounts,
    starts: Latencies,
    max_database_connections: i64,
}

#[derive(Default)]
struct StopCounts {
    stops: u32,
    /// The number of requests that failed until the node ran again.
    failed_requests: usize,
}

impl Restarts {
    pub(crate) fn add_to(&self, figures: &mut Figures) {
        for (signal, counts) in [("SIGKILL", &self.kills), ("SIGTERM", &self.terminations)] {
            let StopCounts { stops, failed_requests } = counts;
            figures
                .add(format!("nodes stopped with {signal} / failed requests"), format!("{stops} / {failed_requests}"));
        }
        figures.add("time from process start to the socket", &self.starts);
        figures.add("connections to the database, at most", self.max_database_connections);
    }

    /// Counts the connections to the database. Those of a killed node can live until their last statement ends.
    async fn count_connections(&mut self, trial: &Trial) {
        loop {
            let count = trial.cluster.sandbox().count_rows(SESSIONS).await;
            if count <= MAX_DATABASE_CONNECTIONS {
                self.max_database_connections = self.max_database_connections.max(count);
                break;
            }
            sleep(POLL_INTERVAL).await;
        }
    }
}

/// Restarts the nodes in turn, while the other two answer. Then ends the trial.
pub(crate) async fn restart_in_turn(trial: &Trial, rng: &mut fastrand::Rng) -> Restarts {
    let mut restarts = Restarts::default();
    for turn in 0..short_or_long(4, 80) {
        let writes = trial.acknowledged.get() + WRITES;
        while trial.acknowledged.get() < writes {
            sleep(POLL_INTERVAL).await;
        }
        restarts.count_connections(trial).await;
        sleep(random_time(rng)).await;
        let stop = if turn % 4 == 3 { Stop::Terminate } else { Stop::Kill };
        let failed_before = trial.balancer.failed();
        trial.cluster.stop_node(turn % NODES, stop).await;
        sleep(random_time(rng)).await;
        let began = Instant::now();
        trial.cluster.start_node(turn % NODES).await;
        restarts.starts.push(began.elapsed());
        let counts = if stop == Stop::Kill { &mut restarts.kills } else { &mut restarts.terminations };
        counts.stops += 1;
        counts.failed_requests += trial.balancer.failed() - failed_before;
    }
    trial.is_running.set(false);
    restarts
}

/// Returns up to two seconds: nginx avoids a failed node for two seconds.
fn random_time(rng: &mut fastrand::Rng) -> Duration {
    Duration::from_micros(rng.u64(0..2_000_000))
}
