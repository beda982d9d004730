//! Flaws of writes of records of every kind.

use family_api_core::calendar::Zone;
use family_api_core::change::Editable;
use family_api_core::id::Id;
use family_api_core::resource::{Note, RecordKind, Verb};
use family_api_core::storage::{
    Author, Credential, Operation, RecordWrite, StorageError, Writable, WriteStorage, Written,
};
use family_api_core::validation::Json;
use family_api_core::{Precondition, Timestamp};
use serde_json::{Value, json};

use crate::broken::authors::WriteKind;
use crate::broken::{BrokenStorage, Flaw};

type Outcome<R> = Result<Written<R>, StorageError>;

/// One write of a record to the broken storage.
pub(super) struct RecordWriter<'a, R: Editable> {
    pub(super) broken: &'a BrokenStorage,
    pub(super) author: Author,
    pub(super) write: RecordWrite<R>,
}

impl BrokenStorage {
    /// Writes a record with the flaw of the storage.
    pub(super) async fn write_record<R: Writable>(&self, author: &Author, write: &RecordWrite<R>) -> Outcome<R> {
        self.refuse_unsupported(&write.operation)?;
        let kind = match write.operation.verb() {
            Verb::Delete => WriteKind::Deletion,
            Verb::Create | Verb::Update | Verb::Restore => WriteKind::Change,
        };
        let author = self.flawed_author(author, kind, write.now).await?;
        RecordWriter { broken: self, author, write: write.clone() }.run().await
    }
}

impl BrokenStorage {
    /// Fails for an operation, and for a field, outside the capabilities.
    fn refuse_unsupported<R: Editable>(&self, operation: &Operation<R>) -> Result<(), StorageError> {
        let fields = match operation {
            Operation::Create { new, .. } => json!(new),
            Operation::Update { update, .. } => json!(update),
            Operation::Delete { .. } | Operation::Restore { .. } => json!({}),
        };
        let keeps_fields = fields.as_object().unwrap().keys().all(|name| self.capabilities.keeps_field(R::KIND, name));
        if keeps_fields && self.capabilities.supports(R::KIND, operation.verb()) {
            Ok(())
        } else {
            Err(StorageError::backend("the storage does not keep this"))
        }
    }
}

