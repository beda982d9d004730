//! `user add` and `user list`.

use family_api_testing::with;
use serde_json::{Value, json};

use crate::administration::{error, field, json, output};
use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, sign_in, with_token};
use crate::family::{self, PASSWORD};
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

on_each_backend! {
    an_added_user_signs_in_and_sees_the_family,
    an_added_user_without_a_zone_has_that_of_the_first_member_or_of_the_machine,
    an_invalid_user_is_refused,
    users_are_listed_by_family,
    a_changed_user_keeps_all_credentials_and_members_see_it_at_once,
    a_refused_change_changes_nothing,
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
    assert_eq!((&set["email"], &set["hasPassword"]), (&json!("eva@family.example"), &json!(true)));

    for email in ["eva@family.example", "EVA@Family.example"] {
        assert_eq!(sign_in(&server, email, "correct-horse").await.status, 200, "{email}");
    }
    let cookie = sign_in(&server, "Eva@family.example", "correct-horse").await.cookie();
    let profile = in_session(&server, &cookie, "GET", "/api/users/me", None).await.json();
    let expected = json!(["rivera", "Europe/Madrid", "EUR", false]);
    let fields = ["familyId", "timeZone", "displayCurrency", "personalApiEnabled"];
    assert_eq!(json!(fields.map(|name| &profile[name])), expected);
}

async fn an_added_user_without_a_zone_has_that_of_the_first_member_or_of_the_machine(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let add = |id: &str, family: &[&str], machine: &str| {
        let email = format!("{id}@family.example");
        let arguments = [&["user", "add", &email, "--name", "New", "--id", id], family].concat();
        let output = sandbox.command(&arguments).env("TZ", machine).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // Ana and Ben were created at the same time.
    json(&sandbox, &["user", "set", "ana@family.example", "--time-zone", "America/New_York"]);
    let text = add("aaa", &["--family", "rivera"], "Asia/Tokyo");
    let expected = "added the user New in the time zone America/New_York; \
                    `user set aaa@family.example --time-zone ZONE` changes it, and \
                    `user set-password aaa@family.example` sets the password\n";
    assert_eq!(text, expected);
    json(&sandbox, &["family", "add", "Berg", "--id", "berg"]);
    add("bea", &["--family", "berg"], "Asia/Tokyo");
    add("kim", &["--no-family"], "Europe/Kyiv");
    add("leo", &["--no-family"], "no zone");
    let users = json(&sandbox, &["user", "list"]);
    let zone = |id: &str| users.iter().find(|user| user["id"] == id).unwrap()["timeZone"].as_str().unwrap();
    assert_eq!(["aaa", "bea", "kim", "leo"].map(zone), ["America/New_York", "Asia/Tokyo", "Europe/Kyiv", "UTC"]);
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
    for address in ["ana@family.example", "ANA@Family.example"] {
        let taken = ["user", "add", address, "--name", "Eva", "--no-family"];
        assert_eq!(error(&sandbox, &taken), "the e-mail address exists already");
    }
    let taken = with(family::user("eve", None, None), json!({ "email": "BEN@family.example" }));
    let import = sandbox.import(&taken.to_string());
    assert!(!import.status.success(), "{import:?}");
    let no_address = sandbox.run(&["user", "add", "mia", "--name", "Mia", "--no-family"], "");
    assert_eq!(no_address.status.code(), Some(2));
    let stderr = String::from_utf8(no_address.stderr).unwrap();
    assert!(stderr.contains("'mia' for '<EMAIL>': expected an e-mail address, such as mia@family.example"), "{stderr}");
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
    let ben = table.lines().skip_while(|line| !line.contains("ben@family.example")).take(2).collect::<Vec<_>>();
    assert_eq!(ben[0].split_whitespace().collect::<Vec<_>>(), ["ben@family.example", "ben", "no", "rivera"]);
    let below = ben[1].split_whitespace().collect::<Vec<_>>();
    assert_eq!(below, ["ben", "Europe/Madrid"], "the id is below the address, and the zone below the name: {table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

async fn a_changed_user_keeps_all_credentials_and_members_see_it_at_once(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let token = create_key(&server, &cookie).await.token;
    let notes = async || with_token(&server, &token, "GET", "/api/v1/read/notes", None).await.text;
    let before = notes().await;
    let set =
        ["user", "set", "ANA@family.example", "--name", "Anna", "--email", "Anna@New.example", "--time-zone", "UTC"];
    let changed = json(&sandbox, &set);
    let fields = |user: &Value| json!([user["id"], user["name"], user["email"]]);
    assert_eq!(fields(&changed[0]), json!(["ana", "Anna", "anna@new.example"]));
    // The document of notes is cached, and names the author.
    assert!(before.contains("\"ana\"") && notes().await.contains("\"Anna\""), "{before}");
    let profile = in_session(&server, &cookie, "GET", "/api/users/me", None).await.json();
    assert_eq!(fields(&profile), json!(["ana", "Anna", "anna@new.example"]));
    assert_eq!(profile["timeZone"], "UTC");
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&server, "anna@new.example", PASSWORD).await.status, 200);
    let text = output(&sandbox, &["user", "set", "anna@new.example", "--email", "ana@family.example"]);
    assert_eq!(text, "changed the user Anna, ana@family.example, in the time zone UTC\n");
}

async fn a_refused_change_changes_nothing(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let users = json(&sandbox, &["user", "list"]);
    let set = |more: &[&'static str]| [&["user", "set", "ana@family.example"], more].concat();
    let taken = error(&sandbox, &set(&["--email", "BEN@family.example", "--name", "Other"]));
    assert_eq!(taken, "another user has the e-mail address ben@family.example");
    let unknown = ["user", "set", "nobody@family.example", "--name", "Other"];
    assert_eq!(error(&sandbox, &unknown), "no user has the e-mail address nobody@family.example");
    for more in [&[][..], &["--name", ""], &["--email", "ana"], &["--time-zone", "Mars"]] {
        assert_eq!(sandbox.run(&set(more), "").status.code(), Some(2), "{more:?}");
    }
    let hint = "there is no command `user rename`: use `user set EMAIL --name NAME`";
    assert_eq!(error(&sandbox, &["user", "rename", "ana@family.example", "--name", "Anna"]), hint);
    assert_eq!(json(&sandbox, &["user", "list"]), users);
}
