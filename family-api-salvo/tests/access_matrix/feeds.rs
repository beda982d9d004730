//! A calendar feed shows what its user sees, and its secret opens nothing else.

use std::sync::Arc;

use family_api_core::storage::Storage;
use salvo::test::RequestBuilder;

use crate::cases::{CASES, Case, Credential, Owner};
use crate::fixture::{Feed, HIDDEN_BY_ANN, HIDDEN_FROM_ANN, seeded_storage, service};
use crate::storage_snapshot::ChangeCheck;
use crate::storages::{StorageKind, on_every_storage};
use crate::{OWNERS, add_credential, send, session};

const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// Returns the titles that a feed shows and that it hides, or `None` if it cannot be read.
fn expected(feed: Feed, owner: Owner) -> Option<[&'static [&'static str]; 2]> {
    match feed {
        Feed::OfAnn if owner.personal_api_enabled && owner.has_family => {
            Some([&["shared", HIDDEN_BY_ANN], &HIDDEN_FROM_ANN])
        }
        Feed::OfBob => Some([&["shared", HIDDEN_FROM_ANN[0]], &[HIDDEN_BY_ANN, HIDDEN_FROM_ANN[1]]]),
        Feed::OfAnn | Feed::ExpiredOfAnn | Feed::OfUnknownUser | Feed::Unknown => None,
    }
}

/// Reads every feed with every method, without and with credentials in the headers, which change nothing.
async fn read_feeds(storage: Arc<dyn Storage>, owner: Owner) {
    let service = service(storage.clone());
    let mut changes = ChangeCheck::new(storage).await;
    for feed in Feed::ALL {
        let path: &str = format!("/calendar/{}.ics", feed.secret()).leak();
        for method in METHODS {
            for credential in [Credential::Nothing, Credential::Cookie, Credential::V1Full, Credential::UnknownToken] {
                let label = format!("{feed:?} {owner:?} {method} {credential:?}");
                let case = Case { method, path, body: None, scope: None, status: 0, code: "" };
                let request = send(&service, &case, |request| add_credential(credential, request));
                let actual = changes.during(&label, false, request).await;
                let status = match (method, expected(feed, owner)) {
                    ("GET" | "HEAD", Some(_)) => 200,
                    ("GET" | "HEAD", None) => 404,
                    _ => 405,
                };
                assert_eq!(actual.status, status, "{label}: {}", actual.body);
                match expected(feed, owner).filter(|_| method == "GET") {
                    Some([shown, hidden]) => {
                        assert!(shown.iter().all(|title| actual.body.contains(title)), "{label}: {}", actual.body);
                        assert!(!hidden.iter().any(|title| actual.body.contains(title)), "{label}: {}", actual.body);
                    }
                    None => assert!(status == 405 || actual.body.is_empty(), "{label}: {}", actual.body),
                }
            }
        }
    }
    changes.assert_unchanged().await;
}

/// Presents the secret of a feed to every other route, as a token, as a session and as both.
async fn present_secret_elsewhere(storage: Arc<dyn Storage>) {
    let secret = Feed::OfAnn.secret();
    let as_token = |request: RequestBuilder| request.add_header("authorization", format!("Bearer {secret}"), true);
    let as_session = |request: RequestBuilder| request.add_header("cookie", format!("user={secret}"), true);
    let service = service(storage.clone());
    let mut changes = ChangeCheck::new(storage).await;
    let session_cases = session::CASES.map(|(_, case)| case);
    for case in CASES.iter().chain(&session_cases).filter(|case| case.status != 404 || case.code == "not_found") {
        let label = format!("{} {} {:?}", case.method, case.path, case.body);
        let request = send(&service, case, |request| as_session(as_token(request)));
        let actual = changes.during(&label, false, request).await;
        assert!([401, 405].contains(&actual.status), "{label}: {} {}", actual.status, actual.body);
    }
    changes.assert_unchanged().await;
}

on_every_storage! {
    async fn a_feed_shows_what_its_user_sees(kind: StorageKind) {
        for owner in OWNERS {
            let (storage, _location) = seeded_storage(kind, owner).await;
            read_feeds(storage, owner).await;
        }
    }

    async fn the_secret_of_a_feed_opens_nothing_else(kind: StorageKind) {
        let (storage, _location) = seeded_storage(kind, OWNERS[0]).await;
        Box::pin(present_secret_elsewhere(storage)).await;
    }
}
