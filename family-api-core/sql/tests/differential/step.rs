//! The steps that are run on every storage.

use std::ops::Range;

use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::change::{Editable, EventUpdate, OccurrenceScope, ProfileChange};
use family_api_core::id::{KeyId, ListId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::occurrences::OccurrenceStart;
use family_api_core::resource::{Event, RecordKind, TaskFilter};
use family_api_core::storage::{Member, NewKey, PasswordHash, Record, Session};
use family_api_core::validation::Json;
use family_api_core::{EntityTag, EntityTags, Precondition, Timestamp};
use serde::Serialize;
use serde_json::Value;

/// An operation and its time.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) at: Timestamp,
    pub(crate) operation: Operation,
}

/// The JSON of a valid update.
pub(crate) type Body = Value;

/// A call of a storage method. `Load` stands for a complete load, from begin to commit.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    ListTasks(Member, TaskFilter),
    ListEvents(Member, EventRange),
    ListOverlappingEvents(Member, Range<Timestamp>),
    ListMembers(Member),
    ListShopping(Member),
    ListNotes(Member),
    FindTaskStats(Member, StatsPeriods),
    /// A write of a record.
    Write(Member, RecordKind, Write),
    ChangeOccurrence(Member, OccurrenceWrite),
    DeleteCheckedItems(Member, ListId),
    FindAccount(UserId),
    FindProfile(UserId),
    UpdateProfile(UserId, ProfileChange),
    InsertKey(Box<NewKey>, u32),
    FindKey(Token),
    ListKeys(UserId),
    RevokeKey(UserId, KeyId),
    RecordUses(Vec<Token>, Timestamp),
    FindPassword(String),
    UpdatePassword(UserId, PasswordHash),
    InsertSession(NewSession),
    FindSession(Token),
    DeleteSession(Token),
    Load(Vec<Record>),
}

/// A write of a record.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) id: String,
    pub(crate) action: Action,
    pub(crate) zone: Zone,
}

/// What a write does with the record.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// Creates the record: an item in a list, and a column on a board. `key` is the idempotency key.
    Create {
        container: Option<String>,
        body: Body,
        key: Option<&'static str>,
    },
    Update(Body, IfMatch),
    Delete(IfMatch),
    Restore,
}

/// A change of one occurrence of an event.
#[derive(Debug, Clone)]
pub(crate) struct OccurrenceWrite {
    /// The event.
    pub(crate) id: String,
    pub(crate) start: OccurrenceStart,
    pub(crate) action: OccurrenceAction,
    pub(crate) if_match: IfMatch,
    pub(crate) zone: Zone,
    /// The id of the event that a split creates.
    pub(crate) new_id: String,
}

/// What a write does with an occurrence.
#[derive(Debug, Clone)]
pub(crate) enum OccurrenceAction {
    Change(Body, OccurrenceScope),
    Skip(OccurrenceScope),
    Restore,
}

impl OccurrenceWrite {
    pub(crate) fn update(&self) -> EventUpdate {
        match &self.action {
            OccurrenceAction::Change(body, scope) => {
                Event::parse_update(Json::of(body)).unwrap().of_occurrence(self.start, *scope).unwrap()
            }
            OccurrenceAction::Skip(scope) => EventUpdate::skip_occurrence(self.start, *scope),
            OccurrenceAction::Restore => EventUpdate::restore_occurrence(self.start),
        }
    }
}

impl Write {
    /// Returns the precondition of the write.
    pub(crate) fn if_match(&self) -> IfMatch {
        match &self.action {
            Action::Update(_, if_match) | Action::Delete(if_match) => *if_match,
            Action::Create { .. } | Action::Restore => IfMatch::Absent,
        }
    }
}

impl Operation {
    /// Returns the member who reads if the operation reads a document.
    pub(crate) fn reader(&self) -> Option<&Member> {
        match self {
            Self::ListTasks(member, _)
            | Self::ListEvents(member, _)
            | Self::ListOverlappingEvents(member, _)
            | Self::ListMembers(member)
            | Self::ListShopping(member)
            | Self::ListNotes(member)
            | Self::FindTaskStats(member, _) => Some(member),
            _ => None,
        }
    }
}

/// The precondition of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfMatch {
    Absent,
    Star,
    /// The entity tag of the current version.
    Current,
    /// The entity tag of another version.
    Another,
}

impl IfMatch {
    /// Returns whether the precondition holds for an existing record.
    pub(crate) fn holds(self) -> bool {
        self != Self::Another
    }

    /// Returns the precondition for the record as the member reads it.
    pub(crate) fn precondition(self, record: &impl Serialize) -> Precondition {
        let only = |tag| Precondition::Match(EntityTags::single(tag));
        match self {
            Self::Absent => Precondition::None,
            Self::Star => Precondition::if_match([&b"*"[..]]),
            Self::Current => only(EntityTag::of_record(record).unwrap()),
            Self::Another => only(EntityTag::of_record(&("another", record)).unwrap()),
        }
    }
}

/// A plaintext token. Steps contain tokens instead of digests, so that failure reports are readable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token(pub(crate) String);

impl Token {
    pub(crate) fn digest(&self) -> KeyDigest {
        KeyDigest::of(&self.0)
    }
}

/// A session to insert, for a user who signed in with `password`.
#[derive(Debug, Clone)]
pub(crate) struct NewSession {
    pub(crate) token: Token,
    pub(crate) user: UserId,
    pub(crate) password: PasswordHash,
    pub(crate) expires_at: Timestamp,
}

impl NewSession {
    pub(crate) fn session(&self, now: Timestamp) -> Session {
        let user = self.user.clone();
        Session { digest: self.token.digest(), user, created_at: now, expires_at: self.expires_at }
    }
}
