//! `user move`.

use serde_json::{Value, json};

use crate::administration::{error, json, output};
use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, with_token};
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

on_each_backend! {
    a_moved_user_sees_the_new_family_at_once,
    a_move_to_an_unknown_family_changes_nothing,
}

const EMAIL: &str = "ana@family.example";

async fn a_moved_user_sees_the_new_family_at_once(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let token = create_key(&server, &cookie).await.token;
    let chidi = create_key(&server, &session_cookie(&server, "chidi").await).await.token;
    let notes = async || with_token(&server, &token, "GET", "/api/v1/read/notes", None).await;
    let ids = |notes: &Value| notes.as_array().unwrap().iter().map(|note| note["id"].clone()).collect::<Vec<_>>();
    // The note of the family names Ana as its author, if she is a member.
    let notes_of_chidi = async || with_token(&server, &chidi, "GET", "/api/v1/read/notes", None).await;
    assert_eq!(ids(&notes().await.json()), ["wifi"]);
    let before = notes_of_chidi().await;

    let moved = json(&sandbox, &["user", "move", EMAIL, "--family", "okafor"]);
    assert_eq!((&moved[0]["email"], &moved[0]["familyId"]), (&json!(EMAIL), &json!("okafor")));
    assert_eq!(ids(&notes().await.json()), ["cabin"]);
    assert_ne!(notes_of_chidi().await.text, before.text);
    let profile = in_session(&server, &cookie, "GET", "/api/users/me", None).await.json();
    assert_eq!(profile["familyId"], "okafor");

    assert_eq!(output(&sandbox, &["user", "move", EMAIL, "--no-family"]), format!("{EMAIL} is in no family\n"));
    assert_eq!(notes_of_chidi().await.text, before.text);
    assert_eq!(
        output(&sandbox, &["user", "move", EMAIL, "--family", "rivera"]),
        format!("{EMAIL} is in the family rivera\n")
    );
    assert_eq!(ids(&notes().await.json()), ["wifi"]);
}

async fn a_move_to_an_unknown_family_changes_nothing(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let users = json(&sandbox, &["user", "list"]);
    assert_eq!(error(&sandbox, &["user", "move", EMAIL, "--family", "nowhere"]), "no family has the id nowhere");
    let unknown = ["user", "move", "nobody@family.example", "--no-family"];
    assert_eq!(error(&sandbox, &unknown), "no user has the e-mail address nobody@family.example");
    assert_eq!(json(&sandbox, &["user", "list"]), users);
}
