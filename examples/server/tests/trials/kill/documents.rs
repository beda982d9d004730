//! The tasks and notes of the family, as read through the API.

use std::collections::BTreeMap;

use reqwest::header::{AUTHORIZATION, IF_NONE_MATCH};
use serde_json::Value;

use crate::client::{Answer, request, send, with_token};
use crate::sandbox::Server;

pub(crate) struct Documents {
    /// By id.
    pub(crate) tasks: BTreeMap<String, Value>,
    pub(crate) notes: BTreeMap<String, Value>,
    /// The responses for both resources.
    answers: [Answer; 2],
}

const RESOURCES: [&str; 2] = ["/api/v1/read/tasks?completed=all", "/api/mcp/read/notes"];

impl Documents {
    pub(crate) async fn read(server: &Server, token: &str) -> Self {
        let read = async |resource| {
            let answer = with_token(server, token, "GET", resource, None).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            answer
        };
        let answers = [read(RESOURCES[0]).await, read(RESOURCES[1]).await];
        let [boards, notes] = [answers[0].json(), answers[1].json()];
        let columns = members(&boards).flat_map(|board| members(&board["columns"]));
        let tasks = columns.flat_map(|column| members(&column["tasks"])).map(by_id).collect();
        let notes = members(&notes).map(by_id).collect();
        Self { tasks, notes, answers }
    }

    /// Asserts that an earlier entity tag matches only if the document is unchanged: a crash must not reset a revision
    /// and keep its change.
    pub(crate) async fn assert_etags_changed_since(&self, earlier: &Self, server: &Server, token: &str) {
        for ((resource, now), before) in RESOURCES.into_iter().zip(&self.answers).zip(&earlier.answers) {
            let request = request(server, "GET", resource).header(AUTHORIZATION, format!("Bearer {token}"));
            let status = send(request.header(IF_NONE_MATCH, before.header("etag").unwrap())).await.status;
            assert!(status == 200 || (status == 304 && now.text == before.text), "{status} of {resource}");
        }
    }
}

fn members(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().unwrap().iter()
}

fn by_id(record: &Value) -> (String, Value) {
    (record["id"].as_str().unwrap().to_owned(), record.clone())
}
