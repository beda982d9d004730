//! Changes of what a credential may do, while clients use it.

use std::cell::Cell;

use futures_util::future::join_all;
use tokio::join;

use crate::client::Destination;
use crate::credential::Credential;
use crate::nodes::Trial;
use crate::nodes::balancer::Client;

/// The number of clients that use the credential.
const CALLERS: usize = 3;
/// The number of requests of each caller after the change.
const LATE_REQUESTS: u32 = 2;

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
        &self,
        credential: &Credential,
        [before, after]: [u16; 2],
        change: impl Future<Output = ()>,
    ) {
        let cluster = &self.trial.cluster;
        let path = match credential {
            Credential::Token(_) => "/api/v1/me",
            Credential::Cookie(_) => "/api/users/me",
        };
        let read = |to: &Destination| credential.request(to, "GET", path, None);
        cluster.assert_status_on_each(before, read).await;
        let acknowledged = Cell::new(false);
        let call = async |client: &Client<'_>| {
            let mut late_requests = 0;
            while late_requests < LATE_REQUESTS {
                let is_late = acknowledged.get();
                if let Some(answer) = client.send(read).await {
                    let is_right = answer.status == after || (answer.status == before && !is_late);
                    assert!(is_right, "late: {is_late}, {credential:?}, {answer:?}");
                    late_requests += u32::from(is_late);
                }
            }
        };
        let change = async {
            change.await;
            acknowledged.set(true);
            cluster.assert_status_on_each(after, read).await;
        };
        join!(join_all(self.clients.iter().map(call)), change);
    }
}
