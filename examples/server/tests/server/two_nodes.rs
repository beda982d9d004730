//! Two servers on one database: a change acknowledged by one takes effect on the other at once. SQLite has one server,
//! whose caches the change passes.

use std::sync::atomic::{AtomicBool, Ordering};

use family_api_testing::postgres_tests;
use futures_util::future::join_all;
use serde_json::json;
use sqlx::Executor;
use tokio::join;

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, request, send, with_token};
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, create_key, session_cookie};
use crate::times;

const FEEDS: &str = "/api/users/me/calendar-feeds";

/// Status of a response, and its code if it is an error.
type Outcome = (u16, &'static str);

const PASSES: Outcome = (200, "");
const REVOKED: Outcome = (401, "invalid_token");
const SWITCHED_OFF: Outcome = (401, "api_disabled");
const REMOVED: Outcome = (401, "no_family");

/// Method and path of a request, and whether it changes the title of a task.
type Request = (&'static str, &'static str, bool);

const PROFILE: Request = ("GET", "/api/v1/me", false);

/// Requests that each key with full access may send.
const REQUESTS: [Request; 4] = [
    PROFILE,
    ("GET", "/api/mcp/read/notes", false),
    ("GET", "/api/v1/read/tasks", false),
    ("PATCH", "/api/v1/tasks/dentist", true),
];

/// The title that is written after a revocation. It must never be stored.
const LATE_TITLE: &str = "late";

struct Nodes {
    sandbox: Sandbox,
    /// Two nodes, or the only one.
    all: Vec<Server>,
    /// Cookie of a session of ana, opened on the first node.
    cookie: String,
}

impl Nodes {
    async fn start(backend: Backend) -> Self {
        let sandbox = Sandbox::with_families(backend).await;
        let count = if backend == Backend::Postgres { 2 } else { 1 };
        let serve = |_| sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "warn")]);
        let all: Vec<Server> = (0..count).map(serve).collect();
        let cookie = session_cookie(&all[0], "ana").await;
        Self { sandbox, all, cookie }
    }

    /// Returns the first node and the last one.
    fn both(&self) -> [&Server; 2] {
        [&self.all[0], self.all.last().unwrap()]
    }

    /// Returns both nodes for each round, in alternating order.
    fn rounds(&self) -> impl Iterator<Item = (&Server, &Server)> {
        let [a, b] = self.both();
        (0..times("FAMILY_API_TEST_ROUNDS", 1_000)).map(move |round| if round % 2 == 0 { (a, b) } else { (b, a) })
    }

    async fn switch_api(&self, node: &Server, on: bool) {
        let body = Some(json!({ "personalApiEnabled": on }));
        assert_eq!(in_session(node, &self.cookie, "PATCH", "/api/users/me", body).await.status, 200);
    }
}

/// Makes a change while several callers send requests to a node in turn. Requests that begin after the acknowledgement
/// must have the new outcome; earlier requests can have either outcome.
async fn change_under_load(
    node: &Server,
    token: &str,
    requests: &[Request],
    [before, after]: [Outcome; 2],
    change: impl Future<Output = ()>,
) {
    expect(node, token, PROFILE, "", &[before]).await;
    let acknowledged = AtomicBool::new(false);
    let call = async |caller: usize| {
        let mut turns = requests.iter().cycle().skip(caller);
        while !acknowledged.load(Ordering::SeqCst) {
            expect(node, token, *turns.next().unwrap(), "in time", &[before, after]).await;
        }
        for request in requests {
            expect(node, token, *request, LATE_TITLE, &[after]).await;
        }
    };
    let change = async {
        change.await;
        acknowledged.store(true, Ordering::SeqCst);
    };
    join!(join_all((0..4).map(call)), change);
}

/// Sends a request with a token. It must have one of the given outcomes.
async fn expect(node: &Server, token: &str, (method, path, writes): Request, title: &str, outcomes: &[Outcome]) {
    let answer = with_token(node, token, method, path, writes.then(|| json!({ "title": title }))).await;
    let code = if answer.status == 200 { String::new() } else { answer.problem().1 };
    assert!(outcomes.contains(&(answer.status, code.as_str())), "none of {outcomes:?}: {answer:?}");
}

on_each_backend! {
    requests_after_the_revocation_of_a_key_are_refused,
    a_feed_that_ends_on_one_node_is_unknown_on_the_other,
}

