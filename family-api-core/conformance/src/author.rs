//! A write requires a credential that is still valid at the time of the write.

use std::panic::Location;

use family_api_core::Timestamp;
use family_api_core::access::{Refusal, write_scope};
use family_api_core::change::ProfileChange;
use family_api_core::key::{KeyDigest, KeyMode};
use family_api_core::resource::{RecordKind, ShoppingItem, Verb};
use family_api_core::storage::{
    Author, Credential, KeyInsert, KeyRecord, KeyRevocation, Member, Operation, Record, RecordWrite, SignedIn, Written,
};

use crate::Subject;
use crate::fixture::calls::{record_write, without_record, write_as};
use crate::fixture::{Call, Documents, ada, assert_same, id, key, minute, new_key, now, seconds, seed, signed_in};
use crate::keys::revoke;
use crate::writes::kinds::{TestRecord, container, for_each_kind, new_record, seed_containers, supports};

/// Returns ada as the author of a request with the key of this name.
fn author_with_key(name: &str) -> Author {
    Author { member: ada(), credential: Credential::Key(KeyDigest::of(name)) }
}

/// Seeds the families with spare containers, three keys of ada, one key of bob and one key of cid.
pub(super) async fn seed_authors(subject: &dyn Subject) {
    seed_containers(subject).await;
    let key = |name, user| KeyRecord { scopes: KeyMode::V1Full.scopes(), ..key(name, user) };
    let expiring = KeyRecord { expires_at: Some(now()), ..key("expiring", "ada") };
    let keys = [key("valid", "ada"), key("revoked", "ada"), expiring, key("bobs", "bob"), key("cids", "cid")];
    seed(subject, keys.into_iter().map(Record::Key).collect()).await;
}

/// A write that the storage supports, with its outcome.
struct Attempt {
    kind: RecordKind,
    verb: Verb,
    outcome: Written<()>,
}

impl Attempt {
    /// Asserts that the author can make the write. A container can still contain records.
    fn assert_allowed(&self, line: &Location<'_>) {
        let Self { kind, verb, outcome } = self;
        let is_done = outcome.is_change() || matches!(outcome, Written::Existing(()) | Written::NotEmpty);
        assert!(is_done, "at {line}: to {} a {} was not done: {outcome:?}", verb.as_str(), kind.as_str());
    }

    /// Returns whether a scope of a token permits the write, or the author has no token.
    fn is_permitted_to(&self, author: &Author) -> bool {
        matches!(author.credential, Credential::Session(_) | Credential::External)
            || write_scope(self.kind, self.verb).is_some()
    }

    fn assert_outcome(&self, expected: &Written<()>, line: &Location<'_>) {
        let Self { kind, verb, outcome } = self;
        let (verb, kind) = (verb.as_str(), kind.as_str());
        assert!(outcome == expected, "at {line}: to {verb} a {kind}: expected {expected:?}, but got {outcome:?}");
    }
}

/// Tries every write that the storage supports as the author.
async fn try_writes(subject: &dyn Subject, author: &Author, now: Timestamp) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for_each_kind!(subject, [], try_kind, (author, now), &mut attempts);
    if supports::<ShoppingItem>(subject, &[Verb::Delete]) {
        let list = id(container::<ShoppingItem>(subject).unwrap());
        let call = Call::new("delete_checked_items", &author.member.user);
        let deleted = call.result(subject.storage().delete_checked_items(author, &list, now).await);
        let outcome = without_record(deleted);
        attempts.push(Attempt { kind: RecordKind::ShoppingItem, verb: Verb::Delete, outcome });
    }
    attempts
}

async fn try_kind<R: TestRecord>(
    subject: &dyn Subject,
    (author, now): (&Author, Timestamp),
    attempts: &mut Vec<Attempt>,
) {
    let record: R::Id = id(R::VISIBLE);
    let created = Operation::<R>::create(id("created"), new_record::<R>(subject));
    let updates = R::updates(subject).into_iter().map(|update| Operation::update(record.clone(), update));
    let others = [Operation::delete(record.clone()), Operation::Restore { id: record.clone() }];
    for operation in [created].into_iter().chain(updates).chain(others) {
        let verb = operation.verb();
        if supports::<R>(subject, &[verb]) {
            let write = RecordWrite { now, ..record_write(operation) };
            let outcome = without_record(write_as(subject, author, &write).await);
            attempts.push(Attempt { kind: R::KIND, verb, outcome });
        }
    }
}

