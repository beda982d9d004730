//! Two families with private records for every user, and a user with keys in every state.

use std::sync::{Arc, LazyLock, Mutex};

use async_trait::async_trait;
use family_api_core::feed::{CalendarFeed, FeedSettings, FeedShows};
#[cfg(feature = "mcp")]
use family_api_core::grant::{Approval, CodeRedemption, CodeVerifier, OAuthClient};
use family_api_core::id::UserId;
use family_api_core::key::{EnvironmentTokens, KeyDigest, KeyPrefix, KeySecret};
use family_api_core::storage::{FeedInsert, FeedStorage, NewFeed, SignedIn, Storage};
use family_api_core::{Error, FamilyApi, ManualClock};
#[cfg(feature = "mcp")]
use family_api_core::{Surface, key::Scope};
use family_api_memory::MemoryStorage;
use family_api_salvo::{FamilyRoutes, SessionAuthenticator};
use family_api_testing::line;
use futures_util::FutureExt;
use salvo::http::header::COOKIE;
use salvo::{Depot, Request, Router, Service};
use serde_json::{Value, json};

use crate::cases::{Credential, Owner};
use crate::storages::{StorageKind, StorageLocation, load};

pub(crate) const NOW: &str = "2026-11-20T12:00:00Z";
/// The expiry time of the key for [`Credential::V1Full`].
pub(crate) const LATER: &str = "2026-12-20T12:00:00Z";
/// The creation time of the records.
const BEFORE: &str = "2026-11-01T12:00:00Z";
pub(crate) const ENVIRONMENT_SECRET: &str = "environment-secret";

/// Texts of private records of Bob, and of records of Zoe's family. No response to Ann may contain them.
pub(crate) const HIDDEN_FROM_ANN: [&str; 2] = ["HIDDEN-BY-BOB", "HIDDEN-BY-ZOE"];
/// The text of Ann's private records.
pub(crate) const HIDDEN_BY_ANN: &str = "HIDDEN-BY-ANN";

/// Returns the plaintext of the stored key for a credential.
pub(crate) fn plaintext(credential: Credential) -> String {
    format!("host_{credential:?}")
}

/// The records of Ann, who owns the tested keys, of Bob from the family of Ann, and of Zoe from another family.
fn records(owner: Owner) -> Vec<Value> {
    let mut records = vec![family("f"), family("g")];
    records.push(user("ann", owner.has_family.then_some("f"), owner.personal_api_enabled));
    records.push(user("bob", Some("f"), true));
    records.push(user("zoe", Some("g"), true));
    records.extend(family_data("f", &[("shared", None), ("of-ann", Some("ann")), ("of-bob", Some("bob"))], "bob"));
    records.extend(family_data("g", &[("foreign", None)], "zoe"));
    records.push(line!("shoppingItem", "i-open", {
        "familyId": "f", "listId": "l-shared", "name": "shared", "addedById": "bob",
    }));
    records.push(task("t-shared", "c-shared", "bob", false, "shared"));
    records.push(task("t-private-of-ann", "c-shared", "ann", true, HIDDEN_BY_ANN));
    records.push(task("t-on-board-of-ann", "c-of-ann", "ann", false, HIDDEN_BY_ANN));
    records.push(task("t-private-of-bob", "c-shared", "bob", true, "HIDDEN-BY-BOB"));
    records.push(task("t-on-board-of-bob", "c-of-bob", "bob", false, "HIDDEN-BY-BOB"));
    records.push(task("t-foreign", "c-foreign", "zoe", false, "HIDDEN-BY-ZOE"));
    records.extend(Credential::ALL.into_iter().filter_map(key));
    records.push(owned_key("k-of-ann", "ann", "host_own", None));
    records.push(owned_key("k-of-bob", "bob", "host_bob", None));
    records.push(owned_key("k-revoked", "ann", "host_revoked", Some(BEFORE)));
    records
}

fn family(id: &str) -> Value {
    line!("family", id, {})
}

fn user(id: &str, family: Option<&str>, personal_api_enabled: bool) -> Value {
    line!("user", id, { "familyId": family, "timeZone": "Europe/Kyiv", "personalApiEnabled": personal_api_enabled })
}

