//! Shopping lists and their items.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::{ItemId, ListId, UserId};
use crate::resource::Person;

/// A shopping list with its items, ordered by `sortOrder`, `name`, `id`.
///
/// A private list is seen by its owner only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct ShoppingList {
    pub id: ListId,
    pub name: String,
    pub emoji: Option<String>,
    pub sort_order: i64,
    pub is_private: bool,
    pub owner_user_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub items: Vec<ShoppingItem>,
}

/// An item of a shopping list, unchecked ones first, then by `createdAt`, `id`.
///
/// A private item is seen by who added it only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct ShoppingItem {
    pub id: ItemId,
    pub list_id: ListId,
    pub name: String,
    pub quantity: Option<String>,
    pub category: Option<String>,
    pub checked: bool,
    pub is_private: bool,
    pub added_by_id: Option<UserId>,
    /// Who added it, while they are in the family.
    pub added_by: Option<Person>,
    pub created_at: Timestamp,
}
