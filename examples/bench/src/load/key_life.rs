//! Creates and revokes keys in a loop. Each key is revoked at once, because the number of active keys is limited.

use serde::Deserialize;
use serde_json::json;

use super::Client;
use crate::failure::Result;
use crate::http::{Answer, Request};

const KEYS: &str = "/api/users/me/mcp-tokens";

pub(crate) struct KeyLife {
    cookie: String,
    request: Request,
    exists: bool,
}

impl KeyLife {
    pub(crate) fn new(cookie: &str) -> Self {
        Self { cookie: cookie.to_owned(), request: create(cookie), exists: false }
    }
}

impl Client for KeyLife {
    fn request(&self) -> &Request {
        &self.request
    }

    /// Only the creation is counted.
    fn take(&mut self, answer: Answer<'_>) -> Result<bool> {
        if self.exists {
            answer.expect(200)?;
            self.request = create(&self.cookie);
        } else {
            let created: Created = serde_json::from_slice(answer.expect(201)?.body)?;
            let path = format!("{KEYS}/{}", created.id);
            self.request = Request::new("DELETE", &path).header("cookie", &self.cookie);
        }
        self.exists = !self.exists;
        Ok(self.exists)
    }

    fn may_rest(&self) -> bool {
        !self.exists
    }
}

#[derive(Deserialize)]
struct Created {
    id: String,
}

fn create(cookie: &str) -> Request {
    Request::new("POST", KEYS).header("cookie", cookie).json(&json!({ "mode": "v1_read" }))
}
