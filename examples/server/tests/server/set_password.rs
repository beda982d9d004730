//! The command `user set-password`, with its input from a pipe.

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;
use crate::session::session_cookie;

const COMMAND: [&str; 2] = ["user", "set-password"];

on_each_backend! {
    a_new_password_replaces_the_old_one_and_ends_the_users_sessions,
    a_user_without_a_password_gets_one,
    an_unknown_user_and_an_empty_password_are_refused,
}

async fn a_new_password_replaces_the_old_one_and_ends_the_users_sessions(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let ana = session_cookie(&server, "ana").await;
    let chidi = session_cookie(&server, "chidi").await;

    // The server keeps running: both processes use the same file.
    let output = sandbox.run(&[COMMAND[0], COMMAND[1], "ana@family.example"], "new password\r\nsecond line\n");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(in_session(&server, &ana, "GET", "/api/users/me", None).await.status, 401);
    assert_eq!(in_session(&server, &chidi, "GET", "/api/users/me", None).await.status, 200);
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&server, "ana@family.example", "new password").await.status, 200);
}

async fn a_user_without_a_password_gets_one(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    assert_eq!(sign_in(&server, "ben@family.example", PASSWORD).await.status, 401);
    assert!(sandbox.run(&[COMMAND[0], COMMAND[1], "ben@family.example"], PASSWORD).status.success());
    assert_eq!(sign_in(&server, "ben@family.example", PASSWORD).await.status, 200);
}

async fn an_unknown_user_and_an_empty_password_are_refused(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    for (email, input, message) in [
        ("nobody@family.example", "canary\n", "no user has the e-mail address nobody@family.example"),
        ("ana@family.example", "\n", "the password is empty"),
        ("ana@family.example", "", "the password is empty"),
    ] {
        let output = sandbox.run(&[COMMAND[0], COMMAND[1], email], input);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stderr, format!("family-api-server: {message}\n"));
    }
}
