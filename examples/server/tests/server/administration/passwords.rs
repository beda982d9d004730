//! The rules for new passwords.

use crate::backend::{Backend, on_each_backend};
use crate::client::sign_in;
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;

on_each_backend! {
    a_password_of_fewer_than_ten_characters_is_refused,
}

async fn a_password_of_fewer_than_ten_characters_is_refused(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let set = |password: &str| sandbox.run(&["user", "set-password", "ana@family.example", "--stdin"], password);
    for short in ["x", "123456789", "\u{e4}23456789"] {
        let output = set(short);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stderr, "family-api-server: the password has fewer than 10 characters\n");
    }
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
    assert!(set("\u{e4}234567890").status.success());
    assert_eq!(sign_in(&server, "ana@family.example", "\u{e4}234567890").await.status, 200);
}
