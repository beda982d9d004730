//! What happened to keys and by keys, for a host that keeps a record of it.

use crate::access::Refused;
use crate::id::{KeyId, NoteId, TaskId, UserId};
use crate::key::ScopeSet;

/// Takes down what happens.
///
/// It is told on the way of the request, so it is not to wait for anything: one that writes to a disk or a network hands
/// the event on to a task of its own.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
///
/// use family_api_core::audit::{AuditEvent, AuditSink};
///
/// struct ToTask(Sender<AuditEvent>);
///
/// impl AuditSink for ToTask {
///     fn record(&self, event: AuditEvent) {
///         // Nobody listens any more where the host is stopping.
///         let _ = self.0.send(event);
///     }
/// }
/// # let (sender, _events) = channel();
/// # let sink: Box<dyn AuditSink> = Box::new(ToTask(sender));
/// ```
pub trait AuditSink: Send + Sync {
    /// Takes down an event.
    fn record(&self, event: AuditEvent);
}

/// What happened: who and what by their ids, never what was in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the ids of what the event is about")]
pub enum AuditEvent {
    /// A user made a key.
    KeyCreated { user: UserId, key: KeyId, scopes: ScopeSet },
    /// A key was used, and had never been before; of uses at once, more than one may count as the first.
    KeyFirstUsed { user: UserId, key: KeyId },
    /// A user revoked a key.
    KeyRevoked { user: UserId, key: KeyId },
    /// A token was refused.
    TokenRefused(Refused),
    /// A user switched the personal API on.
    PersonalApiEnabled { user: UserId },
    /// A user switched the personal API off.
    PersonalApiDisabled { user: UserId },
    /// A key changed a record.
    RecordUpdated { user: UserId, key: KeyId, record: RecordId },
    /// A key deleted a record.
    RecordDeleted { user: UserId, key: KeyId, record: RecordId },
}

/// A record that can be written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordId {
    /// A task.
    Task(TaskId),
    /// A note.
    Note(NoteId),
}

impl AuditEvent {
    /// A name for the kind of event, as a log has it: `key_created`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::KeyCreated { .. } => "key_created",
            Self::KeyFirstUsed { .. } => "key_first_used",
            Self::KeyRevoked { .. } => "key_revoked",
            Self::TokenRefused(_) => "token_refused",
            Self::PersonalApiEnabled { .. } => "personal_api_enabled",
            Self::PersonalApiDisabled { .. } => "personal_api_disabled",
            Self::RecordUpdated { .. } => "record_updated",
            Self::RecordDeleted { .. } => "record_deleted",
        }
    }
}
