//! A write requires a credential that is still valid at the time of the write.

use family_api_core::access::Refusal;
use family_api_core::change::{NoteChange, ProfileChange, TaskChange};
use family_api_core::key::{KeyDigest, KeyMode, Scope};
use family_api_core::resource::{Note, Task};
use family_api_core::storage::{
    Author, Credential, KeyInsert, KeyRecord, KeyRevocation, Member, Operation, Record, RecordWrite, SignedIn, Written,
};

use crate::Subject;
use crate::fixture::calls::{record_write, without_record, write_as};
use crate::fixture::{
    MemberView, ada, assert_done, expect_done, id, key, minute, move_to, new_key, now, seconds, seed_families_and,
    signed_in,
};
use crate::keys::revoke;

/// Returns ada as the author of a request with the key of this name.
fn author_with_key(name: &str) -> Author {
    Author { member: ada(), credential: Credential::Key(KeyDigest::of(name)) }
}

/// Seeds the families, three keys of ada, one key of bob and one key of cid.
pub(super) async fn seed_authors(subject: &dyn Subject) {
    let key = |name, user| KeyRecord { scopes: KeyMode::V1ReadWrite.scopes(), ..key(name, user) };
    let expiring = KeyRecord { expires_at: Some(now()), ..key("expiring", "ada") };
    let keys = [key("valid", "ada"), key("revoked", "ada"), expiring, key("bobs", "bob"), key("cids", "cid")];
    seed_families_and(subject, keys.into_iter().map(Record::Key).collect()).await;
}

/// Tries three writes of a task, then three writes of a note, as the author. Returns the outcomes without the records.
pub(super) async fn try_writes(subject: &dyn Subject, author: &Author) -> Vec<Written<()>> {
    let tasks =
        [TaskChange::new().title("Changed").build().unwrap(), TaskChange::new().build().unwrap(), move_to("doing", 0)];
    let notes = [NoteChange::new().title("Changed"), NoteChange::new()].map(|change| change.build().unwrap());
    let mut outcomes = Vec::new();
    for update in tasks {
        let write = record_write::<Task>(Operation::update(id("open"), update));
        outcomes.push(without_record(write_as(subject, author, &write).await));
    }
    for update in notes {
        let write = record_write::<Note>(Operation::update(id("recipe"), update));
        outcomes.push(without_record(write_as(subject, author, &write).await));
    }
    let deletion = record_write::<Note>(Operation::delete(id("recipe")));
    outcomes.push(without_record(write_as(subject, author, &deletion).await));
    outcomes
}

/// Tries each write as the author. Asserts that it has the expected outcome and changes no data.
pub(super) async fn assert_writes_refused(subject: &dyn Subject, author: &Author, expected: Written<()>) {
    assert_outcomes(subject, author, [expected.clone(), expected]).await;
}

/// Tries each write as the author. Asserts that it is refused because the credential lacks the scope, and changes no
/// data.
pub(super) async fn assert_scope_is_missing(subject: &dyn Subject, author: &Author) {
    let scopes = [Scope::V1TasksWrite, Scope::V1NotesWrite];
    assert_outcomes(subject, author, scopes.map(|scope| Written::Unauthorized(Refusal::InsufficientScope(scope))))
        .await;
}

async fn assert_outcomes(subject: &dyn Subject, author: &Author, [of_task, of_note]: [Written<()>; 2]) {
    let view = || MemberView::of(ada(), subject);
    let before = (view().task("open").await, view().note("recipe").await);
    let expected = [of_task.clone(), of_task.clone(), of_task, of_note.clone(), of_note.clone(), of_note];
    assert_eq!(try_writes(subject, author).await, expected);
    assert_eq!((view().task("open").await, view().note("recipe").await), before);
}

pub(super) async fn a_valid_key_allows_writes(subject: &dyn Subject) {
    for outcome in try_writes(subject, &author_with_key("valid")).await {
        assert_done(outcome);
    }
}

pub(super) async fn a_write_with_a_revoked_key_is_refused(subject: &dyn Subject) {
    assert!(revoke(subject, "ada", "revoked").await);
    assert_writes_refused(subject, &author_with_key("revoked"), Written::Unauthorized(Refusal::Revoked)).await;
}

