//! The log of changes: what a member learns of the writes since a revision.

pub(crate) mod change_audience;
pub(crate) mod change_batches;
pub(crate) mod change_expiry;
pub(crate) mod change_purge;
pub(crate) mod changed_records;

use std::panic::Location;

use family_api_core::resource::{RecordKind, Revision};
use family_api_core::storage::{ChangesQuery, FoundChanges, Member, RecordChanges, Writable};
use serde::Serialize;

use crate::Subject;
use crate::fixture::{Call, last_call};

/// A member who follows the changes from a revision.
pub(crate) struct Follower<'a> {
    subject: &'a dyn Subject,
    member: Member,
    pub(crate) since: Revision,
}

/// The records of changes, each as its kind and its id, sorted.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Learned {
    changed: Vec<String>,
    deleted: Vec<String>,
}

impl<'a> Follower<'a> {
    /// Begins at the current revision.
    #[track_caller]
    pub(crate) fn new(subject: &'a dyn Subject, member: Member) -> impl Future<Output = Self> {
        let current = current_revision(subject, &member);
        async move { Self { since: current.await, subject, member } }
    }

    /// Returns a query for all changes of all kinds that the storage keeps.
    pub(crate) fn query(&self) -> ChangesQuery {
        let capabilities = self.subject.storage().capabilities();
        let kinds = RecordKind::ALL.into_iter().filter(|kind| capabilities.keeps_kind(*kind)).collect();
        ChangesQuery { since: self.since, kinds, limit: 500, max_bytes: usize::MAX }
    }

    /// Lists changes.
    #[track_caller]
    pub(crate) fn list(&self, query: &ChangesQuery) -> impl Future<Output = FoundChanges> {
        let storage = self.subject.storage();
        let line = Location::caller();
        let method = format!("list_changes (limit {}, since {})", query.limit, query.since.get());
        async move { Call::at(line, method, &self.member.user).result(storage.list_changes(&self.member, query).await) }
    }

    /// Lists changes up to the end of the write that reaches the limit, and follows them.
    #[track_caller]
    pub(crate) fn follow(&mut self, limit: u32) -> impl Future<Output = RecordChanges> {
        let query = ChangesQuery { limit, ..self.query() };
        let line = Location::caller();
        async move {
            let changes = found(self.list(&query).await, line);
            self.since = changes.revision;
            changes
        }
    }

    /// Follows all changes.
    #[track_caller]
    pub(crate) fn learn(&mut self) -> impl Future<Output = Learned> {
        let followed = self.follow(500);
        async move { Learned::from(&followed.await) }
    }

    /// Returns whether the changes are not known any more.
    #[track_caller]
    pub(crate) fn is_expired(&self) -> impl Future<Output = bool> {
        let query = self.query();
        let line = Location::caller();
        async move {
            match self.list(&query).await {
                FoundChanges::Expired => true,
                FoundChanges::Found(_) => false,
                FoundChanges::TooLarge => panic!("at {line}: the changes are too large without a maximum"),
            }
        }
    }
}

/// Returns the changes that a call has found.
fn found(found: FoundChanges, line: &Location<'_>) -> RecordChanges {
    match found {
        FoundChanges::Found(changes) => changes,
        other => panic!("{}, at {line}: expected the changes, but got {other:?}", last_call()),
    }
}

/// Returns the current revision of the family.
#[track_caller]
pub(crate) fn current_revision<'s>(
    subject: &'s dyn Subject,
    member: &Member,
) -> impl Future<Output = Revision> + use<'s> {
    let line = Location::caller();
    let call = Call::new("find_account", &member.user);
    let user = member.user.clone();
    async move {
        let account = call.result(subject.storage().find_account(&user).await);
        let revision = account.and_then(|account| account.membership).and_then(|membership| membership.revision);
        revision.unwrap_or_else(|| panic!("at {line}: a storage that keeps changes counts revisions"))
    }
}

impl From<&RecordChanges> for Learned {
    fn from(read: &RecordChanges) -> Self {
        let changed = read.changed.iter().map(|record| name(record.record.kind(), &record.id));
        let deleted = read.deleted.iter().map(|record| name(record.kind, &record.id));
        Self { changed: sorted(changed), deleted: sorted(deleted) }
    }
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names
}

/// Returns the kind and the id of a record.
pub(crate) fn name(kind: RecordKind, id: &str) -> String {
    format!("{} {id}", kind.as_str())
}

/// Returns what a member learns if these records have changed.
pub(crate) fn changed<R: Writable>(ids: &[&str]) -> Learned {
    Learned { changed: sorted(ids.iter().map(|id| name(R::KIND, id))), ..nothing() }
}

/// Returns what a member learns if these records were deleted.
pub(crate) fn deleted<R: Writable>(ids: &[&str]) -> Learned {
    Learned { deleted: sorted(ids.iter().map(|id| name(R::KIND, id))), ..nothing() }
}

pub(crate) const fn nothing() -> Learned {
    Learned { changed: Vec::new(), deleted: Vec::new() }
}