/// A category, a note and an event. Also a board with a column, and a shopping list, for each entry of `boards`: its
/// name and its owner. Each list has a private item of the user `other`.
fn family_data(family: &str, boards: &[(&str, Option<&str>)], other: &str) -> Vec<Value> {
    let hidden = format!("HIDDEN-BY-{}", other.to_uppercase());
    let note =
        if family == "f" { ("n-own", "cat-own", "shared") } else { ("n-foreign", "cat-foreign", hidden.as_str()) };
    let mut records = vec![
        line!("noteCategory", note.1, { "familyId": family, "name": note.2 }),
        line!("note", note.0, { "familyId": family, "title": note.2, "authorId": other, "categoryId": note.1 }),
        line!("event", &format!("e-{family}"), {
            "familyId": family, "title": note.2, "startDate": NOW, "endDate": NOW, "assigneeId": other,
            "recurrence": "FREQ=DAILY",
        }),
    ];
    for (board, owner) in boards {
        let name = owner.map_or_else(|| note.2.to_owned(), |owner| format!("HIDDEN-BY-{}", owner.to_uppercase()));
        let private = owner.is_some();
        records.push(line!("board", &format!("b-{board}"), {
            "familyId": family, "name": name, "isPrivate": private, "ownerUserId": owner,
        }));
        records.push(line!("column", &format!("c-{board}"), {
            "familyId": family, "boardId": format!("b-{board}"), "name": name,
        }));
        records.push(line!("shoppingList", &format!("l-{board}"), {
            "familyId": family, "name": name, "isPrivate": private, "ownerUserId": owner,
        }));
        records.push(line!("shoppingItem", &format!("i-{board}"), {
            "familyId": family, "listId": format!("l-{board}"), "name": hidden, "isPrivate": true, "addedById": other,
        }));
    }
    records
}

fn task(id: &str, column: &str, creator: &str, private: bool, title: &str) -> Value {
    let family = if column == "c-foreign" { "g" } else { "f" };
    line!("task", id, {
        "familyId": family, "columnId": column, "title": title, "isPrivate": private, "creatorId": creator,
        "dueDate": LATER,
    })
}

fn key(credential: Credential) -> Option<Value> {
    let scopes: &[&str] = match credential {
        Credential::Expired | Credential::Revoked | Credential::TwoHeaders | Credential::Cookie | Credential::Basic => {
            &["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"]
        }
        Credential::Environment => return None,
        other => other.scopes().ok()?,
    };
    let mut key = owned_key(&format!("k-{credential:?}"), "ann", &plaintext(credential), None);
    key["scopes"] = json!(scopes);
    match credential {
        Credential::Expired => key["expiresAt"] = json!(NOW),
        Credential::V1Full => key["expiresAt"] = json!(LATER),
        Credential::Revoked => key["revokedAt"] = json!(BEFORE),
        _ => {}
    }
    Some(key)
}

fn owned_key(id: &str, user: &str, plaintext: &str, revoked_at: Option<&str>) -> Value {
    line!("key", id, {
        "userId": user, "hint": "host_…", "tokenHash": hex::encode(KeyDigest::of(plaintext).as_bytes()),
        "revokedAt": revoked_at,
    })
}

/// Creates a storage with the records. Returns the storage and its location.
pub(crate) async fn seeded_storage(kind: StorageKind, owner: Owner) -> (Arc<dyn Storage>, StorageLocation) {
    let (storage, location) = kind.fresh().await;
    load(&*storage, records(owner)).await;
    (storage, location)
}

/// Accepts the cookie `user=<id>` as a session of the user with this id, unless a test has changed the sessions.
#[derive(Clone, Default)]
struct UserCookie(Arc<Mutex<SessionState>>);

/// The state of the host's sessions.
#[derive(Clone, Default)]
pub(crate) enum SessionState {
    /// The cookie contains the user id.
    #[default]
    AsInCookie,
    /// No request has a session.
    Ended,
    /// Every request is in a session of this user.
    Of(UserId),
}

#[async_trait]
impl SessionAuthenticator for UserCookie {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        match self.0.lock().unwrap().clone() {
            SessionState::AsInCookie => {}
            SessionState::Ended => return Ok(None),
            SessionState::Of(user) => return Ok(Some(user.into())),
        }
        let cookie = req.headers().get(COOKIE).and_then(|value| value.to_str().ok());
        Ok(cookie
            .and_then(|cookie| cookie.strip_prefix("user="))
            .and_then(|user| user.parse::<UserId>().ok())
            .map(SignedIn::from))
    }
}

/// A calendar feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feed {
    OfAnn,
    ExpiredOfAnn,
    OfBob,
    OfUnknownUser,
    /// A secret of the right form that belongs to no feed.
    Unknown,
}

impl Feed {
    pub(crate) const ALL: [Self; 5] =
        [Self::OfAnn, Self::ExpiredOfAnn, Self::OfBob, Self::OfUnknownUser, Self::Unknown];

    /// Returns the identifier, the user and the expiry time.
    fn stored(self) -> Option<(&'static str, &'static str, Option<&'static str>)> {
        match self {
            Self::OfAnn => Some(("feed-of-ann", "ann", None)),
            Self::ExpiredOfAnn => Some(("feed-expired", "ann", Some(NOW))),
            Self::OfBob => Some(("feed-of-bob", "bob", Some(LATER))),
            Self::OfUnknownUser => Some(("feed-of-ghost", "ghost", None)),
            Self::Unknown => None,
        }
    }

