//! Flaws of creations. A flaw edits the fields of the new record, or the idempotency key.

use family_api_core::storage::{Operation, StorageError, Writable, Written};
use serde_json::{Value, json};

use crate::broken::Flaw;
use crate::broken::records::{RecordWriter, parse};

impl<R: Writable> RecordWriter<'_, R> {
    pub(super) async fn create(&mut self) -> Result<Written<R>, StorageError> {
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
            Some(Flaw::IgnoresIdempotencyKeys) => self.drop_key(),
            Some(Flaw::CountsRepeatedCreations) if self.is_key_used() => return Ok(Written::LimitReached),
            Some(Flaw::KeepsIdempotencyKeysForever) if self.key().is_some() => {
                let first = self.broken.history().first_creation.get_or_insert(self.write.now).to_owned();
                self.write.now = first;
            }
            Some(Flaw::SharesIdempotencyKeys) => {
                let members = self.broken.family_members(&self.author.member).into_iter();
                self.author.member = members.min_by_key(|member| member.user.clone()).unwrap();
            }
            Some(Flaw::ChecksIdempotencyKeysWithoutLock) => return self.create_without_lock().await,
            Some(Flaw::UsesTheKeyOfRefusedCreations) if self.is_key_used() => {
                return Ok(Written::IdempotencyMismatch);
            }
            _ => {}
        }
        let outcome = self.inner().await?;
        match (self.broken.flaw, &outcome) {
            (Some(Flaw::HidesRefusals), Written::Refused(_)) => Ok(Written::NotFound),
            (Some(Flaw::CreatesAsAnyMember), Written::NotFound) => self.write_as_any_member().await,
            (Some(Flaw::DropsInvisibleReferences), Written::NotFound) => {
                self.edit_fields(|body| body.retain(|name, _| !name.ends_with("Id")));
                self.inner().await
            }
            (Some(Flaw::CreatesAgainAfterADeletion), Written::NotFound) if self.key().is_some() => {
                self.drop_key();
                self.inner().await
            }
            (Some(Flaw::UsesTheKeyOfRefusedCreations), Written::NotFound | Written::Refused(_))
            | (Some(Flaw::CountsRepeatedCreations), Written::Created(_)) => {
                self.use_key();
                Ok(outcome)
            }
            _ => Ok(outcome),
        }
    }

    /// Creates the record unless a creation with the key has ended before.
    async fn create_without_lock(&mut self) -> Result<Written<R>, StorageError> {
        if !self.is_key_used() {
            tokio::task::yield_now().await;
            self.use_key();
            self.drop_key();
        }
        self.inner().await
    }

    fn key(&self) -> Option<String> {
        match &self.write.operation {
            Operation::Create { idempotency, .. } => idempotency.as_ref().map(|request| request.key.to_string()),
            _ => None,
        }
    }

    fn drop_key(&mut self) {
        if let Operation::Create { idempotency, .. } = &mut self.write.operation {
            *idempotency = None;
        }
    }

    fn is_key_used(&self) -> bool {
        self.key().is_some_and(|key| self.broken.history().used_keys.contains(&key))
    }

    fn use_key(&self) {
        self.broken.history().used_keys.extend(self.key());
    }

    /// Edits the fields, without the list or board, which is in the path.
    fn edit_fields(&mut self, edit: impl FnOnce(&mut serde_json::Map<String, Value>)) {
        let Operation::Create { new, .. } = &mut self.write.operation else { return };
        let mut body = json!(new);
        let fields = body.as_object_mut().unwrap();
        let container = match R::KIND.as_str() {
            "column" => fields.remove("boardId"),
            "shopping_item" => fields.remove("listId"),
            _ => None,
        };
        edit(fields);
        let container = container.as_ref().and_then(Value::as_str);
        *new = R::parse_new(container, parse(&body)).unwrap();
    }
}
