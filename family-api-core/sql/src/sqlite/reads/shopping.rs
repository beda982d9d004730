//! The statements of shopping lists with their items, and of one item.

use std::sync::LazyLock;

use family_api_core::resource::ShoppingList;

use crate::sqlite::json_sql::{Object, item};
use crate::visible::visible;

/// The sort of the items does not carry their text.
pub(super) static LIST: LazyLock<[String; 2]> = LazyLock::new(|| {
    let lists = format!(
        "SELECT {list}
        FROM shopping_lists l
        WHERE l.family_id = ?1 AND {visible}
        ORDER BY l.sort_order, l.name, l.id",
        list = Object::of::<ShoppingList>("l").container("items"),
        visible = visible!(list "l" for "?2"),
    );
    let items = format!(
        "WITH ordered AS MATERIALIZED (
            SELECT v.rowid AS item
            FROM shopping_items v
            WHERE v.family_id = ?1 AND v.list_id = ?5 AND {visible}
            ORDER BY v.checked, v.created_at, v.id
        )
        SELECT {item} FROM ordered CROSS JOIN shopping_items i ON i.rowid = ordered.item",
        item = item().columns(),
        visible = visible!(item "v" for "?2"),
    );
    [lists, items]
});

/// `?3` is the item.
pub(super) static FIND_ITEM: LazyLock<[String; 1]> = LazyLock::new(|| {
    let items = format!(
        "SELECT {item}
        FROM shopping_items i
        JOIN shopping_lists l ON l.family_id = ?1 AND l.id = i.list_id AND {list_visible}
        WHERE i.family_id = ?1 AND i.id = ?3 AND {item_visible}",
        item = item().columns(),
        list_visible = visible!(list "l" for "?2"),
        item_visible = visible!(item "i" for "?2"),
    );
    [items]
});
