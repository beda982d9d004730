//! A key is revoked while many clients use it. Each request that starts after the acknowledgement is refused.

use std::cell::Cell;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::join;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::backend::{Backend, on_each_backend};
use crate::figures::Figures;
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, Key, session_cookie};
use crate::short_or_long;
use crate::wire::{Connection, Request, in_session, with_token};

/// The number of clients that use the key at the same time.
const CALLERS: usize = 32;
/// The number of requests of each caller after the revocation.
const LATE_REQUESTS: u32 = 2;
const TASK: &str = "/api/v1/tasks/dentist";
/// The title that requests after the revocation try to write. It must never be stored.
const LATE_TITLE: &str = "written after the revocation";
/// The maximum time for a round.
const TIMEOUT: Duration = Duration::from_mins(1);

on_each_backend! {
    requests_after_the_revocation_are_refused,
}

/// On PostgreSQL there are two servers: half of the callers use the server that did not revoke the key.
async fn requests_after_the_revocation_are_refused(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let serve = || sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "warn")]);
    let (nodes, rounds) = match backend {
        Backend::Sqlite => (vec![serve()], short_or_long(20, 10_000)),
        Backend::Postgres => (vec![serve(), serve()], short_or_long(10, 1_000)),
    };
    let mut callers = Vec::new();
    for caller in 0..CALLERS {
        callers.push(Connection::open(nodes[caller % nodes.len()].address()).await.unwrap());
    }
    let mut owner = Owner::new(&nodes).await;
    let mut counts = [0; 2];
    for round in 0..rounds {
        let round_counts = timeout(TIMEOUT, revoke_under_load(&mut owner, &mut callers, round)).await.unwrap();
        counts = [counts[0] + round_counts[0], counts[1] + round_counts[1]];
    }
    let mut figures = Figures::new(format!("Revocation of a key under {CALLERS} callers, {backend:?}"));
    figures.add("servers", nodes.len());
    figures.add("rounds", rounds);
    figures.add("requests started before the acknowledgement, accepted or refused", counts[0]);
    figures.add("requests started after the acknowledgement, all refused", counts[1]);
    figures.print();
}

/// Revokes a key while all callers use it. Returns the number of requests that started before the acknowledgement, and
/// the number of requests that started after it.
async fn revoke_under_load(owner: &mut Owner, callers: &mut [Connection], round: usize) -> [u32; 2] {
    let key = owner.create(round).await;
    let acknowledged = Cell::new(false);
    let served_callers = watch::Sender::new(0);
    let call = async |caller: usize, connection: &mut Connection| {
        let mut counts = [0; 2];
        while counts[1] < LATE_REQUESTS {
            let late = acknowledged.get();
            let count = counts[0] + counts[1];
            let reply = connection.send(request(caller + count as usize, &key.token, late)).await.unwrap();
            assert!(reply.is_token_refusal() || (reply.status == 200 && !late), "late: {late}, {reply:?}");
            counts[usize::from(late)] += 1;
            if count == 0 {
                served_callers.send_modify(|served| *served += 1);
            }
        }
        counts
    };
    let calls = callers.iter_mut().enumerate().map(|(caller, connection)| call(caller, connection));
    let revoke = async {
        served_callers.subscribe().wait_for(|served| *served == CALLERS).await.unwrap();
        owner.revoke(round, &key).await;
        acknowledged.set(true);
    };
    let (counts, ()) = join!(join_all(calls), revoke);
    assert_ne!(owner.title(round).await, LATE_TITLE);
    counts.iter().fold([0; 2], |sum, counts| [sum[0] + counts[0], sum[1] + counts[1]])
}

/// Returns the request for this turn: one of three reads, or a change of the task.
fn request(turn: usize, token: &str, late: bool) -> Request {
    match turn % 4 {
        0 => with_token(token, "GET", "/api/v1/me", None),
        1 => with_token(token, "GET", "/api/mcp/read/notes", None),
        2 => with_token(token, "GET", "/api/v1/read/tasks", None),
        _ => {
            let title = if late { LATE_TITLE } else { "written in time" };
            with_token(token, "PATCH", TASK, Some(format!(r#"{{"title":"{title}"}}"#)))
        }
    }
}

/// The user who creates and revokes the keys, on each server in turn.
struct Owner {
    cookie: String,
    connections: Vec<Connection>,
}

impl Owner {
    async fn new(nodes: &[Server]) -> Self {
        let mut connections = Vec::new();
        for node in nodes {
            connections.push(Connection::open(node.address()).await.unwrap());
        }
        Self { cookie: session_cookie(&nodes[0], "ana").await, connections }
    }

    async fn send(
        &mut self,
        round: usize,
        status: u16,
        method: &str,
        path: &str,
        body: Option<&str>,
    ) -> serde_json::Value {
        let turn = round % self.connections.len();
        let request = in_session(&self.cookie, method, path, body.map(str::to_owned));
        let reply = self.connections[turn].send(request).await.unwrap();
        assert_eq!(reply.status, status, "{reply:?}");
        serde_json::from_slice(&reply.body).unwrap()
    }

    async fn create(&mut self, round: usize) -> Key {
        Key::from_json(&self.send(round, 201, "POST", KEYS, Some(r#"{"mode":"v1_read_write"}"#)).await)
    }

    async fn revoke(&mut self, round: usize, key: &Key) {
        self.send(round, 200, "DELETE", &format!("{KEYS}/{}", key.id), None).await;
    }

    /// Returns the title of the task, from the response to an empty update.
    async fn title(&mut self, round: usize) -> String {
        let task = self.send(round, 200, "PATCH", "/api/tasks/dentist", Some("{}")).await;
        task["title"].as_str().unwrap().to_owned()
    }
}