pub(super) async fn a_write_with_an_expired_key_is_refused(subject: &dyn Subject) {
    assert_writes_refused(subject, &author_with_key("expiring"), Written::Unauthorized(Refusal::Expired)).await;
    let update = TaskChange::new().title("In time").build().unwrap();
    let before_expiry = seconds(599);
    let author = author_with_key("expiring");
    let write = record_write::<Task>(Operation::update(id("open"), update));
    expect_done(write_as(subject, &author, &RecordWrite { now: before_expiry, ..write }).await);
}

pub(super) async fn a_write_with_a_key_is_refused_while_the_personal_api_is_off(subject: &dyn Subject) {
    let off = ProfileChange::new().disable_personal_api();
    assert!(subject.storage().update_profile(&signed_in("ada"), &off, now()).await.unwrap().is_some());
    assert_writes_refused(subject, &author_with_key("valid"), Written::Unauthorized(Refusal::ApiDisabled)).await;
}

pub(super) async fn a_write_with_a_key_that_lacks_the_scope_is_refused(subject: &dyn Subject) {
    let reads = KeyRecord { scopes: KeyMode::V1Read.scopes(), ..key("reads", "ada") };
    subject.seed(vec![Record::Key(reads)]).await;
    assert_scope_is_missing(subject, &author_with_key("reads")).await;
}

pub(super) async fn a_write_with_an_unknown_key_is_refused(subject: &dyn Subject) {
    assert_writes_refused(subject, &author_with_key("unknown"), Written::Unauthorized(Refusal::Unknown)).await;
}

pub(super) async fn a_write_with_a_key_of_another_user_returns_not_found(subject: &dyn Subject) {
    let on = ProfileChange::new().enable_personal_api();
    assert!(subject.storage().update_profile(&signed_in("bob"), &on, now()).await.unwrap().is_some());
    assert_writes_refused(subject, &author_with_key("bobs"), Written::NotFound).await;
}

pub(super) async fn a_write_by_an_author_who_left_the_family_is_refused(subject: &dyn Subject) {
    let member = |user: &str| Member { user: id(user), family: id("north") };
    let credential = Credential::Key(KeyDigest::of("cids"));
    let key_of_cid = Author { member: member("cid"), credential };
    let external_token_of_cid = Author { credential: Credential::External, ..key_of_cid.clone() };
    for author in [key_of_cid, external_token_of_cid] {
        assert_writes_refused(subject, &author, Written::Unauthorized(Refusal::NoFamily)).await;
    }
    assert_writes_refused(subject, &member("cid").into(), Written::NotFound).await;
    assert_writes_refused(subject, &member("dee").into(), Written::NotFound).await;
    assert_writes_refused(subject, &member("gone").into(), Written::Unauthorized(Refusal::UserGone)).await;
}

pub(super) async fn a_write_with_an_unknown_session_is_refused(subject: &dyn Subject) {
    assert_session_is_refused(subject, Some(KeyDigest::of("no session"))).await;
}

/// Asserts that every write of ada with this session is refused.
pub(super) async fn assert_session_is_refused(subject: &dyn Subject, session: Option<KeyDigest>) {
    let storage = subject.storage();
    let author = Author { member: ada(), credential: Credential::Session(session) };
    assert_writes_refused(subject, &author, Written::Unauthorized(Refusal::UserGone)).await;
    let owner = SignedIn { user: id("ada"), session };
    let mut new = new_key("k1", "ada");
    new.owner = owner.clone();
    assert_eq!(storage.insert_key(&new, 50).await.unwrap(), KeyInsert::NotSignedIn);
    assert_eq!(storage.find_key(&new.digest).await.unwrap(), None);
    let revocation = storage.revoke_key(&owner, &id("valid"), now()).await.unwrap();
    assert_eq!(revocation, KeyRevocation::NotSignedIn);
    assert_eq!(storage.list_keys(&id("ada"), minute(0)).await.unwrap().len(), 3);
    for change in [ProfileChange::new(), ProfileChange::new().disable_personal_api()] {
        assert_eq!(storage.update_profile(&owner, &change, now()).await.unwrap(), None);
    }
    assert!(storage.find_account(&id("ada")).await.unwrap().unwrap().personal_api_enabled);
}

/// Returns the keys that [`assert_session_is_refused`] expects.
pub(super) fn keys_for_session_checks() -> Vec<Record> {
    ["valid", "second", "third"].map(|name| Record::Key(key(name, "ada"))).into()
}
