//! The responses to deletions.

use serde::{Deserialize, Serialize};

use crate::id::ItemId;
use crate::resource::RecordKind;
use crate::timestamp::Timestamp;

/// The response to the deletion of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Deleted"))]
#[non_exhaustive]
pub struct Deleted<I> {
    /// Always true.
    pub success: bool,
    /// Identifier of the record that was deleted.
    // All identifiers have this schema. Otherwise each of their types would have its own schema of the response.
    #[cfg_attr(feature = "schema", schemars(with = "crate::id::IdSchema"))]
    pub id: I,
}

impl<I> Deleted<I> {
    /// Creates the response to the deletion of the record `id`.
    #[must_use]
    pub const fn new(id: I) -> Self {
        Self { success: true, id }
    }
}

/// The response to the deletion of the checked items of a shopping list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DeletedItems {
    /// Always true.
    pub success: bool,
    /// Identifiers of the items that were deleted.
    pub ids: Vec<ItemId>,
}

impl DeletedItems {
    /// Creates the response to the deletion of the items `ids`.
    #[must_use]
    pub const fn new(ids: Vec<ItemId>) -> Self {
        Self { success: true, ids }
    }
}

/// A deleted record that the user can restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RestorableRecord {
    /// The kind of the record: `task`, `note`, `event` or `shopping_item`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub kind: RecordKind,
    /// Identifier of the record, with which it is restored.
    pub id: String,
    /// The title of the record, or the name of an item.
    pub title: String,
    /// When the record was deleted.
    pub deleted_at: Timestamp,
    /// When the record can no longer be restored: 30 days after the deletion.
    pub restorable_until: Timestamp,
}

/// A page of the deleted records that the user can restore, newest deletion first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RestorableList {
    /// The records.
    pub records: Vec<RestorableRecord>,
    /// Selects the next page, as `?cursor=`; null on the last page.
    pub next_cursor: Option<String>,
}
