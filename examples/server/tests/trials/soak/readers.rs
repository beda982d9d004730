//! Clients that read with many keys: a family whose records change all the time, and one whose records never change.

use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, ETAG, HeaderValue, IF_NONE_MATCH};

use crate::client::request;
use crate::session::{create_key, session_cookie};
use crate::soak::load::{Actor, Load};

/// The users, the number of their keys, and the pause between two requests with a key. A key may make five requests per
/// second.
const READERS: [(&str, usize, Duration); 3] = [
    ("ana", 5, Duration::from_millis(500)),
    ("kim", 5, Duration::from_millis(500)),
    ("chidi", 10, Duration::from_millis(300)),
];

const PATHS: [&str; 9] = [
    "/api/v1/me",
    "/api/v1/read/tasks",
    "/api/v1/read/tasks?completed=all",
    "/api/v1/read/events?from=2026-11-01&to=2026-12-01",
    "/api/v1/read/events?from=2026-11-01&to=2026-12-01&expand=true",
    "/api/v1/read/shopping",
    "/api/mcp/read/notes",
    "/api/v1/read/task_stats",
    "/api/v1/read/notes",
];

const CODINGS: [&str; 3] = ["identity", "gzip", "zstd"];

pub(super) async fn actors<'a>(load: &'a Load, metrics: &'a str) -> Vec<Actor<'a>> {
    let mut actors: Vec<Actor<'a>> = vec![Box::pin(observe(load, metrics))];
    for (user, keys, pause) in READERS {
        let cookie = session_cookie(&load.server, user).await;
        for number in 0..keys {
            let token = create_key(&load.server, &cookie).await.token;
            actors.push(Box::pin(read(load, token, CODINGS[number % CODINGS.len()], pause)));
        }
    }
    actors
}

/// Reads all paths in turn. Every second time, it asks whether the answer has changed.
async fn read(load: &Load, token: String, coding: &str, pause: Duration) {
    let mut etags: [Option<HeaderValue>; PATHS.len()] = Default::default();
    let mut turn = 0;
    load.repeat(pause, async || {
        let path = turn % PATHS.len();
        let request = request(&load.server, "GET", PATHS[path]).header(ACCEPT_ENCODING, coding);
        let request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        let answer = match etags[path].take() {
            Some(etag) => load.send(request.header(IF_NONE_MATCH, etag), &[200, 304]).await,
            None => load.send(request, &[200]).await,
        };
        if (turn / PATHS.len()).is_multiple_of(2) {
            etags[path] = answer.and_then(|answer| answer.headers.get(ETAG).cloned());
        }
        turn += 1;
    })
    .await;
}

/// Reads the metrics and the health, as monitoring does.
async fn observe(load: &Load, metrics: &str) {
    load.repeat(Duration::from_secs(5), async || {
        load.send(load.server.client.get(metrics), &[200]).await;
        for path in ["/healthz", "/readyz"] {
            load.send(request(&load.server, "GET", path), &[200]).await;
        }
    })
    .await;
}
