//! Loading shopping lists and their items.

use crate::storage::bulk::Kind;

const REGISTER_LIST: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent, has_owner)
    SELECT 'shoppingList', r.value ->> 1, f.id, ($2::bigint[])[r.place], f.id IS NOT NULL,
           r.value ->> 6 IS NULL OR u.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN families f ON f.id = r.value ->> 0
    LEFT JOIN users u ON u.id = r.value ->> 6";

const INSERT_LIST: &str = "
    INSERT INTO shopping_lists
        (family_id, id, name, emoji, sort_order, is_private, owner_user_id, created_at, updated_at)
    SELECT k.family_id, r.value ->> 1, r.value ->> 2, r.value ->> 3, (r.value ->> 4)::bigint,
           (r.value ->> 5)::boolean, r.value ->> 6, (r.value ->> 7)::timestamptz, (r.value ->> 8)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'shoppingList' AND k.id = r.value ->> 1";

const REGISTER_ITEM: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'shoppingItem', r.value ->> 1, p.family_id, ($2::bigint[])[r.place], p.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN known_ids p ON p.kind = 'shoppingList' AND p.id = r.value ->> 0";

const INSERT_ITEM: &str = "
    INSERT INTO shopping_items
        (family_id, id, list_id, name, quantity, category, checked, is_private, added_by_id, created_at)
    SELECT k.family_id, r.value ->> 1, r.value ->> 0, r.value ->> 2, r.value ->> 3, r.value ->> 4,
           (r.value ->> 5)::boolean, (r.value ->> 6)::boolean, r.value ->> 7, (r.value ->> 8)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'shoppingItem' AND k.id = r.value ->> 1";

pub(super) const LIST: Kind = Kind::new("shoppingList", &[REGISTER_LIST, INSERT_LIST], "familyId");

pub(super) const ITEM: Kind = Kind::new("shoppingItem", &[REGISTER_ITEM, INSERT_ITEM], "listId");