impl<R: Writable> RecordWriter<'_, R> {
    async fn run(mut self) -> Outcome<R> {
        match self.broken.flaw {
            Some(Flaw::IgnoresPreconditions) => self.drop_precondition(),
            Some(Flaw::IgnoresTheRecordLimit) => self.write.max_records = u32::MAX,
            Some(Flaw::ReadsDueDaysAsUtc) => self.write.zone = Zone::utc(),
            _ => {}
        }
        let outcome = match self.write.operation.verb() {
            Verb::Create => self.create().await,
            Verb::Update => self.update().await,
            Verb::Delete => self.delete().await,
            Verb::Restore => self.restore().await,
        }?;
        if self.broken.has(Flaw::WritesInvisibleRecords) && outcome == Written::NotFound {
            return self.write_as_any_member().await;
        }
        if let (Some(Flaw::ReportsExistingRecordsAsWritten), Written::Existing(record)) = (self.broken.flaw, &outcome) {
            let record = record.clone();
            return Ok(match self.write.operation {
                Operation::Restore { .. } => Written::Restored(record),
                _ => Written::Created(record),
            });
        }
        if self.broken.has(Flaw::ChangesTheRevisionOnRefusal) && outcome == Written::NotFound {
            self.change_a_note().await?;
        }
        Ok(outcome)
    }

    pub(super) async fn inner(&self) -> Outcome<R> {
        R::write(&self.broken.inner, &self.author, &self.write).await
    }

    fn drop_precondition(&mut self) {
        if let Operation::Update { precondition, .. } | Operation::Delete { precondition, .. } =
            &mut self.write.operation
        {
            *precondition = Precondition::None;
        }
    }

    /// Runs another operation as the same author.
    async fn run_inner(&self, operation: Operation<R>) -> Outcome<R> {
        let write = RecordWrite { operation, ..self.write.clone() };
        R::write(&self.broken.inner, &self.author, &write).await
    }

    /// Reads the record by an update without a field.
    async fn find(&self) -> Result<Option<R>, StorageError> {
        let update = R::parse_update(parse(&json!({}))).unwrap();
        let read = self.run_inner(Operation::update(self.write.operation.id().clone(), update)).await?;
        Ok(if let Written::Existing(record) = read { Some(record) } else { None })
    }

    pub(super) async fn write_as_any_member(&self) -> Outcome<R> {
        for member in self.broken.all_members(&self.author.member) {
            let author = Author { member, credential: Credential::Session(None) };
            let outcome = R::write(&self.broken.inner, &author, &self.write).await?;
            if outcome != Written::NotFound {
                return Ok(outcome);
            }
        }
        Ok(Written::NotFound)
    }

    async fn change_a_note(&self) -> Result<(), StorageError> {
        let update = Note::parse_update(parse(&json!({ "title": "Soup 🍲" }))).unwrap();
        let operation = Operation::update("recipe".parse().unwrap(), update);
        let write = RecordWrite::new(operation, self.write.zone.clone(), self.write.now);
        self.broken.inner.write_note(&self.author, &write).await.map(drop)
    }

    async fn update(&self) -> Outcome<R> {
        let before = self.find().await?;
        if self.broken.has(Flaw::ReadsRecordsBeforeTheTransaction) {
            tokio::task::yield_now().await;
        }
        let outcome = self.inner().await?;
        Ok(match (self.broken.flaw, outcome, before) {
            (Some(Flaw::ReturnsRecordsBeforeTheUpdate), Written::Updated { before, .. }, _) => {
                Written::Updated { after: before.clone(), before }
            }
            (Some(Flaw::ReturnsUpdatedRecordsAsBefore), Written::Updated { after, .. }, _) => {
                Written::Updated { before: after.clone(), after }
            }
            (Some(Flaw::ReadsRecordsBeforeTheTransaction), Written::Updated { after, .. }, Some(before)) => {
                Written::Updated { before, after }
            }
            (_, outcome, _) => outcome,
        })
    }

    async fn delete(&self) -> Outcome<R> {
        let before = self.find().await?;
        match self.broken.flaw {
            Some(Flaw::DeletesNothing) => return Ok(before.map_or(Written::NotFound, Written::Deleted)),
            Some(Flaw::ChecksBeforeDeleteWithoutLock) => tokio::task::yield_now().await,
            Some(Flaw::CountsDeletedRecords) if !R::KIND.is_restorable() && self.broken.history().has_deleted() => {
                return Ok(Written::NotEmpty);
            }
            _ => {}
        }
        let outcome = self.inner().await?;
        if let Written::Deleted(record) = &outcome {
            self.broken.history().deleted.push((R::KIND, record.id().to_string(), json!(record)));
        }
        Ok(match (self.broken.flaw, outcome, before) {
            (Some(Flaw::ChecksBeforeDeleteWithoutLock), Written::NotFound, Some(before))
            | (Some(Flaw::DeletesContainersWithRecords), Written::NotEmpty, Some(before)) => Written::Deleted(before),
            (_, outcome, _) => outcome,
        })
    }

    async fn restore(&mut self) -> Outcome<R> {
        let before = self.find().await?;
        match (self.broken.flaw, before) {
            (Some(Flaw::RestoresNothing), _) | (Some(Flaw::RestoresOnlyDeletedRecords), Some(_)) => {
                return Ok(Written::NotFound);
            }
            (Some(Flaw::RestoresOverStoredRecords), Some(_)) => {
                if let Some(json) = self.broken.history().find_deleted(R::KIND, self.write.operation.id().text()) {
                    return Ok(Written::Restored(R::deserialize(json).unwrap()));
                }
            }
            (Some(Flaw::RestoresOldRecords), _) => self.write.now = Timestamp::MIN,
            _ => {}
        }
        match self.inner().await? {
            Written::NotFound if self.broken.has(Flaw::RestoresIntoDeletedContainers) => {
                let history = self.broken.history();
                let deleted = history.find_deleted(R::KIND, self.write.operation.id().text());
                Ok(deleted.map_or(Written::NotFound, |json| Written::Restored(R::deserialize(json).unwrap())))
            }
            outcome => Ok(outcome),
        }
    }
}

pub(super) fn parse(body: &Value) -> Json {
    Json::parse(body.to_string().as_bytes()).unwrap()
}

impl super::CallHistory {
    fn has_deleted(&self) -> bool {
        !self.deleted.is_empty()
    }

    pub(super) fn find_deleted(&self, kind: RecordKind, id: &str) -> Option<&Value> {
        self.deleted.iter().find(|(other, other_id, _)| *other == kind && other_id == id).map(|(_, _, json)| json)
    }
}
