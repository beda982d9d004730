//! What a storage keeps beside the records: deleted records, and the answers to creations with an idempotency key.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::change::Editable;
use crate::id::{Id, UserId};
use crate::idempotency::IdempotentRequest;
use crate::resource::RecordKind;
use crate::storage::{StorageError, Writable};

/// The time for which a deleted record can be restored.
pub(crate) const DELETED_RECORD_RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The time for which an idempotency key protects against a second creation.
pub(crate) const IDEMPOTENCY_RETENTION: SignedDuration = SignedDuration::from_hours(24);

/// How many deleted records of a kind a family keeps: the records that were deleted last, as long as they are within
/// both limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletedRecordLimit {
    /// The maximum number of records.
    pub records: u32,
    /// The maximum size of their JSON, [`DeletedRecord::record`], in bytes of UTF-8.
    pub bytes: u64,
}

/// A deleted record, which can be restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeletedRecord {
    /// The kind of the record.
    pub kind: RecordKind,
    /// Identifier of the record. Together with the kind, it is unique in the family.
    pub id: String,
    /// The record as JSON, without the people and the category that it refers to.
    pub record: String,
    /// When the record was deleted.
    pub deleted_at: Timestamp,
}

impl DeletedRecord {
    /// # Errors
    /// [`StorageError::Corrupt`] if the record cannot be serialized as JSON.
    pub(super) fn new<R: Writable>(record: &R, deleted_at: Timestamp) -> Result<Self, StorageError> {
        let json = serde_json::to_string(&record.bare()).map_err(StorageError::corrupt)?;
        Ok(Self { kind: R::KIND, id: record.id().text().to_owned(), record: json, deleted_at })
    }
}

/// Parses the JSON of a [`DeletedRecord`].
///
/// # Errors
/// [`StorageError::Corrupt`] if it is not the JSON of such a record.
pub(super) fn parse_deleted<R: Editable>(json: &str) -> Result<R, StorageError> {
    serde_json::from_str(json).map_err(StorageError::corrupt)
}

/// The record that a request with an idempotency key has created. A repeated request returns the same record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IdempotentAnswer {
    /// The user who sent the request.
    pub user_id: UserId,
    /// The idempotency key. Together with the user, it is unique in the family.
    pub key: String,
    /// The [digest](IdempotentRequest::digest) of the request. In JSON: 64 hexadecimal digits.
    #[serde(with = "hex_digest")]
    pub request: [u8; 32],
    /// The kind of the created record.
    pub kind: RecordKind,
    /// Identifier of the created record.
    pub id: String,
    /// When the record was created.
    pub created_at: Timestamp,
}

impl IdempotentAnswer {
    pub(super) fn new<R: Editable>(
        user: &UserId,
        request: &IdempotentRequest,
        id: &R::Id,
        created_at: Timestamp,
    ) -> Self {
        Self {
            user_id: user.clone(),
            key: request.key.as_str().to_owned(),
            request: request.digest,
            kind: R::KIND,
            id: id.text().to_owned(),
            created_at,
        }
    }

    /// Returns whether this is the answer to an equal request.
    pub(super) fn is_of(&self, request: &IdempotentRequest) -> bool {
        self.request == request.digest
    }
}

/// The JSON of a digest.
mod hex_digest {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(digest: &[u8; 32], output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(&hex::encode(digest))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<[u8; 32], D::Error> {
        let mut digest = [0; 32];
        hex::decode_to_slice(String::deserialize(input)?, &mut digest).map_err(D::Error::custom)?;
        Ok(digest)
    }
}
