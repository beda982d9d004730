//! Shopping lists and their items.

use serde::Deserialize;

use super::field::{nullable, order};
use crate::Timestamp;
use crate::id::{FamilyId, ItemId, ListId, UserId};

/// A shopping list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct ShoppingListRecord {
    pub id: ListId,
    pub family_id: FamilyId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "order")]
    pub sort_order: i64,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub owner_user_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An item of a shopping list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct ShoppingItemRecord {
    pub id: ItemId,
    pub list_id: ListId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub quantity: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub category: Option<String>,
    pub checked: bool,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub added_by_id: Option<UserId>,
    pub created_at: Timestamp,
}
