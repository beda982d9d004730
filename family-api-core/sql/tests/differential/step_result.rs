//! The result of a step.

use family_api_core::access::Refusal;
use family_api_core::id::{FamilyId, UserId};
use family_api_core::key::IntegrationKey;
use family_api_core::resource::{Document, Profile, Revision, TaskStats};
use family_api_core::storage::{
    Account, FoundKey, KeyInsert, KeyRevocation, LoadError, LoadFault, Membership, PasswordHash, StorageError, Written,
};
use family_api_core::validation::FieldFault;
use serde::Serialize;
use serde_json::{Value, json};

use crate::step::Operation;

/// The result of a step. Errors contain only what the HTTP reference defines.
#[derive(Debug, PartialEq)]
pub(crate) enum StepResult {
    /// A document with its revision.
    Document(String, Option<Revision>),
    Stats(TaskStats, Option<Revision>),
    /// The JSON of a record.
    Record(Value),
    /// The JSON of a record before and after an update.
    Changed(Value, Value),
    /// The JSON of a record before and after an update, and that of the record that the update created.
    Split(Value, Value, Value),
    /// The JSON of a record that was not written.
    Existing(Box<StepResult>),
    /// The sorted ids of deleted items.
    Items(Vec<String>),
    IdempotencyMismatch,
    NotEmpty,
    LimitReached,
    NotFound,
    PreconditionFailed,
    Unauthorized(Refusal),
    /// The sorted JSON pointers of the refused fields.
    Refused(Vec<String>),
    Flag(bool),
    KeyRevocation(KeyRevocation),
    Written,
    Account(Option<Account>),
    Profile(Option<Profile>),
    KeyInsert(KeyInsert),
    Key(Option<FoundKey>),
    Keys(Vec<IntegrationKey>),
    Password(Option<(UserId, Option<PasswordHash>)>),
    User(Option<UserId>),
    /// The number of the refused record and all faults that a storage can report.
    Load(Option<(u64, Vec<LoadFault>)>),
    /// A storage error. The text is only for failure messages: all storage errors count as equal.
    Fault(String),
}

impl StepResult {
    /// Returns the expected document of these records.
    pub(crate) fn document(records: &impl Serialize) -> Self {
        Self::Document(serde_json::to_string(records).unwrap(), None)
    }

    pub(crate) fn from_document<T>(document: Document<T>) -> Self {
        let revision = document.revision();
        Self::Document(String::from_utf8(document.into_bytes().into()).unwrap(), revision)
    }

    /// Returns the result of a write that returns a record, and changes nothing.
    pub(crate) fn existing(record: Value) -> Self {
        Self::Existing(Box::new(Self::Record(record)))
    }

    /// Returns the result of a write that returns a record.
    pub(crate) fn record(record: &impl Serialize) -> Self {
        Self::Record(json!(record))
    }

    pub(crate) fn update<T: Serialize>(written: Written<T>, done: fn(&T) -> Self) -> Self {
        match written {
            Written::Created(record) | Written::Deleted(record) | Written::Restored(record) => done(&record),
            Written::Updated { before, after } => Self::Changed(json!(before), json!(after)),
            Written::Split { before, after, new } => Self::Split(json!(before), json!(after), json!(new)),
            Written::Existing(record) => Self::Existing(Box::new(done(&record))),
            Written::NotEmpty => Self::NotEmpty,
            Written::LimitReached => Self::LimitReached,
            Written::IdempotencyMismatch => Self::IdempotencyMismatch,
            Written::NotFound => Self::NotFound,
            Written::PreconditionFailed => Self::PreconditionFailed,
            Written::Unauthorized(refusal) => Self::Unauthorized(refusal),
            Written::Refused(faults) => {
                let mut pointers: Vec<_> = faults.into_iter().map(|FieldFault { pointer, .. }| pointer).collect();
                pointers.sort();
                Self::Refused(pointers)
            }
        }
    }

    pub(crate) fn load(outcome: Result<(), LoadError>) -> Result<Self, StorageError> {
        match outcome {
            Ok(()) => Ok(Self::Load(None)),
            Err(LoadError::Refused { number, fault, .. }) => Ok(Self::Load(Some((number, vec![fault])))),
            Err(LoadError::Storage(error)) => Err(error),
        }
    }

    /// Returns whether `actual` is correct when this result is expected.
    pub(crate) fn allows(&self, actual: &Self) -> bool {
        match (self, actual) {
            (Self::Load(Some((number, faults))), Self::Load(Some((actual_number, actual_faults)))) => {
                number == actual_number && actual_faults.iter().all(|fault| faults.contains(fault))
            }
            (Self::Fault(_), Self::Fault(_)) => true,
            _ => self == actual,
        }
    }

    /// Removes the revision, because revisions differ between storages. Returns the family and the revision.
    pub(crate) fn take_revision(&mut self, operation: &Operation) -> Option<(FamilyId, Option<Revision>)> {
        let account = match self {
            Self::Document(_, revision) | Self::Stats(_, revision) => {
                return Some((operation.reader()?.family.clone(), revision.take()));
            }
            Self::Account(account) => account.as_mut(),
            Self::Key(found) => found.as_mut().and_then(|found| found.account.as_mut()),
            _ => None,
        };
        let Membership { family, revision } = account?.membership.as_mut()?;
        Some((family.clone(), revision.take()))
    }
}
