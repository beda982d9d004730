//! Users who create and revoke keys, sign in and sign out, and attackers who guess passwords and tokens.

use std::time::Duration;

use reqwest::header::COOKIE;
use serde_json::json;

use crate::client::{request, sign_in_request, with_body};
use crate::family::PASSWORD;
use crate::flood::invalid_token;
use crate::session::{KEYS, Key, session_cookie};
use crate::soak::load::{Actor, Load};

/// The users who create and revoke keys.
pub(super) const KEY_USERS: [&str; 2] = ["chidi", "lea"];

/// The pause between two keys of a user: two of the 60 writes that a user may make per minute in sessions.
const KEY_PAUSE: Duration = Duration::from_secs(3);

const SIGN_IN_PAUSE: Duration = Duration::from_secs(3);
const PASSWORD_GUESS_PAUSE: Duration = Duration::from_secs(1);
const TOKEN_GUESS_PAUSE: Duration = Duration::from_millis(200);

/// The numbers of e-mail addresses and of network addresses of the attackers. The server remembers up to 65,536 of each
/// for a minute or longer, so an unlimited number would grow its memory for hours, up to this bound.
const EMAILS: u32 = 400;
const ADDRESSES: u32 = 1_000;

pub(super) async fn actors<'a>(load: &'a Load, rng: &mut fastrand::Rng) -> Vec<Actor<'a>> {
    let mut actors: Vec<Actor<'a>> = vec![
        Box::pin(sign_in_and_out(load)),
        Box::pin(guess_passwords(load, rng.fork())),
        Box::pin(guess_tokens(load, rng.fork())),
    ];
    for user in KEY_USERS {
        actors.push(Box::pin(create_and_revoke_keys(load, session_cookie(&load.server, user).await)));
    }
    actors
}

/// Creates a key, uses it, revokes it, and uses it again.
async fn create_and_revoke_keys(load: &Load, cookie: String) {
    load.repeat(KEY_PAUSE, async || {
        load.add_rows("integration_keys", 1);
        let creation = request(&load.server, "POST", KEYS).header(COOKIE, &cookie);
        let creation = with_body(creation, Some(json!({ "mode": "v1_read", "name": "short-lived" })));
        let Some(created) = load.send(creation, &[201]).await else {
            return;
        };
        let Key { id, token } = Key::from_json(&created.json());
        let read = || request(&load.server, "GET", "/api/v1/me").bearer_auth(&token);
        load.send(read(), &[200]).await;
        load.send(request(&load.server, "GET", KEYS).header(COOKIE, &cookie), &[200]).await;
        let revocation = request(&load.server, "DELETE", &format!("{KEYS}/{id}"));
        if load.send(revocation.header(COOKIE, &cookie), &[200]).await.is_some() {
            load.send(read(), &[401]).await;
        }
    })
    .await;
}

/// Signs in, uses the session and the pages, signs out, and uses the session again.
async fn sign_in_and_out(load: &Load) {
    load.repeat(SIGN_IN_PAUSE, async || {
        load.add_rows("sessions", 1);
        let Some(signed_in) = load.send(sign_in_request(&load.server, "dora@family.example", PASSWORD), &[200]).await
        else {
            return;
        };
        let cookie = signed_in.cookie();
        let in_session = |method, path| request(&load.server, method, path).header(COOKIE, &cookie);
        load.send(in_session("GET", "/api/users/me"), &[200]).await;
        load.send(in_session("GET", "/keys").header("accept", "text/html"), &[200]).await;
        load.send(in_session("POST", "/logout"), &[200]).await;
        load.send(in_session("GET", "/api/users/me"), &[401]).await;
    })
    .await;
}

async fn guess_passwords(load: &Load, mut rng: fastrand::Rng) {
    load.repeat(PASSWORD_GUESS_PAUSE, async || {
        let email = format!("{}@family.example", rng.u32(..EMAILS));
        let guess = sign_in_request(&load.server, &email, "guess").header("x-forwarded-for", address(&mut rng));
        load.send(guess, &[401, 429]).await;
    })
    .await;
}

async fn guess_tokens(load: &Load, mut rng: fastrand::Rng) {
    let mut number = 0;
    load.repeat(TOKEN_GUESS_PAUSE, async || {
        number += 1;
        let guess = request(&load.server, "GET", "/api/v1/me").bearer_auth(invalid_token(number, &mut rng));
        load.send(guess.header("x-forwarded-for", address(&mut rng)), &[401, 429]).await;
    })
    .await;
}

fn address(rng: &mut fastrand::Rng) -> String {
    let number = rng.u32(..ADDRESSES);
    format!("198.18.{}.{}", number / 250, number % 250)
}
