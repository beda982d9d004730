//! Writes audit events to the log. Users, keys and records appear by their ids, never with their contents.

use std::net::IpAddr;

use family_api_core::Surface;
use family_api_core::access::{RefusedToken, TokenId};
use family_api_core::audit::{AuditEvent, AuditSink, RecordId};
use family_api_core::id::{FamilyId, FeedId, GrantId, KeyId, ListId, UserId};
use family_api_core::key::{RevokedAccess, Scope, ScopeSet};
use tracing::field;

use crate::access_log::RequestScope;
use crate::cli::AuditAddresses;
use crate::log;
use crate::sign_in_limits::SignInLimit;

/// Logs each event with the target `family_api_server::audit`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuditLog {
    addresses: AuditAddresses,
    /// Whether the filter of the log shows the events.
    is_shown: bool,
}

impl AuditLog {
    pub(crate) fn new(addresses: AuditAddresses) -> Self {
        Self { addresses, is_shown: log::shows(module_path!()) }
    }

    /// Logs that a user signed in.
    pub(crate) fn signed_in(self, user: Option<&UserId>) {
        self.line(user, None).write("signed_in");
    }

    /// Logs a wrong password, or why the password was not verified. `user` is `None` if no user has the e-mail address.
    /// The address itself is not logged: it can be a password that was typed into the wrong field.
    pub(crate) fn sign_in_failed(self, user: Option<&UserId>, reason: Option<&'static str>) {
        self.line(user, reason).write("sign_in_failed");
    }

    /// Logs that a limit refused an attempt to sign in. The line replaces the access line.
    pub(crate) fn sign_in_throttled(self, limit: SignInLimit) {
        self.replace_access_line();
        self.line(None, Some(limit.as_str())).write("sign_in_throttled");
    }

    /// Omits the access line of a refused request, so that a client cannot fill the log with two lines for each attempt.
    fn replace_access_line(self) {
        if self.is_shown {
            RequestScope::omit_access_line();
        }
    }

    fn line<'a>(self, user: Option<&'a UserId>, reason: Option<&'static str>) -> AuditLine<'a> {
        AuditLine { user, reason, address: self.address(), ..AuditLine::default() }
    }

    /// Returns the client's address of the current request, unless addresses are not logged.
    fn address(self) -> Option<IpAddr> {
        match self.addresses {
            AuditAddresses::On => RequestScope::address(),
            AuditAddresses::Off => None,
        }
    }
}

impl AuditSink for AuditLog {
    fn record(&self, event: AuditEvent) {
        match event {
            AuditEvent::InDoubt(event) => AuditLine::of(&event).write(&format!("{}_in_doubt", event.name())),
            AuditEvent::TokenRefused(_) => {
                self.replace_access_line();
                AuditLine { address: self.address(), ..AuditLine::of(&event) }.write(event.name());
            }
            event => AuditLine::of(&event).write(event.name()),
        }
    }
}

/// The maximum number of bytes of a client's id in a line. A signed id has up to 2,048.
const MAX_CLIENT: usize = 64;

/// The fields of an audit line, except the event and the request id.
#[derive(Default)]
struct AuditLine<'a> {
    user: Option<&'a UserId>,
    key: Option<&'a KeyId>,
    connection: Option<&'a GrantId>,
    feed: Option<&'a FeedId>,
    client: Option<&'a str>,
    scopes: Option<String>,
    family: Option<&'a FamilyId>,
    record: Option<&'a RecordId>,
    list: Option<&'a ListId>,
    /// The number of deleted items. `None` if it is unknown.
    items: Option<usize>,
    /// The numbers of keys, connections and feeds that ended at once.
    revoked: Option<&'a RevokedAccess>,
    reason: Option<&'static str>,
    surface: Option<Surface>,
    /// The client's address, only of sign-ins and refused tokens.
    address: Option<IpAddr>,
}

