//! A resource as the bytes that answer for it.

use std::marker::PhantomData;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::resource::Revision;
use crate::storage::StorageError;

/// The JSON of a `T`, ready to be sent.
///
/// A storage makes it the way that is fastest there: from records ([`Document::of`]) or in the database itself
/// ([`Document::from_json`]). Either way the bytes are those that serde writes for a `T`.
pub struct Document<T> {
    json: Bytes,
    revision: Option<Revision>,
    of: PhantomData<fn() -> T>,
}

impl<T> Document<T> {
    /// Takes JSON that was written as serde would write a `T`.
    #[must_use]
    pub fn from_json(json: impl Into<Bytes>) -> Self {
        Self { json: json.into(), revision: None, of: PhantomData }
    }

    /// Tells which version of the family's data it shows: the one that the very statement saw which made it.
    #[must_use]
    pub fn at(self, revision: Option<Revision>) -> Self {
        Self { revision, ..self }
    }

    /// The version of the family's data that it shows; `None` where the storage cannot tell.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// The JSON.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.json
    }
}

impl<T: Serialize> Document<T> {
    /// Writes a `T`.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] where `T` cannot be written as JSON.
    pub fn of(value: &T) -> Result<Self, StorageError> {
        // Without the room that writing it has left: it may be kept.
        let json = serde_json::to_vec(value).map_err(StorageError::corrupt)?;
        Ok(Self::from_json(json.into_boxed_slice()))
    }
}

impl<T: DeserializeOwned> Document<T> {
    /// Reads the `T` back.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] where the JSON is not that of a `T`.
    pub fn parse(&self) -> Result<T, StorageError> {
        serde_json::from_slice(&self.json).map_err(StorageError::corrupt)
    }
}

impl<T> std::fmt::Debug for Document<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Document({} bytes)", self.json.len())
    }
}
