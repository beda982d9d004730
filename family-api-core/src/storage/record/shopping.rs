//! Shopping lists and their items.

use super::field::order;
use crate::Timestamp;
use crate::id::{FamilyId, ItemId, ListId, UserId};
use crate::resource::{ShoppingItem, ShoppingList};

record! {
    /// A shopping list.
    ShoppingListRecord: "shoppingList" in "shopping_lists" {
        /// Identifier of the list.
        id: ListId,
        /// Display name.
        name: String,
        /// Display emoji.
        emoji: Option<String>,
        /// Position among the lists of the family: an integer of at most 53 bits.
        #[serde(deserialize_with = "order")]
        sort_order: i64,
        /// Whether only the owner sees the list.
        is_private: bool,
        /// The user who owns the list.
        owner_user_id: Option<UserId>,
        /// When the list was created.
        created_at: Timestamp,
        /// When the list was last changed.
        updated_at: Timestamp,
    } stores {
        /// The family of the list.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
        owner_user_id: UserId => "user" unkeyed,
    } becomes ShoppingList {
        items: Vec::new(),
    }
}

record! {
    /// An item of a shopping list.
    ShoppingItemRecord: "shoppingItem" in "shopping_items" {
        /// Identifier of the item.
        id: ItemId,
        /// The list of the item.
        list_id: ListId,
        /// What to buy.
        name: String,
        /// Amount, as free text.
        quantity: Option<String>,
        /// Category, as free text.
        category: Option<String>,
        /// Whether the item is ticked off.
        checked: bool,
        /// Whether only the user who added the item sees it.
        is_private: bool,
        /// The user who added the item. The user need not exist.
        added_by_id: Option<UserId>,
        /// When the item was added.
        created_at: Timestamp,
    } stores {
        /// The family of the item.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
        list_id: ListId => "shoppingList",
    } becomes ShoppingItem {
        added_by: None,
    }
}
