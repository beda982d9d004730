//! Changes of what a credential may do, while clients use it.

use std::cell::Cell;

use futures_util::future::join_all;
use tokio::join;

use crate::nodes::Trial;
use crate::nodes::balancer::Client;
use crate::wire::{Request, in_session, with_token};

/// The number of clients that use the credential.
const CALLERS: usize = 3;
/// The number of requests of each caller after the change.
const LATE_REQUESTS: u32 = 2;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Credential<'a> {
    Token(&'a str),
    Cookie(&'a str),
}

impl Credential<'_> {
    fn request(self) -> Request {
        match self {
            Self::Token(token) => with_token(token, "GET", "/api/v1/me", None),
            Self::Cookie(cookie) => in_session(cookie, "GET", "/api/users/me", None),
        }
    }
}

/// Clients that use a credential while it changes.
pub(crate) struct Callers<'a> {
    trial: &'a Trial,
    clients: Vec<Client<'a>>,
}

impl<'a> Callers<'a> {
    pub(crate) fn new(trial: &'a Trial) -> Self {
        Self { trial, clients: (0..CALLERS).map(|_| Client::new(trial)).collect() }
    }

    /// Makes a change while the clients use the credential. All answers before the change have one status, and all
    /// answers to requests that start after the acknowledgement have another one.
    pub(crate) async fn change(
        &mut self,
        credential: Credential<'_>,
        [before, after]: [u16; 2],
        change: impl Future<Output = ()>,
    ) {
        let cluster = &self.trial.cluster;
        cluster.assert_status_on_each(before, || credential.request()).await;
        let acknowledged = Cell::new(false);
        let call = async |client: &mut Client<'_>| {
            let mut late_requests = 0;
            while late_requests < LATE_REQUESTS {
                let is_late = acknowledged.get();
                if let Some(reply) = client.send(credential.request()).await {
                    let is_right = reply.status == after || (reply.status == before && !is_late);
                    assert!(is_right, "late: {is_late}, {credential:?}, {reply:?}");
                    late_requests += u32::from(is_late);
                }
            }
        };
        let change = async {
            change.await;
            acknowledged.set(true);
            cluster.assert_status_on_each(after, || credential.request()).await;
        };
        join!(join_all(self.clients.iter_mut().map(call)), change);
    }
}
