//! An audit trail of integration keys and connections: what happens to them, and what they change.
//!
//! A change of a record in a session causes no event. A read with an environment token causes no event either, but its
//! refusal does.

use crate::access::{RefusedToken, TokenId};
use crate::connection::Misuse;
use crate::id::{FamilyId, FeedId, GrantId, Id, ItemId, KeyId, ListId, UserId};
use crate::key::{RevokedAccess, ScopeSet};
use crate::logged_id::{is_loggable, loggable_text};
use crate::resource::RecordKind;

/// Records audit events. A host sets the sink with [`FamilyApiBuilder::audit`](crate::FamilyApiBuilder::audit).
///
/// The request calls [`record`](Self::record) and waits for it, so the method must not block and must not panic. A sink
/// that writes to a disk or a network should send the event to a background task. An event contains no time: the sink
/// adds the time.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
///
/// use family_api_core::audit::{AuditEvent, AuditSink};
///
/// struct ChannelSink(Sender<AuditEvent>);
///
/// impl AuditSink for ChannelSink {
///     fn record(&self, event: AuditEvent) {
///         // The receiver is gone if the host is shutting down.
///         let _ = self.0.send(event);
///     }
/// }
/// # let (sender, _events) = channel();
/// # let sink: Box<dyn AuditSink> = Box::new(ChannelSink(sender));
/// ```
pub trait AuditSink: Send + Sync {
    /// Records an event.
    fn record(&self, event: AuditEvent);
}

