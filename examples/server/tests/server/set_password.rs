//! The command `user set-password`, with its input from a pipe.

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;
use crate::session::session_cookie;

const COMMAND: [&str; 2] = ["user", "set-password"];
const SHORT: &str = "the password has fewer than 10 characters";

on_each_backend! {
    a_new_password_replaces_the_old_one_and_ends_the_users_sessions,
    a_user_without_a_password_gets_one,
    an_unknown_user_and_an_empty_or_short_password_are_refused,
}

async fn a_new_password_replaces_the_old_one_and_ends_the_users_sessions(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let ana = session_cookie(&server, "ana").await;
    let chidi = session_cookie(&server, "chidi").await;

    // The server keeps running: both processes use the same file.
    sandbox.succeed(&[COMMAND[0], COMMAND[1], "ana@family.example"], "new password\r\nsecond line\n");
    assert_eq!(in_session(&server, &ana, "GET", "/api/users/me", None).await.status, 401);
    assert_eq!(in_session(&server, &chidi, "GET", "/api/users/me", None).await.status, 200);
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&server, "ana@family.example", "new password").await.status, 200);
}

async fn a_user_without_a_password_gets_one(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    assert_eq!(sign_in(&server, "ben@family.example", PASSWORD).await.status, 401);
    // Ten characters of eleven bytes.
    let shortest = "\u{e4}234567890";
    sandbox.succeed(&[COMMAND[0], COMMAND[1], "ben@family.example", "--stdin"], shortest);
    assert_eq!(sign_in(&server, "ben@family.example", shortest).await.status, 200);
}

async fn an_unknown_user_and_an_empty_or_short_password_are_refused(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    for (email, input, message) in [
        ("nobody@family.example", "canary\n", "no user has the e-mail address nobody@family.example"),
        ("ana@family.example", "\n", "the password is empty"),
        ("ana@family.example", "", "the password is empty"),
        ("ana@family.example", "x", SHORT),
        ("ana@family.example", "123456789", SHORT),
        ("ana@family.example", "\u{e4}23456789", SHORT),
    ] {
        assert_eq!(sandbox.fail(&[COMMAND[0], COMMAND[1], email], input), message);
    }
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
}
