//! Writes audit events to the log. Users, keys and records appear by their ids, never with their contents.

use family_api_core::Surface;
use family_api_core::access::{RefusedToken, TokenId};
use family_api_core::audit::{AuditEvent, AuditSink, RecordId};
use family_api_core::id::{FamilyId, KeyId, UserId};
use family_api_core::key::Scope;
use tracing::field;

use crate::request_scope::RequestScope;

/// Logs each event with the target `family_api_server::audit`.
pub(crate) struct AuditLog;

impl AuditSink for AuditLog {
    fn record(&self, event: AuditEvent) {
        match event {
            AuditEvent::InDoubt(event) => AuditLine::of(&event).write(&format!("{}_in_doubt", event.name())),
            event => AuditLine::of(&event).write(event.name()),
        }
    }
}

/// The fields of an audit line, except the event and the request id.
#[derive(Default)]
struct AuditLine<'a> {
    user: Option<&'a UserId>,
    key: Option<&'a KeyId>,
    scopes: Option<String>,
    family: Option<&'a FamilyId>,
    record: Option<&'a RecordId>,
    reason: Option<&'static str>,
    surface: Option<Surface>,
}

impl<'a> AuditLine<'a> {
    fn of(event: &'a AuditEvent) -> Self {
        match event {
            AuditEvent::KeyCreated { user, key, scopes, .. } => {
                let scopes: Vec<&str> = scopes.iter().map(Scope::as_str).collect();
                Self { scopes: Some(scopes.join(" ")), ..Self::of_key(user, key) }
            }
            AuditEvent::KeyFirstUsed { user, key, .. } | AuditEvent::KeyRevoked { user, key, .. } => {
                Self::of_key(user, key)
            }
            AuditEvent::TokenRefused(refused) => Self::of_refused(refused),
            AuditEvent::PersonalApiEnabled { user, .. } | AuditEvent::PersonalApiDisabled { user, .. } => {
                Self { user: Some(user), ..Self::default() }
            }
            AuditEvent::RecordUpdated { user, key, family, record, .. }
            | AuditEvent::RecordDeleted { user, key, family, record, .. } => {
                Self { family: Some(family), record: Some(record), ..Self::of_key(user, key) }
            }
            _ => Self::default(),
        }
    }

    fn of_key(user: &'a UserId, key: &'a KeyId) -> Self {
        Self { user: Some(user), key: Some(key), ..Self::default() }
    }

    /// An unknown token has no user and no key. An environment token has no key id.
    fn of_refused(refused: &'a RefusedToken) -> Self {
        let key = match &refused.token {
            Some(TokenId::Key(key)) => Some(key),
            Some(TokenId::Environment(_)) | None => None,
        };
        let (reason, surface) = (Some(refused.reason.as_str()), Some(refused.surface));
        Self { user: refused.user.as_ref(), key, reason, surface, ..Self::default() }
    }

    fn write(&self, event: &str) {
        let (task, note) = match self.record {
            Some(RecordId::Task(task)) => (Some(task), None),
            Some(RecordId::Note(note)) => (None, Some(note)),
            _ => (None, None),
        };
        tracing::info!(
            event,
            request_id = RequestScope::id(),
            user = self.user.map(field::display),
            key = self.key.map(field::display),
            scopes = self.scopes,
            family = self.family.map(field::display),
            task = task.map(field::display),
            note = note.map(field::display),
            reason = self.reason,
            surface = self.surface.map(field::debug),
            "audit",
        );
    }
}
