//! The tasks, notes and events of the family, as read through the API.

use std::collections::BTreeMap;

use reqwest::header::{AUTHORIZATION, IF_NONE_MATCH};
use serde_json::Value;

use crate::client::{Response, request, send, with_token};
use crate::sandbox::Server;

pub(crate) struct Documents {
    /// Tasks by id.
    pub(crate) tasks: BTreeMap<String, Value>,
    /// Notes by id.
    pub(crate) notes: BTreeMap<String, Value>,
    /// Events by id.
    pub(crate) events: BTreeMap<String, Value>,
    /// The responses for [`RESOURCES`].
    responses: [Response; 3],
}

const RESOURCES: [&str; 3] = ["/api/v1/read/tasks?completed=all", "/api/mcp/read/notes", "/api/v1/read/events"];

impl Documents {
    pub(crate) async fn read(server: &Server, token: &str) -> Self {
        let read = async |resource| {
            let response = with_token(server, token, "GET", resource, None).await;
            assert_eq!(response.status, 200, "{response:?}");
            response
        };
        let responses = [read(RESOURCES[0]).await, read(RESOURCES[1]).await, read(RESOURCES[2]).await];
        let [boards, notes, events] = responses.each_ref().map(Response::json);
        let columns = elements(&boards).flat_map(|board| elements(&board["columns"]));
        let tasks = columns.flat_map(|column| elements(&column["tasks"])).map(id_and_record).collect();
        let notes = elements(&notes).map(id_and_record).collect();
        let events = elements(&events).map(id_and_record).collect();
        Self { tasks, notes, events, responses }
    }

    /// Asserts that an earlier entity tag matches only if the document is unchanged. If the tag matches a changed
    /// document, a crash has reset the revision but kept the change.
    pub(crate) async fn assert_etags_changed_since(&self, earlier: &Self, server: &Server, token: &str) {
        for ((resource, now), before) in RESOURCES.into_iter().zip(&self.responses).zip(&earlier.responses) {
            let request = request(server, "GET", resource).header(AUTHORIZATION, format!("Bearer {token}"));
            let status = send(request.header(IF_NONE_MATCH, before.header("etag").unwrap())).await.status;
            assert!(status == 200 || (status == 304 && now.text == before.text), "{status} of {resource}");
        }
    }
}

fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().unwrap().iter()
}

fn id_and_record(record: &Value) -> (String, Value) {
    (record["id"].as_str().unwrap().to_owned(), record.clone())
}
