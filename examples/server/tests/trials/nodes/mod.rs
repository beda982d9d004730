//! Three nodes on one PostgreSQL, behind nginx with the configuration in `deploy`. The nodes are killed, or stopped as
//! for an upgrade, and started again in turn, while clients read, write, revoke keys, and sign in and out.
//!
//! - A read that starts after the acknowledgement of a write sees the write, on every node.
//! - After the acknowledgement, no node accepts a revoked key, an ended session, or a key whose user has switched the
//!   personal API off.
//! - A request fails only with 503. Its write was then applied completely or not at all.
//! - No acknowledged write is lost. In the end, all nodes give the same answers.

mod balancer;
mod change;
mod cluster;
mod notes;
mod restarts;
mod tasks;
mod users;

use std::cell::Cell;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::join;
use tokio::time::timeout;

use crate::client::request;
use crate::figures::Figures;
use crate::nodes::balancer::Balancer;
use crate::nodes::cluster::Cluster;
use crate::nodes::notes::{check_notes, create_and_delete_notes};
use crate::nodes::restarts::restart_in_turn;
use crate::nodes::tasks::{Numbers, poll, write};
use crate::nodes::users::{User, end_sessions, revoke_keys, switch_api};
use crate::proxies::on_postgres_behind_nginx;
use crate::seeded_rng;

/// The maximum time of the trial.
const TIMEOUT: Duration = Duration::from_mins(15);
/// The number of clients that only read.
const POLLERS: usize = 3;
/// The maximum share of failed requests, in percent.
const MAX_FAILED_PERCENT: usize = 2;

on_postgres_behind_nginx! { nodes_restart_in_turn_under_load = run_in_time() }

async fn run_in_time() {
    timeout(TIMEOUT, Box::pin(run())).await.unwrap();
}

/// What all clients share.
pub(crate) struct Trial {
    cluster: Cluster,
    balancer: Balancer,
    is_running: Cell<bool>,
    /// The number of acknowledged operations.
    acknowledged: Cell<u64>,
}

impl Trial {
    fn acknowledge(&self) {
        self.acknowledged.set(self.acknowledged.get() + 1);
    }
}

async fn run() {
    let mut rng = seeded_rng();
    let cluster = Cluster::start().await;
    let balancer = Balancer::start(cluster.addresses()).await;
    let trial = &Trial { cluster, balancer, is_running: Cell::new(true), acknowledged: Cell::new(0) };
    let token = &User::sign_in(trial, "ana").await.create_key().await.token;
    let numbers = &Numbers::default();
    let notes_rng = rng.fork();
    let (restarts, _, reads, notes, revoked, switches, ended) = join!(
        restart_in_turn(trial, &mut rng),
        join_all((0..Numbers::COUNT).map(|task| write(trial, numbers, task, token))),
        join_all((0..POLLERS).map(|_| poll(trial, numbers, token))),
        create_and_delete_notes(trial, token, notes_rng),
        revoke_keys(trial, "kim"),
        switch_api(trial, "eva"),
        end_sessions(trial, ["flo", "gil", "ben"]),
    );
    check_notes(&answers_of_all_nodes(trial, "/api/v1/read/notes", token).await, &notes);
    numbers.check_final(&answers_of_all_nodes(trial, "/api/v1/read/tasks", token).await);
    for token in &revoked {
        trial.cluster.assert_status_on_each(401, |to| request(to, "GET", "/api/v1/me").bearer_auth(token)).await;
    }
    let (latencies, failed) = (trial.balancer.latencies(), trial.balancer.failed());
    let answered = latencies.len();
    let mut figures = Figures::new("Three nodes behind nginx, restarted in turn");
    restarts.add_to(&mut figures);
    figures.add("time of an answered request", latencies);
    figures.add("failed requests (503)", failed);
    figures.add("acknowledged writes of tasks and notes, seen by all later reads", trial.acknowledged.get());
    figures.add("reads by polling: 200 / 304", format!("{} / {}", sum(&reads, 0), sum(&reads, 1)));
    figures.add("revoked keys, refused by all nodes", revoked.len());
    figures.add("switches of the personal API", switches);
    figures.add("ended sessions, refused by all nodes", ended);
    figures.print();
    assert!(sum(&reads, 1) > 0 && !revoked.is_empty() && switches > 0 && ended > 0);
    assert!(failed * 100 <= answered * MAX_FAILED_PERCENT, "{failed} of {answered} requests failed");
}

/// Returns the answer that all nodes give to a read. They must give the same.
async fn answers_of_all_nodes(trial: &Trial, path: &str, token: &str) -> serde_json::Value {
    let answers = trial.cluster.send_to_each(|to| request(to, "GET", path).bearer_auth(token)).await;
    assert_eq!(answers.len(), 3);
    for answer in &answers {
        assert_eq!(answer.status, 200);
        assert_eq!((&answer.headers["etag"], &answer.text), (&answers[0].headers["etag"], &answers[0].text));
    }
    answers[0].json()
}

fn sum(counts: &[[u64; 2]], index: usize) -> u64 {
    counts.iter().map(|count| count[index]).sum()
}
