//! Two servers on one database: a change acknowledged by one takes effect on the other at once.

use std::sync::atomic::{AtomicBool, Ordering};

use family_api_testing::postgres_tests;
use serde_json::json;
use sqlx::Executor;
use tokio::join;

use crate::backend::Backend;
use crate::client::{in_session, with_token};
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, create_key, session_cookie};
use crate::times;

/// Status of a response, and its code if it is an error.
type Outcome = (u16, &'static str);

const PASSES: Outcome = (200, "");
const REVOKED: Outcome = (401, "invalid_token");
const SWITCHED_OFF: Outcome = (401, "api_disabled");
const REMOVED: Outcome = (401, "no_family");

struct Nodes {
    sandbox: Sandbox,
    both: [Server; 2],
    /// Cookie of a session of ana, opened on the first node.
    cookie: String,
}

impl Nodes {
    async fn start() -> Self {
        let sandbox = Sandbox::with_families(Backend::Postgres).await;
        let serve = || sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "warn")]);
        let both = [serve(), serve()];
        let cookie = session_cookie(&both[0], "ana").await;
        Self { sandbox, both, cookie }
    }

    /// Returns both nodes for each round, in alternating order.
    fn rounds(&self) -> impl Iterator<Item = (&Server, &Server)> {
        let [a, b] = &self.both;
        (0..times("FAMILY_API_TEST_ROUNDS", 1_000)).map(move |round| if round % 2 == 0 { (a, b) } else { (b, a) })
    }

    async fn switch_api(&self, node: &Server, on: bool) {
        let body = Some(json!({ "personalApiEnabled": on }));
        assert_eq!(in_session(node, &self.cookie, "PATCH", "/api/users/me", body).await.status, 200);
    }
}

/// Makes a change while several callers call a node in a loop. Requests that begin after the acknowledgement must have
/// the new outcome; earlier requests can have either outcome.
async fn change_under_load(
    node: &Server,
    token: &str,
    [before, after]: [Outcome; 2],
    change: impl Future<Output = ()>,
) {
    expect(node, token, &[before]).await;
    let acknowledged = AtomicBool::new(false);
    let call = async || {
        while !acknowledged.load(Ordering::SeqCst) {
            expect(node, token, &[before, after]).await;
        }
        expect(node, token, &[after]).await;
    };
    let change = async {
        change.await;
        acknowledged.store(true, Ordering::SeqCst);
    };
    join!(call(), call(), call(), change);
}

/// Sends a request with a token. It must have one of the given outcomes.
async fn expect(node: &Server, token: &str, outcomes: &[Outcome]) {
    let answer = with_token(node, token, "GET", "/api/v1/me", None).await;
    let code = if answer.status == 200 { String::new() } else { answer.problem().1 };
    assert!(outcomes.contains(&(answer.status, code.as_str())), "none of {outcomes:?}: {answer:?}");
}

postgres_tests! {
    async fn a_key_revoked_on_one_node_is_refused_on_the_other() {
        let nodes = Nodes::start().await;
        for (here, there) in nodes.rounds() {
            let key = create_key(here, &nodes.cookie).await;
            change_under_load(there, &key.token, [PASSES, REVOKED], async {
                let revoked = in_session(here, &nodes.cookie, "DELETE", &format!("{KEYS}/{}", key.id), None).await;
                assert_eq!(revoked.status, 200);
            })
            .await;
        }
    }

    async fn all_access_that_ends_on_one_node_is_refused_on_the_other() {
        let nodes = Nodes::start().await;
        for (here, there) in nodes.rounds().take(100) {
            nodes.switch_api(here, true).await;
            let key = create_key(here, &nodes.cookie).await;
            change_under_load(there, &key.token, [PASSES, REVOKED], async {
                let ended = in_session(here, &nodes.cookie, "DELETE", "/api/users/me/access", None).await;
                assert_eq!((ended.status, ended.json()["keys"].as_u64()), (200, Some(1)));
            })
            .await;
        }
    }

    async fn a_switched_personal_api_takes_effect_on_both_nodes_at_once() {
        let nodes = Nodes::start().await;
        let token = create_key(&nodes.both[0], &nodes.cookie).await.token;
        for (here, there) in nodes.rounds() {
            change_under_load(there, &token, [PASSES, SWITCHED_OFF], nodes.switch_api(here, false)).await;
            nodes.switch_api(there, true).await;
            expect(here, &token, &[PASSES]).await;
        }
    }

    async fn a_member_removed_by_the_host_is_removed_on_all_nodes() {
        let nodes = Nodes::start().await;
        let token = create_key(&nodes.both[0], &nodes.cookie).await.token;
        let mut host = nodes.sandbox.database().unwrap().connect().await;
        for (_, node) in nodes.rounds() {
            change_under_load(node, &token, [PASSES, REMOVED], async {
                host.execute("UPDATE users SET family_id = NULL WHERE id = 'ana'").await.unwrap();
            })
            .await;
            host.execute("UPDATE users SET family_id = 'rivera' WHERE id = 'ana'").await.unwrap();
        }
    }

    async fn a_session_is_valid_on_both_nodes_and_ends_on_both() {
        let nodes = Nodes::start().await;
        let [a, b] = &nodes.both;
        assert_eq!(in_session(b, &nodes.cookie, "GET", "/api/users/me", None).await.status, 200);
        assert_eq!(in_session(b, &nodes.cookie, "POST", "/logout", None).await.status, 200);
        let ended = in_session(a, &nodes.cookie, "GET", "/api/users/me", None).await;
        assert_eq!(ended.problem(), (401, "not_signed_in".to_owned()));
    }
}
