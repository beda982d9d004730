//! Users and their credentials in an update.

use family_api_core::storage::{KeyRecord, KeyState, Member, MissingRecords, Password, Record, UserRecord};

use crate::UpdateSubject;
use crate::credentials::{hash, open_session, seed_with_passwords, session_user};
use crate::fixture::{MemberView, ada, assert_same, eve, family, id, key, minute, seed_families_and, user};
use crate::keys::find;
use crate::update::refusals::expect_refused;
use crate::update::{CHANGED, UNCHANGED, keep, snapshot};

/// Returns the family of the owner of a key.
async fn family_of_key(subject: &dyn UpdateSubject, key: &str) -> Option<String> {
    let account = find(subject, key).await.unwrap().account.unwrap();
    account.membership.map(|membership| membership.family.to_string())
}

pub(crate) async fn a_user_leaves_a_family_only_if_the_update_contains_it(subject: &dyn UpdateSubject) {
    seed_families_and(subject, vec![Record::Key(key("k1", "ada"))]).await;
    let in_north = MemberView::of(ada(), subject).documents().await;
    let before = snapshot(subject).await;
    let [north, south] = ["north", "south"].map(|name| Record::Family(family(name)));
    let ada_in = |family: Option<&str>| Record::User(user("ada", family));
    for other in [Some("south"), None] {
        let records = vec![south.clone(), ada_in(other), north.clone()];
        assert_eq!(expect_refused(subject, MissingRecords::Keep, records, 2).await.field, "familyId");
    }
    assert_eq!(snapshot(subject).await, before);

    assert_eq!(keep(subject, vec![north, ada_in(Some("south"))]).await, [0, 1, 1, 0]);
    assert_eq!(family_of_key(subject, "k1").await.as_deref(), Some("south"));
    let in_south = Member { family: id("south"), ..ada() };
    let members: Vec<_> = MemberView::of(eve(), subject).members().await.into_iter().map(|person| person.id).collect();
    assert_eq!(members, ["ada", "dee", "eve"].map(id));
    // The private records of ada stay in `north`.
    let of_eve = MemberView::of(eve(), subject).documents().await;
    assert!(MemberView::of(in_south, subject).documents().await.bytes().eq(of_eve.bytes()));

    let south_and_nobody = vec![south, ada_in(None)];
    assert_eq!(keep(subject, south_and_nobody).await, [0, 1, 1, 0]);
    assert_eq!(family_of_key(subject, "k1").await, None);
    assert_eq!(keep(subject, vec![ada_in(Some("north"))]).await, CHANGED);
    assert_same(&MemberView::of(ada(), subject).documents().await, &in_north);
}

/// Returns a user of `north` with the password `text`.
fn with_password(name: &str, text: &str) -> Record {
    Record::User(UserRecord { password: Password::Hashed(hash(text)), ..user(name, Some("north")) })
}

pub(crate) async fn a_password_of_an_update_ends_the_sessions_of_its_user(subject: &dyn UpdateSubject) {
    let Some(with_sessions) = subject.with_credentials() else { return };
    seed_with_passwords(with_sessions).await;
    keep(subject, vec![with_password("ada", "ada"), with_password("bob", "bob")]).await;
    open_session(with_sessions, "s1", "ada").await;
    open_session(with_sessions, "s2", "bob").await;
    assert_eq!(keep(subject, vec![with_password("ada", "ada"), with_password("bob", "new")]).await, [0, 1, 1, 0]);
    assert_eq!(session_user(with_sessions, "s1").await.as_deref(), Some("ada"));
    assert_eq!(session_user(with_sessions, "s2").await, None);
    for (email, password) in [("ada@example.com", "ada"), ("bob@example.com", "new")] {
        let found = with_sessions.credentials().find_password(email).await.unwrap().unwrap();
        assert_eq!(found.1, Some(hash(password)), "{email}");
    }
}

pub(crate) async fn an_update_without_a_password_keeps_the_password_and_the_sessions(subject: &dyn UpdateSubject) {
    let Some(with_sessions) = subject.with_credentials() else { return };
    seed_with_passwords(with_sessions).await;
    open_session(with_sessions, "s1", "ada").await;
    let renamed = UserRecord { name: "Ada".to_owned(), ..user("ada", Some("north")) };
    assert_eq!(keep(subject, vec![Record::User(renamed)]).await, CHANGED);
    assert_eq!(session_user(with_sessions, "s1").await.as_deref(), Some("ada"));
    let found = with_sessions.credentials().find_password("ada@example.com").await.unwrap();
    assert_eq!(found, Some((id("ada"), Some(hash("ada")))));
}

pub(crate) async fn a_key_that_is_revoked_stays_revoked(subject: &dyn UpdateSubject) {
    seed_families_and(subject, vec![Record::Key(key("k1", "ada"))]).await;
    let revoked = KeyRecord { revoked_at: Some(minute(5)), ..key("k1", "ada") };
    assert_eq!(keep(subject, vec![Record::Key(revoked.clone())]).await, CHANGED);
    assert_eq!(keep(subject, vec![Record::Key(key("k1", "ada"))]).await, UNCHANGED);
    for other in [None, Some(minute(6))] {
        let renamed = KeyRecord { name: Some(format!("{other:?}")), revoked_at: other, ..revoked.clone() };
        assert_eq!(keep(subject, vec![Record::Key(renamed)]).await, CHANGED);
        assert_eq!(find(subject, "k1").await.unwrap().state, KeyState::Revoked { at: minute(5) });
    }
}
