//! Compares the visible data of all users before and after a request.

use std::collections::BTreeMap;

use futures_util::FutureExt;
use salvo::http::Method;
use serde_json::Value;

use crate::app::{self, Answer, App};
use crate::request::parse::ParsedRequest;
use crate::request::people;

/// Everything that each user can read.
#[derive(Debug, PartialEq)]
pub(super) struct View(BTreeMap<&'static str, Seen>);

#[derive(Debug, PartialEq)]
struct Seen {
    /// The user's profile and keys.
    own: [Vec<u8>; 2],
    /// The family's records.
    records: Vec<Vec<u8>>,
}

impl View {
    pub(super) fn of(app: &App) -> Self {
        let users = [("ann", "berg"), ("bob", "berg"), ("cid", "none"), ("eve", "tal")];
        Self(users.into_iter().map(|(user, family)| (user, Seen::by(user, family, app))).collect())
    }
}

impl Seen {
    fn by(user: &str, family: &str, app: &App) -> Self {
        let own = async {
            let caller =
                app.api.session_caller(&user.parse::<family_api_core::id::UserId>().unwrap().into()).await.unwrap();
            let profile = app.api.profile(&caller).unwrap().get().await.unwrap();
            let mut keys = app.api.keys(&caller).unwrap().list().await.unwrap();
            // Reads update this field later.
            keys.tokens.iter_mut().for_each(|key| key.last_used_at = None);
            [serde_json::to_vec(&profile).unwrap(), serde_json::to_vec(&keys).unwrap()]
        };
        let own = own.now_or_never().expect("no waiting");
        Self { own, records: app::records(&app.storage, user, family).to_vec() }
    }

    /// Returns whether the data contains a matching object.
    fn shows(&self, like: impl Fn(&Value) -> bool + Copy) -> bool {
        self.own.iter().chain(&self.records).any(|json| holds(&serde_json::from_slice(json).unwrap(), like))
    }
}

fn holds(value: &Value, like: impl Fn(&Value) -> bool + Copy) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(|element| holds(element, like)),
        Value::Object(members) => like(value) || members.values().any(|member| holds(member, like)),
        _ => false,
    }
}

/// A change matches its response. It does not affect other families, nor the profile and keys of other users.
pub(super) fn wrote(asked: &ParsedRequest, answer: &Answer, before: &View, after: &View) {
    let caller = people::caller(asked).expect("an authenticated caller");
    let family = |user: &str| if user == "bob" { "ann" } else { user }.to_owned();
    for (user, seen) in &after.0 {
        assert!(*user == caller || seen.own == before.0[user].own, "{user}'s own by {asked:?}");
        assert!(family(user) == family(caller) || seen == &before.0[user], "{user}'s family by {asked:?}");
    }
    let seen = &after.0[caller];
    let said = answer.json();
    let is_said = if asked.method == Method::DELETE {
        said["id"].is_string() && !seen.shows(|record| record["id"] == said["id"])
    } else if let Some(token) = said.get("token") {
        token.is_string() && seen.shows(|record| record["id"] == said["id"] && record["hint"] == said["hint"])
    } else {
        seen.shows(|record| *record == said)
    };
    assert!(is_said, "{answer:?} for {asked:?}");
}
