//! The requests of the large family.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use fastrand::Rng;
use futures_util::future::join_all;
use serde_json::json;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::dataset::{self, LARGEST_COLUMN, LARGEST_FAMILY, largest_task};
use crate::failure::Result;
use crate::http::{Connection, Request};
use crate::scenarios::list_tasks;
use crate::setup::TASKS;

/// The number of clients of the family.
const CLIENTS: usize = 40;

/// The number of answers with each status. The status 0 stands for a connection that ended without an answer.
type Answers = BTreeMap<u16, u32>;

pub(super) struct Load {
    pub(super) name: &'static str,
    /// The kinds of requests. Clients with consecutive numbers send different kinds.
    requests: Vec<fn() -> Request>,
}

/// Returns what one family can do to the server, one after the other and then together.
pub(super) fn loads() -> Vec<Load> {
    let load = |name, requests: &[fn() -> Request]| Load { name, requests: requests.to_vec() };
    vec![
        load("none", &[]),
        load("40 clients move a task to the top", &[move_to_top]),
        load("40 clients read the whole document", &[read]),
        load("40 clients call `list_tasks`", &[list]),
        load("40 clients, a third does each", &[move_to_top, read, list]),
    ]
}

fn token() -> String {
    dataset::token(LARGEST_FAMILY, 0)
}

/// Moves a random task.
fn move_to_top() -> Request {
    let task = largest_task(Rng::new().u32(..20_000));
    let body = json!({ "type": "move-task", "columnId": LARGEST_COLUMN, "order": 0 });
    Request::new("PATCH", &format!("/api/v1/tasks/{task}")).token(&token()).json(&body)
}

fn read() -> Request {
    Request::get(TASKS).token(&token())
}

fn list() -> Request {
    list_tasks(&token())
}

impl Load {
    /// Sends the requests for a duration. It runs in a thread of its own, so that long answers do not delay the
    /// measurement.
    pub(super) fn start(self, address: String, duration: Duration) -> JoinHandle<Result<Answers>> {
        spawn(move || Builder::new_current_thread().enable_all().build()?.block_on(self.send(&address, duration)))
    }

    async fn send(&self, address: &str, duration: Duration) -> Result<Answers> {
        let answers = RefCell::new(Answers::new());
        let clients = self.requests.iter().cycle().take(CLIENTS).map(|request| send(address, *request, &answers));
        // The clients run until the time is over.
        drop(timeout(duration, join_all(clients)).await);
        Ok(answers.into_inner())
    }
}

async fn send(address: &str, request: fn() -> Request, answers: &RefCell<Answers>) {
    let mut connection = None;
    loop {
        let status = send_one(&mut connection, address, &request()).await.unwrap_or_default();
        connection = connection.filter(|_| status > 0);
        *answers.borrow_mut().entry(status).or_default() += 1;
    }
}

async fn send_one(connection: &mut Option<Connection>, address: &str, request: &Request) -> Result<u16> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(Connection::open(address).await?),
    };
    connection.status_of(request).await
}
