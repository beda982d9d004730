//! A record whose fields all contain the same number. Its only writer increments the number.

use serde_json::{Value, json};

use crate::credential::Credential;
use crate::kill::documents::Documents;
use crate::kill::writer::Expected;
use crate::sandbox::Server;

pub(crate) struct NumberedRecord {
    id: &'static str,
    kind: &'static str,
    body: fn(u64) -> Value,
    writer: Credential,
    number: Expected<u64>,
}

pub(crate) fn task_body(number: u64) -> Value {
    let priority = ["LOW", "MEDIUM", "HIGH", "URGENT"][usize::try_from(number % 4).unwrap()];
    json!({
        "title": number.to_string(), "description": format!("the title is {number}"), "labels": [number.to_string()],
        "priority": priority, "completed": number % 2 == 1,
    })
}

pub(crate) fn note_body(number: u64) -> Value {
    json!({
        "title": number.to_string(), "content": number.to_string().repeat(500), "tags": [number.to_string()],
        "pinned": number % 2 == 1, "color": format!("#{:06x}", number % 0x0100_0000),
    })
}

impl NumberedRecord {
    pub(crate) fn new(id: &'static str, kind: &'static str, body: fn(u64) -> Value, writer: Credential) -> Self {
        Self { id, kind, body, writer, number: Expected::new(0) }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let next = self.number.state + 1;
        let path = format!("/api/v1/{}/{}", self.kind, self.id);
        let request = self.writer.request(server, "PATCH", &path, Some((self.body)(next)));
        self.number.write(next, request, 200).await.is_some()
    }

    pub(crate) fn check_after_restart(&mut self, documents: &Documents) -> Option<bool> {
        let records = if self.kind == "tasks" { &documents.tasks } else { &documents.notes };
        let record = &records[self.id];
        let number = record["title"].as_str().unwrap().parse().unwrap();
        for (field, value) in (self.body)(number).as_object().unwrap() {
            assert_eq!(&record[field], value, "{field} of {} at {number}", self.id);
        }
        if self.kind == "tasks" {
            assert_eq!(record["completedAt"].is_null(), record["completed"] == false, "{record}");
        }
        self.number.check(number)
    }
}
