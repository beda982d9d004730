//! Shopping lists and their items.

use serde::{Deserialize, Serialize};

use crate::id::{ItemId, ListId, UserId};
use crate::resource::Person;
use crate::timestamp::Timestamp;

/// A shopping list with its items. Lists are ordered by `sortOrder`, `name`, `id`.
///
/// Only its owner sees a private list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShoppingList {
    /// Identifier of the list.
    pub id: ListId,
    /// Display name.
    pub name: String,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Position among the lists of the family.
    pub sort_order: i64,
    /// Whether only the owner sees the list.
    pub is_private: bool,
    /// The user who owns the list; null if the list has no owner.
    pub owner_user_id: Option<UserId>,
    /// When the list was created.
    pub created_at: Timestamp,
    /// When the list was last changed.
    pub updated_at: Timestamp,
    /// The items, ordered by `checked` (unchecked items first), `createdAt`, `id`.
    pub items: Vec<ShoppingItem>,
}

/// An item of a shopping list. Items are ordered by `checked` (unchecked items first), `createdAt`, `id`.
///
/// Only the user who added a private item sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShoppingItem {
    /// Identifier of the item.
    pub id: ItemId,
    /// The list of the item.
    pub list_id: ListId,
    /// What to buy.
    pub name: String,
    /// Amount, as free text; null if there is none.
    pub quantity: Option<String>,
    /// Category, as free text; null if there is none.
    pub category: Option<String>,
    /// Whether the item is checked off.
    pub checked: bool,
    /// Whether only the user who added the item sees it.
    pub is_private: bool,
    /// The user who added the item; null if unknown.
    pub added_by_id: Option<UserId>,
    /// The user who added the item; null if unknown, or if the user is no longer in the family.
    pub added_by: Option<Person>,
    /// When the item was added.
    pub created_at: Timestamp,
}

impl ShoppingList {
    /// Returns the list that contains all items of a family whose app has no lists.
    #[must_use]
    pub fn only(items: Vec<ShoppingItem>) -> Self {
        Self {
            id: ListId::only(),
            name: "Shopping".to_owned(),
            emoji: None,
            sort_order: 0,
            is_private: false,
            owner_user_id: None,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            items,
        }
    }
}

impl ShoppingItem {
    /// Creates a shared, unchecked item in [`ShoppingList::only`], without any other field.
    #[must_use]
    pub fn new(id: ItemId, name: impl Into<String>, created_at: Timestamp) -> Self {
        Self {
            id,
            list_id: ListId::only(),
            name: name.into(),
            quantity: None,
            category: None,
            checked: false,
            is_private: false,
            added_by_id: None,
            added_by: None,
            created_at,
        }
    }
}
