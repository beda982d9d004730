//! Shopping lists and their items.

use crate::storage::sqlite::load::kind::Kind;
use crate::storage::{ShoppingItemRecord, ShoppingListRecord};

const INSERT_LIST: &str = "
    WITH r AS MATERIALIZED (SELECT value FROM json_each(?1))
    INSERT INTO shopping_lists
        (family_id, id, name, emoji, sort_order, is_private, owner_user_id, created_at, updated_at)
    SELECT f.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6,
           r.value ->> 7, r.value ->> 8
    FROM r LEFT JOIN families f ON f.id = r.value ->> 0";

const INSERT_ITEM: &str = "
    WITH r AS MATERIALIZED (SELECT value FROM json_each(?1))
    INSERT INTO shopping_items
        (family_id, id, list_id, name, quantity, category, checked, is_private, added_by_id, created_at)
    SELECT l.family_id, r.value ->> 1, l.id, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           r.value ->> 6, r.value ->> 7, r.value ->> 8
    FROM r LEFT JOIN known_ids l ON l.kind = 'shoppingList' AND l.id = r.value ->> 0";

pub(super) const LIST: Kind = Kind::new("shoppingList", &[INSERT_LIST], "familyId");

pub(super) const ITEM: Kind = Kind::new("shoppingItem", &[INSERT_ITEM], "listId");

pub(super) fn list(list: &ShoppingListRecord) -> serde_json::Result<String> {
    serde_json::to_string(&(
        &list.family_id,
        &list.id,
        &list.name,
        &list.emoji,
        &list.sort_order,
        &list.is_private,
        &list.owner_user_id,
        &list.created_at,
        &list.updated_at,
    ))
}

pub(super) fn item(item: &ShoppingItemRecord) -> serde_json::Result<String> {
    serde_json::to_string(&(
        &item.list_id,
        &item.id,
        &item.name,
        &item.quantity,
        &item.category,
        &item.checked,
        &item.is_private,
        &item.added_by_id,
        &item.created_at,
    ))
}