/// Asserts that the author can make every write that the storage supports. A token has no right to some of them.
#[track_caller]
pub(super) fn assert_writes_allowed(subject: &dyn Subject, author: &Author) -> impl Future<Output = ()> {
    assert_writes_allowed_at(subject, author, now())
}

#[track_caller]
fn assert_writes_allowed_at(subject: &dyn Subject, author: &Author, now: Timestamp) -> impl Future<Output = ()> {
    let line = Location::caller();
    async move {
        for attempt in try_writes(subject, author, now).await {
            if attempt.is_permitted_to(author) {
                attempt.assert_allowed(line);
            } else {
                attempt.assert_outcome(&Written::Unauthorized(Refusal::Unknown), line);
            }
        }
    }
}

/// Tries each write as the author. Asserts that it has the expected outcome and changes no data.
#[track_caller]
pub(super) fn assert_writes_refused(
    subject: &dyn Subject,
    author: &Author,
    expected: Written<()>,
) -> impl Future<Output = ()> {
    // The scope of a valid token is checked before its user.
    let refusal = move |attempt: &Attempt| {
        let is_without_scope = expected == Written::NotFound && !attempt.is_permitted_to(author);
        if is_without_scope { Written::Unauthorized(Refusal::Unknown) } else { expected.clone() }
    };
    assert_outcomes(subject, author, refusal)
}

/// Tries each write as the author. Asserts that it is refused because the credential lacks the scope, and changes no
/// data. No scope gives a token the right to some writes.
#[track_caller]
pub(super) fn assert_scope_is_missing(subject: &dyn Subject, author: &Author) -> impl Future<Output = ()> {
    let refusal = |attempt: &Attempt| {
        let scope = write_scope(attempt.kind, attempt.verb);
        Written::Unauthorized(scope.map_or(Refusal::Unknown, Refusal::InsufficientScope))
    };
    assert_outcomes(subject, author, refusal)
}

#[track_caller]
fn assert_outcomes(
    subject: &dyn Subject,
    author: &Author,
    expected: impl Fn(&Attempt) -> Written<()>,
) -> impl Future<Output = ()> {
    let line = Location::caller();
    async move {
        let before = Documents::of_all_members(subject).await;
        for attempt in try_writes(subject, author, now()).await {
            attempt.assert_outcome(&expected(&attempt), line);
        }
        assert_same(&Documents::of_all_members(subject).await, &before);
    }
}

pub(super) async fn a_valid_key_allows_writes(subject: &dyn Subject) {
    assert_writes_allowed(subject, &author_with_key("valid")).await;
}

pub(super) async fn a_write_with_a_revoked_key_is_refused(subject: &dyn Subject) {
    assert!(revoke(subject, "ada", "revoked").await);
    assert_writes_refused(subject, &author_with_key("revoked"), Written::Unauthorized(Refusal::Revoked)).await;
}

pub(super) async fn a_write_with_an_expired_key_is_refused(subject: &dyn Subject) {
    let author = author_with_key("expiring");
    assert_writes_refused(subject, &author, Written::Unauthorized(Refusal::Expired)).await;
    assert_writes_allowed_at(subject, &author, seconds(599)).await;
}

pub(super) async fn a_write_with_a_key_is_refused_while_the_personal_api_is_off(subject: &dyn Subject) {
    let off = ProfileChange::new().disable_personal_api();
    assert!(subject.storage().update_profile(&signed_in("ada"), &off, now()).await.unwrap().is_some());
    assert_writes_refused(subject, &author_with_key("valid"), Written::Unauthorized(Refusal::ApiDisabled)).await;
}

pub(super) async fn a_write_with_a_key_that_lacks_the_scope_is_refused(subject: &dyn Subject) {
    let reads = KeyRecord { scopes: KeyMode::V1Read.scopes(), ..key("reads", "ada") };
    seed(subject, vec![Record::Key(reads)]).await;
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
