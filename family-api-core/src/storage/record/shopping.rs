//! Shopping lists and their items.

use serde::Deserialize;

use super::field::{nullable, order};
use crate::Timestamp;
use crate::id::{FamilyId, ItemId, ListId, UserId};

/// A shopping list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShoppingListRecord {
    /// The list.
    pub id: ListId,
    /// The family of the list.
    pub family_id: FamilyId,
    /// Display name.
    pub name: String,
    /// Display emoji.
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    /// Position among the lists of the family: an integer of at most 53 bits.
    #[serde(deserialize_with = "order")]
    pub sort_order: i64,
    /// Whether only the owner sees the list.
    pub is_private: bool,
    /// The user who owns the list.
    #[serde(deserialize_with = "nullable")]
    pub owner_user_id: Option<UserId>,
    /// When the list was created.
    pub created_at: Timestamp,
    /// When the list was last changed.
    pub updated_at: Timestamp,
}

/// An item of a shopping list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShoppingItemRecord {
    /// The item.
    pub id: ItemId,
    /// The list of the item.
    pub list_id: ListId,
    /// What to buy.
    pub name: String,
    /// Amount, as free text.
    #[serde(deserialize_with = "nullable")]
    pub quantity: Option<String>,
    /// Category, as free text.
    #[serde(deserialize_with = "nullable")]
    pub category: Option<String>,
    /// Whether the item is ticked off.
    pub checked: bool,
    /// Whether only the user who added the item sees it.
    pub is_private: bool,
    /// The user who added the item. The user need not exist.
    #[serde(deserialize_with = "nullable")]
    pub added_by_id: Option<UserId>,
    /// When the item was added.
    pub created_at: Timestamp,
}
