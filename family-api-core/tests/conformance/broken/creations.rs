//! Flaws of creations. A flaw edits the fields of the new record, or the idempotency key.

use family_api_core::storage::{Operation, RecordWrite, StorageError, Update, Writable};
use serde_json::{Value, json};

use crate::broken::Flaw;
use crate::broken::records::{RecordWriter, parse};

impl<R: Writable> RecordWriter<'_, R> {
    pub(super) async fn create(&mut self) -> Result<Update<R>, StorageError> {
        match self.broken.flaw {
            Some(Flaw::LosesFieldsOfNewRecords) => self.edit_fields(|body| {
                body.retain(|name, _| ["title", "name", "startDate", "endDate", "columnId"].contains(&name.as_str()));
            }),
            Some(Flaw::InsertsNewRecordsFirst) => self.edit_fields(|body| {
                if ["task", "board", "column"].contains(&R::KIND.as_str()) {
                    body.entry("order").or_insert(json!(0));
                } else if R::KIND.as_str() == "shopping_list" {
                    body.entry("sortOrder").or_insert(json!(0));
                }
            }),
            Some(Flaw::MakesNewRecordsPublic) => self.edit_fields(|body| {
                body.remove("isPrivate");
            }),
            Some(Flaw::IgnoresIdempotencyKeys) => self.write.idempotency = None,
            Some(Flaw::CountsRepeatedCreations) if self.is_key_used() => return Ok(Update::LimitReached),
            Some(Flaw::KeepsIdempotencyKeysForever) if self.write.idempotency.is_some() => {
                let first = self.broken.history().first_creation.get_or_insert(self.write.now).to_owned();
                self.write.now = first;
            }
            Some(Flaw::SharesIdempotencyKeys) => {
                let members = self.broken.family_members(&self.author.member).into_iter();
                self.author.member = members.min_by_key(|member| member.user.clone()).unwrap();
            }
            Some(Flaw::ChecksIdempotencyKeysWithoutLock) => return self.create_without_lock().await,
            Some(Flaw::UsesTheKeyOfRefusedCreations) if self.is_key_used() => {
                return Ok(Update::IdempotencyMismatch);
            }
            _ => {}
        }
        let outcome = self.inner().await?;
        match (self.broken.flaw, &outcome) {
            (Some(Flaw::HidesRefusals), Update::Refused(_)) => Ok(Update::NotFound),
            (Some(Flaw::CreatesAsAnyMember), Update::NotFound) => self.write_as_any_member().await,
            (Some(Flaw::DropsInvisibleReferences), Update::NotFound) => {
                self.edit_fields(|body| body.retain(|name, _| !name.ends_with("Id")));
                self.inner().await
            }
            (Some(Flaw::CreatesAgainAfterADeletion), Update::NotFound) if self.write.idempotency.is_some() => {
                self.write.idempotency = None;
                self.inner().await
            }
            (Some(Flaw::UsesTheKeyOfRefusedCreations), Update::NotFound | Update::Refused(_))
            | (Some(Flaw::CountsRepeatedCreations), Update::Done(_)) => {
                self.use_key();
                Ok(outcome)
            }
            _ => Ok(outcome),
        }
    }

    /// Creates the record unless a creation with the key has ended before.
    async fn create_without_lock(&mut self) -> Result<Update<R>, StorageError> {
        if !self.is_key_used() {
            tokio::task::yield_now().await;
            self.use_key();
            self.write.idempotency = None;
        }
        self.inner().await
    }

    fn key(&self) -> Option<String> {
        self.write.idempotency.as_ref().map(|request| request.key.to_string())
    }

    fn is_key_used(&self) -> bool {
        self.key().is_some_and(|key| self.broken.history().used_keys.contains(&key))
    }

    fn use_key(&self) {
        self.broken.history().used_keys.extend(self.key());
    }

    /// Edits the fields, without the list or board, which is in the path.
    fn edit_fields(&mut self, edit: impl FnOnce(&mut serde_json::Map<String, Value>)) {
        let Operation::Create { id, new } = &self.write.operation else { return };
        let mut body = json!(new);
        let fields = body.as_object_mut().unwrap();
        let container = match R::KIND.as_str() {
            "column" => fields.remove("boardId"),
            "shopping_item" => fields.remove("listId"),
            _ => None,
        };
        edit(fields);
        let container = container.as_ref().and_then(Value::as_str);
        let operation = Operation::Create { id: id.clone(), new: R::parse_new(container, parse(&body)).unwrap() };
        self.write = RecordWrite { operation, ..self.write.clone() };
    }
}