async fn requests_after_the_revocation_of_a_key_are_refused(backend: Backend) {
    let nodes = Nodes::start(backend).await;
    for (here, there) in nodes.rounds() {
        let key = create_key(here, &nodes.cookie).await;
        change_under_load(there, &key.token, &REQUESTS, [PASSES, REVOKED], async {
            let revoked = in_session(here, &nodes.cookie, "DELETE", &format!("{KEYS}/{}", key.id), None).await;
            assert_eq!(revoked.status, 200);
        })
        .await;
    }
    assert_eq!(nodes.sandbox.count_rows(&format!("tasks WHERE title = '{LATE_TITLE}'")).await, 0);
}

async fn a_feed_that_ends_on_one_node_is_unknown_on_the_other(backend: Backend) {
    let nodes = Nodes::start(backend).await;
    for (here, there) in nodes.rounds().take(100) {
        let draft = json!({ "name": "Family" });
        let created = in_session(here, &nodes.cookie, "POST", FEEDS, Some(draft)).await.json();
        let [path, id] = ["path", "id"].map(|name| created[name].as_str().unwrap().to_owned());
        let read = async || send(request(there, "GET", &path)).await;
        let ended = AtomicBool::new(false);
        let reader = async {
            while !ended.load(Ordering::SeqCst) {
                let status = read().await.status;
                assert!([200, 404].contains(&status), "{status}");
            }
            let late = read().await;
            assert_eq!((late.status, late.text.as_str()), (404, ""));
        };
        let end = async {
            assert_eq!(read().await.status, 200);
            let answer = in_session(here, &nodes.cookie, "DELETE", &format!("{FEEDS}/{id}"), None).await;
            assert_eq!(answer.status, 200);
            ended.store(true, Ordering::SeqCst);
        };
        join!(reader, end);
    }
}

postgres_tests! {
    async fn all_access_that_ends_on_one_node_is_refused_on_the_other() {
        let nodes = Nodes::start(Backend::Postgres).await;
        for (here, there) in nodes.rounds().take(100) {
            nodes.switch_api(here, true).await;
            let key = create_key(here, &nodes.cookie).await;
            change_under_load(there, &key.token, &[PROFILE], [PASSES, REVOKED], async {
                let ended = in_session(here, &nodes.cookie, "DELETE", "/api/users/me/access", None).await;
                assert_eq!((ended.status, ended.json()["keys"].as_u64()), (200, Some(1)));
            })
            .await;
        }
    }

    async fn a_switched_personal_api_takes_effect_on_both_nodes_at_once() {
        let nodes = Nodes::start(Backend::Postgres).await;
        let token = create_key(&nodes.all[0], &nodes.cookie).await.token;
        for (here, there) in nodes.rounds() {
            change_under_load(there, &token, &[PROFILE], [PASSES, SWITCHED_OFF], nodes.switch_api(here, false))
                .await;
            nodes.switch_api(there, true).await;
            expect(here, &token, PROFILE, "", &[PASSES]).await;
        }
    }

    async fn a_member_removed_by_the_host_is_removed_on_all_nodes() {
        let nodes = Nodes::start(Backend::Postgres).await;
        let token = create_key(&nodes.all[0], &nodes.cookie).await.token;
        let mut host = nodes.sandbox.database().unwrap().connect().await;
        for (_, node) in nodes.rounds() {
            change_under_load(node, &token, &[PROFILE], [PASSES, REMOVED], async {
                host.execute("UPDATE users SET family_id = NULL WHERE id = 'ana'").await.unwrap();
            })
            .await;
            host.execute("UPDATE users SET family_id = 'rivera' WHERE id = 'ana'").await.unwrap();
        }
    }

    async fn a_session_is_valid_on_both_nodes_and_ends_on_both() {
        let nodes = Nodes::start(Backend::Postgres).await;
        let [a, b] = nodes.both();
        assert_eq!(in_session(b, &nodes.cookie, "GET", "/api/users/me", None).await.status, 200);
        assert_eq!(in_session(b, &nodes.cookie, "POST", "/logout", None).await.status, 200);
        let ended = in_session(a, &nodes.cookie, "GET", "/api/users/me", None).await;
        assert_eq!(ended.problem(), (401, "not_signed_in".to_owned()));
    }
}
