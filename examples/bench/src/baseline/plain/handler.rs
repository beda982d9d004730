//! The handler that authenticates a token and reads the tasks.

use salvo::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use salvo::prelude::*;
use sha2::{Digest, Sha256};

use super::member::Member;
use super::{Database, postgres, sqlite};
use crate::failure::Result;

pub(super) struct ReadTasks(pub(super) Database);

#[handler]
impl ReadTasks {
    async fn handle(&self, req: &Request, res: &mut Response) {
        match self.response(req).await {
            Ok(Some(json)) => {
                res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                res.body(json);
            }
            Ok(None) => {
                res.status_code(StatusCode::UNAUTHORIZED);
            }
            Err(_) => {
                res.status_code(StatusCode::INTERNAL_SERVER_ERROR);
            }
        }
    }
}

impl ReadTasks {
    async fn response(&self, req: &Request) -> Result<Option<Vec<u8>>> {
        let header = req.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some(token) = header.and_then(|value| value.strip_prefix("Bearer ")) else {
            return Ok(None);
        };
        match self.0.find_member(&Sha256::digest(token)).await? {
            Some(member) => self.0.read_tasks(&member).await.map(Some),
            None => Ok(None),
        }
    }
}

impl Database {
    /// Returns the open tasks that a member can see, as JSON.
    pub(super) async fn read_tasks(&self, member: &Member) -> Result<Vec<u8>> {
        Ok(match self {
            Self::Sqlite(pool) => serde_json::to_vec(&sqlite::boards(pool, member).await?)?,
            Self::Postgres(pool) => serde_json::to_vec(&postgres::boards(pool, member).await?)?,
        })
    }
}
