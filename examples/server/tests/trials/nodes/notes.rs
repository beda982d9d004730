//! Notes that are created with idempotency keys and deleted. Each one exists exactly once, or not at all.

use std::collections::BTreeMap;

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::join;

use crate::client::{Destination, Response, request, with_body};
use crate::nodes::Trial;
use crate::nodes::balancer::Client;

/// The maximum number of notes.
const MAX_NOTES: usize = 20;

/// The ids of the notes, by their titles.
pub(crate) type Notes = BTreeMap<String, String>;

/// Creates and deletes notes in a loop. Returns those that exist.
pub(crate) async fn create_and_delete_notes(trial: &Trial, token: &str, mut rng: fastrand::Rng) -> Notes {
    let clients = [Client::new(trial), Client::new(trial)];
    let mut notes = Notes::new();
    let mut count = 0;
    while trial.is_running.get() {
        if notes.len() < MAX_NOTES && (notes.is_empty() || rng.bool()) {
            count += 1;
            let title = format!("note-{count}");
            let id = create(&clients, token, &title).await;
            notes.insert(title, id);
        } else {
            let title = rng.choice(notes.keys()).unwrap().clone();
            let path = format!("/api/v1/notes/{}", notes.remove(&title).unwrap());
            let delete = |to: &Destination| request(to, "DELETE", &path).bearer_auth(token);
            let (answer, is_repeated) = clients[0].send_until_answered(delete).await;
            assert!(answer.status == 200 || (is_repeated && answer.status == 404), "{answer:?}");
        }
        trial.acknowledge();
    }
    notes
}

/// Two clients send the same creation until one of them has an answer. Returns the id of the note.
async fn create([first, second]: &[Client<'_>; 2], token: &str, title: &str) -> String {
    loop {
        let create = |to: &Destination| creation(to, token, title);
        let answers: [_; 2] = join!(first.send(create), second.send(create)).into();
        let mut ids = answers.into_iter().flatten().filter_map(|answer| created_id(&answer));
        if let Some(id) = ids.next() {
            assert!(ids.all(|other| other == id), "{title} was created twice");
            return id;
        }
    }
}

fn creation(to: &Destination, token: &str, title: &str) -> RequestBuilder {
    let request = request(to, "POST", "/api/v1/notes").bearer_auth(token).header("idempotency-key", title);
    with_body(request, Some(json!({ "title": title })))
}

/// Returns the id of the created note, or `None` if another creation with the key is running on the same node.
fn created_id(answer: &Response) -> Option<String> {
    let body = answer.json();
    assert!(answer.status == 201 || body["code"] == "idempotency_running", "{answer:?}");
    (answer.status == 201).then(|| body["id"].as_str().unwrap().to_owned())
}

/// Checks the document of notes after the last write.
pub(crate) fn check_notes(document: &Value, expected: &Notes) {
    let text = |note: &Value, field: &str| note[field].as_str().unwrap().to_owned();
    let notes = document.as_array().unwrap();
    let stored: Notes = notes.iter().map(|note| (text(note, "title"), text(note, "id"))).collect();
    assert_eq!((&stored, notes.len()), (expected, expected.len()));
}
