//! The sequence of steps in which every storage writes a record of a family:
//!
//! 1. Find the author's credential and check it, before anything about the record is revealed.
//! 2. Find the facts that the rules need, as the member sees them.
//! 3. Check the precondition against the record.
//! 4. Apply the rules.
//! 5. Store the result. The statement checks again that the record is in the family and, for a task, that the member
//!    sees it.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::change::Verdict;
use crate::id::UserId;
use crate::precondition::Precondition;
use crate::resource::ResourceKind;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
use crate::storage::sql::{SqlChange, SqlConnection};
use crate::storage::{Author, FamilyData, FamilyWrite, FoundCredential, StorageError, Update};
use crate::timestamp::Timestamp;

/// A change of one record. A new kind of write implements this trait, and `SqlChange`.
pub(super) trait RecordChange: Sync {
    /// The data that the rules need.
    type Facts: Send;
    /// The record that the precondition names.
    type Record: Serialize;
    /// The data that a storage writes.
    type Write: Clone + Send + Sync;
    /// The result for the caller.
    type Output: Send;

    /// The rows that contain the facts.
    const RESOURCE: ResourceKind;

    /// Returns whether the change has no field. Such a change only reads the record.
    fn is_empty(&self) -> bool {
        false
    }

    /// Returns the data to write if the write needs neither facts nor rules.
    #[cfg_attr(
        not(any(feature = "postgres", feature = "sqlite")),
        expect(dead_code, reason = "only storages with statements skip the facts")
    )]
    fn write_without_facts(&self) -> Option<Self::Write> {
        None
    }

    /// Finds the facts in the rows of the family. Returns `None` if the user does not see the record.
    fn find_facts(&self, data: &FamilyData, user: &UserId) -> Option<Self::Facts>;

    fn record(facts: &Self::Facts) -> &Self::Record;

    /// Applies the rules.
    fn decide(&self, facts: Self::Facts, user: &UserId, now: Timestamp) -> Verdict<Self::Write>;

    fn family_write(write: Self::Write) -> FamilyWrite;

    fn output(write: Self::Write) -> Self::Output;
}

/// A change of a record with its author, its precondition and its instant.
pub(super) struct RecordWrite<'a, C> {
    pub(super) author: &'a Author,
    pub(super) change: C,
    pub(super) precondition: &'a Precondition,
    pub(super) now: Timestamp,
}

/// The data to write, or the result of a change that writes nothing.
type Decision<C> = ControlFlow<Update<<C as RecordChange>::Output>, <C as RecordChange>::Write>;

impl<C: RecordChange> RecordWrite<'_, C> {
    /// Runs the sequence with the statements of the change. `credential` was found in the same transaction, and does
    /// not change before its end. The caller then commits if the result is [`Update::Done`], and rolls back otherwise.
    /// An empty change stores nothing and needs no transaction.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(super) async fn run(
        &self,
        credential: FoundCredential,
        connection: &mut impl SqlConnection,
    ) -> Result<Update<C::Output>, StorageError>
    where
        C: SqlChange,
    {
        let member = &self.author.member;
        if let Err(denied) = self.author.check(credential, self.now) {
            return Ok(denied.into());
        }
        let write = match self.change.write_without_facts() {
            Some(write) if *self.precondition == Precondition::None => write,
            _ => match self.decide(self.change.select_facts(connection, member).await?)? {
                ControlFlow::Continue(write) => write,
                ControlFlow::Break(update) => return Ok(update),
            },
        };
        let is_stored = C::store(connection, member, &write).await?;
        Ok(if is_stored { Update::Done(C::output(write)) } else { Update::NotFound })
    }

    /// Runs the sequence on the rows of the family, up to the data to write.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the record cannot be serialized as JSON.
    pub(super) fn decide_from_rows(
        &self,
        credential: FoundCredential,
        data: &FamilyData,
    ) -> Result<Decision<C>, StorageError> {
        if let Err(denied) = self.author.check(credential, self.now) {
            return Ok(ControlFlow::Break(denied.into()));
        }
        self.decide(self.change.find_facts(data, &self.author.member.user))
    }

    fn decide(&self, facts: Option<C::Facts>) -> Result<Decision<C>, StorageError> {
        let Some(facts) = facts else {
            return Ok(ControlFlow::Break(Update::NotFound));
        };
        if !self.precondition.holds(C::record(&facts))? {
            return Ok(ControlFlow::Break(Update::PreconditionFailed));
        }
        Ok(match self.change.decide(facts, &self.author.member.user, self.now) {
            Verdict::Write(write) if self.change.is_empty() => ControlFlow::Break(Update::Done(C::output(write))),
            Verdict::Write(write) => ControlFlow::Continue(write),
            Verdict::NotFound => ControlFlow::Break(Update::NotFound),
            Verdict::Refused(faults) => ControlFlow::Break(Update::Refused(faults)),
        })
    }
}