    pub(crate) fn secret(self) -> &'static str {
        static SECRETS: LazyLock<[String; 5]> = LazyLock::new(|| {
            // The checksum does not depend on the prefix, and a key cannot have that of a feed.
            let prefix: KeyPrefix = "feed-".parse().unwrap();
            Feed::ALL.map(|_| KeySecret::generate(&prefix).unwrap().expose().replacen("feed-", "famcal_", 1))
        });
        &SECRETS[self as usize]
    }

    /// Adds the feed to a storage in memory, which never waits.
    fn insert(self, storage: &MemoryStorage) {
        let Some((id, user, expires_at)) = self.stored() else { return };
        let mut settings = FeedSettings::new("Family");
        settings.shows = FeedShows::Both;
        let feed = CalendarFeed {
            id: id.parse().unwrap(),
            hint: "famcal_…".to_owned(),
            settings,
            created_at: NOW.parse().unwrap(),
            updated_at: NOW.parse().unwrap(),
            expires_at: expires_at.map(|time| time.parse().unwrap()),
            last_used_at: None,
            left_out: 0,
        };
        let owner = SignedIn::from(user.parse::<UserId>().unwrap());
        let new = NewFeed { feed, owner, digest: KeyDigest::of(self.secret()) };
        let inserted = storage.insert_feed(&new, 2).now_or_never().unwrap();
        assert_eq!(inserted.unwrap(), FeedInsert::Inserted);
    }
}

/// The clock and the sessions of the host. A test can change both during a request.
pub(crate) struct Host {
    pub(crate) api: FamilyApi,
    pub(crate) clock: ManualClock,
    session: UserCookie,
}

impl Host {
    pub(crate) fn serve(storage: Arc<dyn Storage>) -> (Service, Self) {
        Self::serve_with(storage, |routes| routes)
    }

    /// Serves the MCP endpoints, too.
    #[cfg(feature = "mcp")]
    pub(crate) fn serve_mcp(storage: Arc<dyn Storage>) -> (Service, Self) {
        Self::serve_with(storage, FamilyRoutes::mcp)
    }

    fn serve_with(storage: Arc<dyn Storage>, add: impl FnOnce(FamilyRoutes) -> FamilyRoutes) -> (Service, Self) {
        let clock = ManualClock::new(NOW.parse().unwrap());
        let tokens = EnvironmentTokens::parse(&format!("ann|{ENVIRONMENT_SECRET}"), &KeyPrefix::default()).unwrap();
        let api = FamilyApi::builder(storage).clock(clock.clone()).environment_tokens(tokens).full_access(true);
        // The session cases are more than the writes that the limit allows in a minute.
        let api = api.without_session_write_limit();
        let optional = Arc::new(MemoryStorage::new());
        for feed in Feed::ALL {
            feed.insert(&optional);
        }
        let api = api.grants(optional.clone()).calendar_feeds(optional).build();
        let host = Self { api, clock, session: UserCookie::default() };
        let routes = add(FamilyRoutes::new(host.api.clone()).session(host.session.clone()));
        (Service::new(Router::new().push(routes.into_router())), host)
    }

    /// Connects a client of Ann to a surface. Returns the access token.
    #[cfg(feature = "mcp")]
    pub(crate) async fn connect_client(&self, surface: Surface) -> String {
        let verifier = "v".repeat(43);
        let ann = SignedIn::from("ann".parse::<UserId>().unwrap());
        let approval = Approval {
            request: "grant".parse().unwrap(),
            client: OAuthClient::new("client".to_owned(), None, "example.com".to_owned()).unwrap(),
            redirect_uri: "https://example.com/callback".to_owned(),
            surface,
            scopes: [Scope::read(surface)].into_iter().collect(),
            challenge: verifier.parse::<CodeVerifier>().unwrap().challenge(),
        };
        let grants = self.api.grants().unwrap();
        let redemption = CodeRedemption {
            code: grants.approve(&self.api.session_caller(&ann).await.unwrap(), approval).await.unwrap(),
            client_id: "client".to_owned(),
            redirect_uri: None,
            verifier: verifier.parse().ok(),
            surface: Ok(None),
        };
        grants.redeem(redemption).await.unwrap().access_token.expose().to_owned()
    }

    /// Changes the sessions of all requests.
    pub(crate) fn set_session_state(&self, state: SessionState) {
        *self.session.0.lock().unwrap() = state;
    }
}

/// Creates a service with the MCP endpoints.
#[cfg(feature = "mcp")]
pub(crate) fn mcp_service(storage: Arc<dyn Storage>) -> Service {
    Host::serve_mcp(storage).0
}

pub(crate) fn service(storage: Arc<dyn Storage>) -> Service {
    Host::serve(storage).0
}