impl<'a> AuditLine<'a> {
    fn of(event: &'a AuditEvent) -> Self {
        match event {
            AuditEvent::KeyCreated { user, key, scopes, .. } => {
                Self { scopes: Some(names(scopes)), ..Self::of_key(user, Some(key)) }
            }
            AuditEvent::ConnectionCreated { user, connection, client_id, scopes, .. } => {
                let client = Some(shorten(client_id));
                let scopes = Some(names(scopes));
                Self { client, scopes, ..Self::of_connection(user, Some(connection)) }
            }
            AuditEvent::ConnectionRevoked { user, connection, .. } => Self::of_connection(user, connection.as_ref()),
            AuditEvent::ConnectionEnded { user, connection, reason, .. } => {
                Self { reason: Some(reason.as_str()), ..Self::of_connection(user, Some(connection)) }
            }
            AuditEvent::KeyFirstUsed { user, key, .. } => Self::of_key(user, Some(key)),
            AuditEvent::KeyRevoked { user, key, .. } => Self::of_key(user, key.as_ref()),
            AuditEvent::FeedCreated { user, feed, .. } | AuditEvent::FeedFirstUsed { user, feed, .. } => {
                Self::of_feed(user, Some(feed))
            }
            AuditEvent::FeedUpdated { user, feed, .. } | AuditEvent::FeedEnded { user, feed, .. } => {
                Self::of_feed(user, feed.as_ref())
            }
            AuditEvent::AccessRevoked { user, revoked, .. } => {
                Self { user: Some(user), revoked: Some(revoked), ..Self::default() }
            }
            AuditEvent::TokenRefused(refused) => Self::of_refused(refused),
            AuditEvent::PersonalApiEnabled { user, .. }
            | AuditEvent::PersonalApiDisabled { user, .. }
            | AuditEvent::TimeZoneChanged { user, .. } => Self { user: Some(user), ..Self::default() },
            AuditEvent::RecordCreated { user, token, family, record, .. }
            | AuditEvent::RecordUpdated { user, token, family, record, .. }
            | AuditEvent::RecordDeleted { user, token, family, record, .. }
            | AuditEvent::RecordRestored { user, token, family, record, .. } => {
                Self { family: Some(family), record: Some(record), ..Self::of_token(Some(user), Some(token)) }
            }
            AuditEvent::CheckedItemsDeleted { user, token, family, list, items, .. } => Self {
                family: Some(family),
                list: list.as_ref(),
                // An event in doubt does not know the items.
                items: (!items.is_empty()).then_some(items.len()),
                ..Self::of_token(Some(user), Some(token))
            },
            _ => Self::default(),
        }
    }

    fn of_key(user: &'a UserId, key: Option<&'a KeyId>) -> Self {
        Self { user: Some(user), key, ..Self::default() }
    }

    fn of_connection(user: &'a UserId, connection: Option<&'a GrantId>) -> Self {
        Self { user: Some(user), connection, ..Self::default() }
    }

    fn of_feed(user: &'a UserId, feed: Option<&'a FeedId>) -> Self {
        Self { user: Some(user), feed, ..Self::default() }
    }

    /// An unknown token has no user and no id. The id of an environment token is not logged.
    fn of_token(user: Option<&'a UserId>, token: Option<&'a TokenId>) -> Self {
        let line = Self { user, ..Self::default() };
        match token {
            Some(TokenId::Key(key)) => Self { key: Some(key), ..line },
            Some(TokenId::Grant(connection)) => Self { connection: Some(connection), ..line },
            Some(TokenId::Feed(feed)) => Self { feed: Some(feed), ..line },
            Some(TokenId::Environment(_) | TokenId::External(_)) | None => line,
        }
    }

    fn of_refused(refused: &'a RefusedToken) -> Self {
        let (reason, surface) = (Some(refused.reason.as_str()), Some(refused.surface));
        Self { reason, surface, ..Self::of_token(refused.user.as_ref(), refused.token.as_ref()) }
    }

    fn write(&self, event: &str) {
        tracing::info!(
            event,
            request_id = RequestScope::id(),
            user = self.user.map(field::display),
            key = self.key.map(field::display),
            connection = self.connection.map(field::display),
            feed = self.feed.map(field::display),
            client = self.client,
            scopes = self.scopes,
            family = self.family.map(field::display),
            kind = self.record.map(|record| record.kind.as_str()),
            record = self.record.and_then(|record| record.id.as_deref()),
            list = self.list.map(field::display),
            items = self.items,
            keys = self.revoked.map(|revoked| revoked.keys),
            connections = self.revoked.map(|revoked| revoked.connections),
            feeds = self.revoked.map(|revoked| revoked.feeds),
            reason = self.reason,
            surface = self.surface.map(field::debug),
            address = self.address.map(field::display),
            "audit",
        );
    }
}

fn shorten(client_id: &str) -> &str {
    client_id.get(..client_id.floor_char_boundary(MAX_CLIENT)).unwrap_or_default()
}

fn names(scopes: &ScopeSet) -> String {
    scopes.iter().map(Scope::as_str).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_id_of_a_client_is_shortened() {
        assert_eq!(shorten("https://assistant.example/client.json"), "https://assistant.example/client.json");
        assert_eq!(shorten(&"a".repeat(2_048)), "a".repeat(64));
        assert_eq!(shorten(&"é".repeat(2_048)), "é".repeat(32));
        assert_eq!(shorten(&format!("a{}", "é".repeat(64))).len(), 63);
    }
}
