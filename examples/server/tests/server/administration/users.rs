//! `user add` and `user list`.

use serde_json::json;

use crate::administration::{error, field, json, output};
use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, sign_in};
use crate::sandbox::Sandbox;

on_each_backend! {
    an_added_user_signs_in_and_sees_the_family,
    an_invalid_user_is_refused,
    users_are_listed_by_family,
}

async fn an_added_user_signs_in_and_sees_the_family(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let added = json(
        &sandbox,
        &["user", "add", "Eva@family.example", "--name", "Eva", "--family", "rivera", "--time-zone", "Europe/Madrid"],
    );
    assert_eq!((&added[0]["familyId"], &added[0]["hasPassword"]), (&json!("rivera"), &json!(false)));
    let set = sandbox.run(&["user", "set-password", "Eva@family.example", "--stdin", "--json"], "correct-horse\n");
    let set: serde_json::Value = serde_json::from_slice(&set.stdout).unwrap();
    assert_eq!((&set["email"], &set["hasPassword"]), (&json!("Eva@family.example"), &json!(true)));

    let cookie = sign_in(&server, "Eva@family.example", "correct-horse").await.cookie();
    let profile = in_session(&server, &cookie, "GET", "/api/users/me", None).await.json();
    let expected = json!(["rivera", "Europe/Madrid", "EUR", false]);
    let fields = ["familyId", "timeZone", "displayCurrency", "personalApiEnabled"];
    assert_eq!(json!(fields.map(|name| &profile[name])), expected);
}

async fn an_invalid_user_is_refused(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let user = |more: &[&'static str]| [&["user", "add", "eva@family.example", "--name", "Eva"], more].concat();
    for (more, message) in [
        (&["--family", "nowhere"][..], "--family does not exist"),
        (&["--no-family", "--id", "ana"], "--id exists already"),
        (&["--no-family", "--time-zone", "Mars"], "--time-zone: expected "),
        (&["--no-family", "--currency", "euro"], "--currency: expected an ISO 4217 code"),
    ] {
        let found = error(&sandbox, &user(more));
        assert!(found.starts_with(message), "{found}");
    }
    let taken = ["user", "add", "ana@family.example", "--name", "Eva", "--no-family"];
    assert_eq!(error(&sandbox, &taken), "the e-mail address exists already");
    for more in [&[][..], &["--family", "rivera", "--no-family"]] {
        assert_eq!(sandbox.run(&user(more), "").status.code(), Some(2));
    }
    assert_eq!(json(&sandbox, &["user", "list"]).len(), 4);
}

async fn users_are_listed_by_family(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    assert_eq!(field(&json(&sandbox, &["user", "list"]), "id"), ["ana", "ben", "chidi", "dora"]);
    let members = json(&sandbox, &["user", "list", "--family", "rivera"]);
    assert_eq!(field(&members, "id"), ["ana", "ben"]);
    assert_eq!(field(&members, "hasPassword"), [true, false]);
    assert_eq!(error(&sandbox, &["user", "list", "--family", "nowhere"]), "no family has the id nowhere");
    let table = output(&sandbox, &["user", "list"]);
    assert!(table.contains("ben@family.example    ben    no        rivera"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}