/// An audit event. It contains ids of users, tokens, clients and records, and never the content of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditEvent {
    /// A user created a key.
    #[non_exhaustive]
    KeyCreated {
        /// The owner of the key.
        user: UserId,
        /// The key.
        key: KeyId,
        /// The scopes of the key.
        scopes: ScopeSet,
    },
    /// A key was used for the first time. Concurrent first uses can cause several of these events.
    #[non_exhaustive]
    KeyFirstUsed {
        /// The owner of the key.
        user: UserId,
        /// The key.
        key: KeyId,
    },
    /// A user revoked a key.
    #[non_exhaustive]
    KeyRevoked {
        /// The owner of the key.
        user: UserId,
        /// The key. Can be `None` only [in doubt](Self::InDoubt).
        key: Option<KeyId>,
    },
    /// A user approved the connection of an OAuth client.
    #[non_exhaustive]
    ConnectionCreated {
        /// The user.
        user: UserId,
        /// The connection.
        connection: GrantId,
        /// The id of the client.
        client_id: String,
        /// The scopes of the connection.
        scopes: ScopeSet,
    },
    /// A user revoked a connection.
    #[non_exhaustive]
    ConnectionRevoked {
        /// The user.
        user: UserId,
        /// The connection. Can be `None` only [in doubt](Self::InDoubt).
        connection: Option<GrantId>,
    },
    /// A connection was ended by the client, because one of its secrets was misused, because its user was deleted, or
    /// because another connection replaced it.
    #[non_exhaustive]
    ConnectionEnded {
        /// The user.
        user: UserId,
        /// The connection.
        connection: GrantId,
        /// The reason.
        reason: ConnectionEnd,
    },
    /// A user created a calendar feed.
    #[non_exhaustive]
    FeedCreated {
        /// The user.
        user: UserId,
        /// The feed.
        feed: FeedId,
    },
    /// A calendar feed was read for the first time. Concurrent first reads can cause several of these events.
    #[non_exhaustive]
    FeedFirstUsed {
        /// The user.
        user: UserId,
        /// The feed.
        feed: FeedId,
    },
    /// A user changed what a calendar feed shows.
    #[non_exhaustive]
    FeedUpdated {
        /// The user.
        user: UserId,
        /// The feed. Can be `None` only [in doubt](Self::InDoubt).
        feed: Option<FeedId>,
    },
    /// A user ended a calendar feed.
    #[non_exhaustive]
    FeedEnded {
        /// The user.
        user: UserId,
        /// The feed. Can be `None` only [in doubt](Self::InDoubt).
        feed: Option<FeedId>,
    },
    /// A user revoked all keys, ended all connections and calendar feeds at once, and switched the personal API off.
    #[non_exhaustive]
    AccessRevoked {
        /// The user.
        user: UserId,
        /// The numbers of keys, connections and feeds. Zero [in doubt](Self::InDoubt).
        revoked: RevokedAccess,
    },
    /// A token was refused.
    TokenRefused(RefusedToken),
    /// A user switched the personal API on. It may have been on already.
    #[non_exhaustive]
    PersonalApiEnabled {
        /// The user.
        user: UserId,
    },
    /// A user switched the personal API off. It may have been off already.
    #[non_exhaustive]
    PersonalApiDisabled {
        /// The user.
        user: UserId,
    },
    /// A user set their time zone. It may have been the same already.
    #[non_exhaustive]
    TimeZoneChanged {
        /// The user.
        user: UserId,
    },
    /// A token created a record. A repeated request that returns an existing record causes no event.
    #[non_exhaustive]
    RecordCreated {
        /// The user of the token.
        user: UserId,
        /// The token.
        token: TokenId,
        /// The family of the record.
        family: FamilyId,
        /// The record. Its id is unique among the records of its kind in the family.
        record: RecordId,
    },
    /// A token changed a record.
    #[non_exhaustive]
    RecordUpdated {
        /// The user of the token.
        user: UserId,
        /// The token.
        token: TokenId,
        /// The family of the record.
        family: FamilyId,
        /// The record. Its id is unique among the records of its kind in the family.
        record: RecordId,
    },
    /// A token deleted a record.
    #[non_exhaustive]
    RecordDeleted {
        /// The user of the token.
        user: UserId,
        /// The token.
        token: TokenId,
        /// The family of the record.
        family: FamilyId,
        /// The record. Its id is unique among the records of its kind in the family.
        record: RecordId,
    },
    /// A token restored a deleted record. The restoration of a record that is not deleted causes no event.
    #[non_exhaustive]
    RecordRestored {
        /// The user of the token.
        user: UserId,
        /// The token.
        token: TokenId,
        /// The family of the record.
        family: FamilyId,
        /// The record. Its id is unique among the records of its kind in the family.
        record: RecordId,
    },
    /// A token deleted the checked items of a shopping list.
    #[non_exhaustive]
    CheckedItemsDeleted {
        /// The user of the token.
        user: UserId,
        /// The token.
        token: TokenId,
        /// The family of the list.
        family: FamilyId,
        /// The list. Can be `None` only [in doubt](Self::InDoubt).
        list: Option<ListId>,
        /// The deleted items. Empty if the outcome is unknown.
        items: Vec<ItemId>,
    },
    /// An event with an unknown outcome: the request was cancelled, or the storage failed, before the outcome was
    /// known. It does not contain an id of the request that is longer than a UUID, because a client can send a token in
    /// place of an id.
    InDoubt(Box<AuditEvent>),
}

/// Why a connection ended without its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectionEnd {
    /// A secret of the connection was misused.
    Misused(Misuse),
    /// The client revoked a token of the connection.
    RevokedByClient,
    /// The user no longer exists.
    UserDeleted,
    /// The user had the maximum number of connections, and allowed the same client once more.
    Replaced,
}

impl ConnectionEnd {
    /// Returns the name of the reason for a log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Misused(misuse) => misuse.as_str(),
            Self::RevokedByClient => "revoked_by_client",
            Self::UserDeleted => "user_deleted",
            Self::Replaced => "replaced",
        }
    }

    /// Returns the misuse that has ended the connection.
    pub(crate) const fn misuse(self) -> Option<Misuse> {
        match self {
            Self::Misused(misuse) => Some(misuse),
            Self::RevokedByClient | Self::UserDeleted | Self::Replaced => None,
        }
    }
}

/// The kind and the id of a record that a token can change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordId {
    /// The kind of the record.
    pub kind: RecordKind,
    /// The id. It is unique among the records of this kind in the family. Can be `None` only
    /// [in doubt](AuditEvent::InDoubt).
    pub id: Option<String>,
}

