//! Users that enable and disable the personal API. Their keys work only if it is enabled.

use serde_json::json;

use crate::client::with_token;
use crate::kill::writer::{InDoubtCounts, Writer};
use crate::sandbox::Server;

pub(crate) struct Flags {
    users: Vec<Flag>,
    /// The index of the user that writes next.
    turn: usize,
    /// Whether the last change of that user is in doubt.
    is_in_doubt: bool,
}

pub(crate) struct Flag {
    is_on: bool,
    writer: Writer,
    token: String,
}

impl Flag {
    /// Creates a flag that is on.
    pub(crate) fn new(writer: Writer, token: String) -> Self {
        Self { is_on: true, writer, token }
    }

    /// Reads the stored flag, and asserts that the key works only if the flag is on.
    async fn read(&self, server: &Server) -> bool {
        let profile = self.writer.attempt(server, "GET", "/api/users/me", None).await.unwrap().json();
        let is_on = profile["personalApiEnabled"].as_bool().unwrap();
        let answer = with_token(server, &self.token, "GET", "/api/v1/me", None).await;
        assert_eq!(answer.status, if is_on { 200 } else { 401 }, "{answer:?}");
        is_on
    }
}

impl Flags {
    pub(crate) fn new(users: Vec<Flag>) -> Self {
        Self { users, turn: 0, is_in_doubt: false }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let flag = &mut self.users[self.turn];
        let body = json!({ "personalApiEnabled": !flag.is_on });
        let Some(answer) = flag.writer.attempt(server, "PATCH", "/api/users/me", Some(body)).await else {
            self.is_in_doubt = true;
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        flag.is_on = !flag.is_on;
        self.turn = (self.turn + 1) % self.users.len();
        true
    }

    pub(crate) async fn check_after_restart(&mut self, server: &Server, in_doubt_counts: &mut InDoubtCounts) {
        for (user, flag) in self.users.iter_mut().enumerate() {
            let is_on = flag.read(server).await;
            let is_in_doubt = self.is_in_doubt && user == self.turn;
            assert!(is_on == flag.is_on || is_in_doubt, "the flag of user {user} differs from the acknowledged value");
            if is_in_doubt {
                in_doubt_counts.record(is_on != flag.is_on);
            }
            flag.is_on = is_on;
        }
        self.is_in_doubt = false;
    }
}
