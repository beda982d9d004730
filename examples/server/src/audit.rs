//! What happened to keys and by keys, as lines of the log: who and what by their ids, never what was in it.

use family_api_core::access::{Refused, TokenId};
use family_api_core::audit::{AuditEvent, AuditSink, RecordId};
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::Scope;
use tracing::{Span, info_span};

use crate::request_scope::RequestScope;

/// Writes each event as a line of the target `family_api_server::audit`.
pub(crate) struct AuditLog;

impl AuditSink for AuditLog {
    fn record(&self, event: AuditEvent) {
        request().in_scope(|| match event {
            AuditEvent::InDoubt(event) => write(&format!("{}_in_doubt", event.name()), *event),
            event => write(event.name(), event),
        });
    }
}

/// The request that it came with: a span for the few that have such a line, for it costs as much as one.
fn request() -> Span {
    RequestScope::id(|id| info_span!("request", request_id = id)).unwrap_or_else(Span::none)
}

fn write(name: &str, event: AuditEvent) {
    match event {
        AuditEvent::KeyCreated { user, key, scopes, .. } => {
            let scopes: Vec<&str> = scopes.iter().map(Scope::as_str).collect();
            tracing::info!(event = name, %user, %key, scopes = scopes.join(" "), "audit");
        }
        AuditEvent::KeyFirstUsed { user, key, .. } | AuditEvent::KeyRevoked { user, key, .. } => {
            tracing::info!(event = name, %user, %key, "audit");
        }
        AuditEvent::TokenRefused(refused) => refusal(name, &refused),
        AuditEvent::PersonalApiEnabled { user, .. } | AuditEvent::PersonalApiDisabled { user, .. } => {
            tracing::info!(event = name, %user, "audit");
        }
        AuditEvent::RecordUpdated { user, key, record, .. } | AuditEvent::RecordDeleted { user, key, record, .. } => {
            record_of(name, &user, &key, &record);
        }
        _ => tracing::info!(event = name, "audit"),
    }
}

fn record_of(name: &str, user: &UserId, key: &KeyId, record: &RecordId) {
    match record {
        RecordId::Task(task) => tracing::info!(event = name, %user, %key, %task, "audit"),
        RecordId::Note(note) => tracing::info!(event = name, %user, %key, %note, "audit"),
        _ => tracing::info!(event = name, %user, %key, "audit"),
    }
}

/// A token that is nobody's has neither user nor key; one from the configuration has no id.
fn refusal(name: &str, refused: &Refused) {
    let user = refused.user.as_ref().map(tracing::field::display);
    let key = match &refused.token {
        Some(TokenId::Key(key)) => Some(tracing::field::display(key)),
        Some(TokenId::Environment(_)) | None => None,
    };
    let reason = refused.reason.as_str();
    tracing::info!(event = name, user, key, reason, surface = ?refused.surface, "audit");
}
