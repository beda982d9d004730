//! Loading shopping lists and their items.

use crate::storage::bulk::Kind;

const INSERT_LIST: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO shopping_lists
        (family_id, id, name, emoji, sort_order, is_private, owner_user_id, created_at, updated_at)
    SELECT f.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6,
           r.value ->> 7, r.value ->> 8
    FROM r LEFT JOIN families f ON f.id = r.value ->> 0";

const INSERT_ITEM: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO shopping_items
        (family_id, id, list_id, name, quantity, category, checked, is_private, added_by_id, created_at)
    SELECT l.family_id, r.value ->> 1, l.id, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           r.value ->> 6, r.value ->> 7, r.value ->> 8
    FROM r LEFT JOIN parents l ON l.kind = 'shoppingList' AND l.id = r.value ->> 0";

pub(super) const LIST: Kind = Kind::new("shoppingList", &[INSERT_LIST], "familyId");

pub(super) const ITEM: Kind = Kind::new("shoppingItem", &[INSERT_ITEM], "listId");
