//! A resource in the form of its JSON.

use std::marker::PhantomData;

use bytes::Bytes;
use serde::Serialize;
use serde::de::{DeserializeOwned, Error};

use crate::json_error::JsonError;
use crate::resource::Revision;

/// The JSON of a `T`, ready to send.
///
/// A storage creates it from records ([`Document::of`]) or in the database ([`Document::from_json`]), whichever is
/// faster. In both cases the bytes equal the output of serde for a `T`.
pub struct Document<T> {
    json: Bytes,
    revision: Option<Revision>,
    record_type: PhantomData<fn() -> T>,
}

impl<T> Document<T> {
    /// Creates a document from JSON. The bytes must equal the output of serde for a `T`.
    #[must_use]
    pub fn from_json(json: impl Into<Bytes>) -> Self {
        Self { json: json.into(), revision: None, record_type: PhantomData }
    }

    /// Sets the revision of the family's data in the document. The revision must be read in the same snapshot as the
    /// data.
    #[must_use]
    pub fn with_revision(self, revision: Option<Revision>) -> Self {
        Self { revision, ..self }
    }

    /// Returns the revision of the family's data in the document, or `None` if the storage has no revisions.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// Returns the JSON.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.json
    }

    /// Returns the JSON.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.json
    }
}

impl<T: Serialize> Document<T> {
    /// Serializes a `T`.
    ///
    /// # Errors
    /// [`JsonError`] if the `T` cannot be serialized as JSON.
    pub fn of(value: &T) -> Result<Self, JsonError> {
        // A boxed slice frees the spare capacity, which would use memory while the document is in the cache.
        let json = serde_json::to_vec(value)?;
        Ok(Self::from_json(json.into_boxed_slice()))
    }
}

impl<T: DeserializeOwned> Document<T> {
    /// Deserializes the `T`.
    ///
    /// # Errors
    /// [`JsonError`] if the JSON does not deserialize as a `T`.
    pub fn parse(&self) -> Result<T, JsonError> {
        // The UTF-8 of the whole JSON is checked at once, which is faster than string by string.
        let json = std::str::from_utf8(&self.json).map_err(serde_json::Error::custom)?;
        Ok(serde_json::from_str(json)?)
    }
}

impl<T> std::fmt::Debug for Document<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Document({} bytes)", self.json.len())
    }
}