impl RecordId {
    pub(crate) fn new(kind: RecordKind, id: &impl ToString) -> Self {
        Self { kind, id: Some(id.to_string()) }
    }
}

impl AuditEvent {
    /// Returns the name of the event's kind for a log, such as `key_created`. [`InDoubt`](Self::InDoubt) returns the
    /// name of the event that it contains.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::KeyCreated { .. } => "key_created",
            Self::KeyFirstUsed { .. } => "key_first_used",
            Self::KeyRevoked { .. } => "key_revoked",
            Self::ConnectionCreated { .. } => "connection_created",
            Self::ConnectionRevoked { .. } => "connection_revoked",
            Self::ConnectionEnded { .. } => "connection_ended",
            Self::FeedCreated { .. } => "feed_created",
            Self::FeedFirstUsed { .. } => "feed_first_used",
            Self::FeedUpdated { .. } => "feed_updated",
            Self::FeedEnded { .. } => "feed_ended",
            Self::AccessRevoked { .. } => "access_revoked",
            Self::TokenRefused(_) => "token_refused",
            Self::PersonalApiEnabled { .. } => "personal_api_enabled",
            Self::PersonalApiDisabled { .. } => "personal_api_disabled",
            Self::TimeZoneChanged { .. } => "time_zone_changed",
            Self::RecordCreated { .. } => "record_created",
            Self::RecordUpdated { .. } => "record_updated",
            Self::RecordDeleted { .. } => "record_deleted",
            Self::RecordRestored { .. } => "record_restored",
            Self::CheckedItemsDeleted { .. } => "checked_items_deleted",
            Self::InDoubt(event) => event.name(),
        }
    }

    /// Converts to an event with an unknown outcome.
    pub(crate) fn in_doubt(mut self) -> Self {
        match &mut self {
            Self::KeyRevoked { key, .. } => remove_possible_token(key),
            Self::ConnectionRevoked { connection, .. } => remove_possible_token(connection),
            Self::FeedUpdated { feed, .. } | Self::FeedEnded { feed, .. } => remove_possible_token(feed),
            Self::CheckedItemsDeleted { list, .. } => remove_possible_token(list),
            Self::RecordUpdated { record, .. }
            | Self::RecordDeleted { record, .. }
            | Self::RecordRestored { record, .. } => {
                record.id.take_if(|id| !is_loggable(id));
            }
            // The ids of the other events do not come from a request.
            _ => {}
        }
        Self::InDoubt(Box::new(self))
    }
}

fn remove_possible_token<I: Id>(id: &mut Option<I>) {
    id.take_if(|id| loggable_text(id).is_none());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_in_doubt_names_no_token_in_place_of_an_id() {
        const UUID: &str = "01935a2b-0000-7000-8000-000000000000";
        let (user, family) = (|| "ana".parse().unwrap(), || "rivera".parse().unwrap());
        let (token, kind) = (|| TokenId::Key("key".parse().unwrap()), RecordKind::Note);
        let record = |id: &str| RecordId::new(kind, &id);
        let events = |id: &str| {
            [
                AuditEvent::KeyRevoked { user: user(), key: id.parse().ok() },
                AuditEvent::ConnectionRevoked { user: user(), connection: id.parse().ok() },
                AuditEvent::RecordUpdated { user: user(), token: token(), family: family(), record: record(id) },
                AuditEvent::RecordDeleted { user: user(), token: token(), family: family(), record: record(id) },
                AuditEvent::RecordRestored { user: user(), token: token(), family: family(), record: record(id) },
                AuditEvent::CheckedItemsDeleted {
                    user: user(),
                    token: token(),
                    family: family(),
                    list: id.parse().ok(),
                    items: Vec::new(),
                },
            ]
        };
        let pasted = format!("fam_{}", "x".repeat(43));
        for (id, is_named) in [(UUID, true), (&pasted, false)] {
            for event in events(id).map(AuditEvent::in_doubt) {
                assert_eq!(format!("{event:?}").contains(id), is_named, "{event:?}");
            }
        }
    }
}
