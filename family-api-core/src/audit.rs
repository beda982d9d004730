//! What happened to keys and by keys, for a host that keeps a record of it.
//!
//! It follows keys only: what a user changes in a session is no event, and neither is what a token from the configuration
//! reads; that such a token is refused is one.

use crate::access::Refused;
use crate::id::{KeyId, NoteId, TaskId, UserId};
use crate::key::ScopeSet;

/// Takes down what happens; given to [`FamilyApiBuilder::audit`](crate::FamilyApiBuilder::audit).
///
/// It is told on the way of the request, so it is neither to wait for anything nor to panic: one that writes to a disk or
/// a network hands the event on to a task of its own. An event has no instant: who takes it down knows the time.
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
pub enum AuditEvent {
    /// A user created a key.
    #[non_exhaustive]
    KeyCreated {
        /// The owner of the key.
        user: UserId,
        /// The key.
        key: KeyId,
        /// What the key may do.
        scopes: ScopeSet,
    },
    /// A key was let in, and had never been before; of uses at once, more than one may count as the first.
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
        /// The key.
        key: KeyId,
    },
    /// A token was refused.
    TokenRefused(Refused),
    /// A user switched the personal API on, or said so once more.
    #[non_exhaustive]
    PersonalApiEnabled {
        /// The user.
        user: UserId,
    },
    /// A user switched the personal API off, or said so once more.
    #[non_exhaustive]
    PersonalApiDisabled {
        /// The user.
        user: UserId,
    },
    /// A key changed a record.
    #[non_exhaustive]
    RecordUpdated {
        /// The owner of the key.
        user: UserId,
        /// The key.
        key: KeyId,
        /// The record.
        record: RecordId,
    },
    /// A key deleted a record.
    #[non_exhaustive]
    RecordDeleted {
        /// The owner of the key.
        user: UserId,
        /// The key.
        key: KeyId,
        /// The record.
        record: RecordId,
    },
    /// This may have happened: whoever asked for it went away before it was known, or the storage failed.
    InDoubt(Box<AuditEvent>),
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
    /// A name for the kind of event, as a log has it: `key_created`; of one in doubt, the event's own.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::KeyCreated { .. } => "key_created",
            Self::KeyFirstUsed { .. } => "key_first_used",
            Self::KeyRevoked { .. } => "key_revoked",
            Self::TokenRefused(_) => "token_refused",
            Self::PersonalApiEnabled { .. } => "personal_api_enabled",
            Self::PersonalApiDisabled { .. } => "personal_api_disabled",
            Self::RecordUpdated { .. } => "record_updated",
            Self::RecordDeleted { .. } => "record_deleted",
            Self::InDoubt(event) => event.name(),
        }
    }
}
