//! A resource in the form of its JSON.

use std::marker::PhantomData;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::resource::Revision;
use crate::storage::StorageError;

/// The JSON of a `T`, ready to send.
///
/// A storage creates it from records ([`Document::of`]) or in the database ([`Document::from_json`]), whichever is
/// faster. In both cases the bytes are those that serde writes for a `T`.
pub struct Document<T> {
    json: Bytes,
    revision: Option<Revision>,
    of: PhantomData<fn() -> T>,
}

impl<T> Document<T> {
    /// Creates a document from JSON. The bytes must be those that serde writes for a `T`.
    #[must_use]
    pub fn from_json(json: impl Into<Bytes>) -> Self {
        Self { json: json.into(), revision: None, of: PhantomData }
    }

    /// Sets the revision of the family's data in the document. It must be read in the same statement as the data.
    #[must_use]
    pub fn at(self, revision: Option<Revision>) -> Self {
        Self { revision, ..self }
    }

    /// Returns the revision of the family's data in the document, or `None` if the storage has no revisions.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
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
    /// [`StorageError::Corrupt`] if the `T` cannot be serialized as JSON.
    pub fn of(value: &T) -> Result<Self, StorageError> {
        // The document may stay in the cache. A boxed slice frees the spare capacity.
        let json = serde_json::to_vec(value).map_err(StorageError::corrupt)?;
        Ok(Self::from_json(json.into_boxed_slice()))
    }
}

impl<T: DeserializeOwned> Document<T> {
    /// Deserializes the `T`.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the JSON is not that of a `T`.
    pub fn parse(&self) -> Result<T, StorageError> {
        serde_json::from_slice(&self.json).map_err(StorageError::corrupt)
    }
}

impl<T> std::fmt::Debug for Document<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Document({} bytes)", self.json.len())
    }
}
