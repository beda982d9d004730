//! Compares the visible data of all users before and after a request.

use std::collections::BTreeMap;

use futures_util::FutureExt;
use salvo::http::Method;
use serde_json::Value;

use crate::app::{self, App, TestResponse};
use crate::request::parse::ParsedRequest;
use crate::request::permissions;

/// All data that each user can read.
#[derive(Debug, PartialEq)]
pub(super) struct View(BTreeMap<&'static str, UserView>);

#[derive(Debug, PartialEq)]
struct UserView {
    /// The profile and the keys of the user.
    profile_and_keys: [Vec<u8>; 2],
    /// The records of the family that the user can read.
    records: Vec<Vec<u8>>,
}

impl View {
    pub(super) fn of(app: &App) -> Self {
        let users = [("ann", "berg"), ("bob", "berg"), ("cid", "none"), ("eve", "tal")];
        Self(users.into_iter().map(|(user, family)| (user, UserView::by(user, family, app))).collect())
    }
}

impl UserView {
    fn by(user: &str, family: &str, app: &App) -> Self {
        let profile_and_keys = async {
            let caller =
                app.api.session_caller(&user.parse::<family_api_core::id::UserId>().unwrap().into()).await.unwrap();
            let profile = app.api.profile(&caller).unwrap().get().await.unwrap();
            let mut keys = app.api.keys(&caller).unwrap().list().await.unwrap();
            // Even a read request updates the last use of its key.
            keys.tokens.iter_mut().for_each(|key| key.last_used_at = None);
            [serde_json::to_vec(&profile).unwrap(), serde_json::to_vec(&keys).unwrap()]
        };
        let profile_and_keys = profile_and_keys.now_or_never().expect("the in-memory storage never waits");
        Self { profile_and_keys, records: app::documents(&app.storage, user, family).to_vec() }
    }

    /// Returns whether the data contains a JSON object for which `matches` returns true.
    fn contains(&self, matches: impl Fn(&Value) -> bool + Copy) -> bool {
        self.profile_and_keys
            .iter()
            .chain(&self.records)
            .any(|json| contains_object(&serde_json::from_slice(json).unwrap(), matches))
    }
}

fn contains_object(value: &Value, matches: impl Fn(&Value) -> bool + Copy) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(|element| contains_object(element, matches)),
        Value::Object(members) => matches(value) || members.values().any(|member| contains_object(member, matches)),
        _ => false,
    }
}

/// Checks that a change affects no other family, and no profile or key of another user.
pub(super) fn check_family(request: &ParsedRequest, before: &View, after: &View) {
    let caller = permissions::caller(request).expect("an authenticated caller");
    let family = |user: &str| if user == "bob" { "ann" } else { user }.to_owned();
    for (user, seen) in &after.0 {
        assert!(
            *user == caller || seen.profile_and_keys == before.0[user].profile_and_keys,
            "profile or keys of {user} changed by {request:?}"
        );
        assert!(
            family(user) == family(caller) || seen == &before.0[user],
            "data of the family of {user} changed by {request:?}"
        );
    }
}

/// Checks that a change is visible as its response says, and affects no data of others.
pub(super) fn check_write(request: &ParsedRequest, response: &TestResponse, before: &View, after: &View) {
    check_family(request, before, after);
    let caller = permissions::caller(request).expect("an authenticated caller");
    let seen = &after.0[caller];
    let body = response.json();
    let is_visible = if request.method == Method::DELETE {
        body["id"].is_string() && !seen.contains(|record| record["id"] == body["id"])
    } else if let Some(token) = body.get("token") {
        token.is_string() && seen.contains(|record| record["id"] == body["id"] && record["hint"] == body["hint"])
    } else {
        seen.contains(|record| *record == body)
    };
    assert!(is_visible, "{response:?} for {request:?}");
}
