//! Notes that are created with idempotency keys and deleted. Each one exists exactly once, or not at all.

use std::collections::BTreeMap;

use hyper::header::HeaderValue;
use serde_json::{Value, json};
use tokio::join;

use crate::nodes::Trial;
use crate::nodes::balancer::Client;
use crate::wire::{Reply, Request, with_token};

/// The maximum number of notes.
const MAX_NOTES: usize = 20;

/// The ids of the notes, by their titles.
pub(crate) type Notes = BTreeMap<String, String>;

/// Creates and deletes notes in a loop. Returns those that exist.
pub(crate) async fn create_and_delete_notes(trial: &Trial, token: &str, mut rng: fastrand::Rng) -> Notes {
    let mut clients = [Client::new(trial), Client::new(trial)];
    let mut notes = Notes::new();
    let mut count = 0;
    while trial.is_running.get() {
        if notes.len() < MAX_NOTES && (notes.is_empty() || rng.bool()) {
            count += 1;
            let title = format!("note-{count}");
            let id = create(&mut clients, token, &title).await;
            notes.insert(title, id);
        } else {
            let title = rng.choice(notes.keys()).unwrap().clone();
            let path = format!("/api/v1/notes/{}", notes.remove(&title).unwrap());
            let delete = || with_token(token, "DELETE", &path, None);
            let (reply, is_repeated) = clients[0].send_until_answered(delete).await;
            assert!(reply.status == 200 || (is_repeated && reply.status == 404), "{reply:?}");
        }
        trial.acknowledge();
    }
    notes
}

/// Two clients send the same creation until one of them has an answer. Returns the id of the note.
async fn create([first, second]: &mut [Client<'_>; 2], token: &str, title: &str) -> String {
    loop {
        let replies = join!(first.send(creation(token, title)), second.send(creation(token, title)));
        let mut ids = [replies.0, replies.1].into_iter().flatten().filter_map(|reply| created_id(&reply));
        if let Some(id) = ids.next() {
            assert!(ids.all(|other| other == id), "{title} was created twice");
            return id;
        }
    }
}

fn creation(token: &str, title: &str) -> Request {
    let mut request = with_token(token, "POST", "/api/v1/notes", Some(json!({ "title": title }).to_string()));
    request.headers_mut().insert("idempotency-key", HeaderValue::from_str(title).unwrap());
    request
}

/// Returns the id of the created note, or `None` if another creation with the key is running on the same node.
fn created_id(reply: &Reply) -> Option<String> {
    let body: Value = serde_json::from_slice(&reply.body).unwrap();
    assert!(reply.status == 201 || body["code"] == "idempotency_running", "{reply:?}");
    (reply.status == 201).then(|| body["id"].as_str().unwrap().to_owned())
}

/// Checks the document of notes after the last write.
pub(crate) fn check_notes(document: &Value, expected: &Notes) {
    let text = |note: &Value, field: &str| note[field].as_str().unwrap().to_owned();
    let notes = document.as_array().unwrap();
    let stored: Notes = notes.iter().map(|note| (text(note, "title"), text(note, "id"))).collect();
    assert_eq!((&stored, notes.len()), (expected, expected.len()));
}
