//! Shopping lists and their items.

use crate::storage::sqlite::load::statement::{Refusals, Statement};
use crate::storage::{ShoppingItemRecord, ShoppingListRecord};

const LIST: &str = "
    INSERT INTO shopping_lists
        (family_id, id, name, emoji, sort_order, is_private, owner_user_id, created_at, updated_at)
    SELECT f.id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM families f WHERE f.id = ?1";

const ITEM: &str = "
    INSERT INTO shopping_items
        (family_id, id, list_id, name, quantity, category, checked, is_private, added_by_id, created_at)
    SELECT l.family_id, ?2, l.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    FROM known_ids l WHERE l.kind = 'shoppingList' AND l.id = ?1";

pub(super) fn list(list: ShoppingListRecord) -> Statement {
    let query = sqlx::query(LIST)
        .bind(String::from(list.family_id))
        .bind(String::from(list.id))
        .bind(list.name)
        .bind(list.emoji)
        .bind(list.sort_order)
        .bind(list.is_private)
        .bind(list.owner_user_id.map(String::from))
        .bind(String::from(list.created_at))
        .bind(String::from(list.updated_at));
    Statement { query, refused: Refusals::parent("familyId") }
}

pub(super) fn item(item: ShoppingItemRecord) -> Statement {
    let query = sqlx::query(ITEM)
        .bind(String::from(item.list_id))
        .bind(String::from(item.id))
        .bind(item.name)
        .bind(item.quantity)
        .bind(item.category)
        .bind(item.checked)
        .bind(item.is_private)
        .bind(item.added_by_id.map(String::from))
        .bind(String::from(item.created_at));
    Statement { query, refused: Refusals::parent("listId") }
}
