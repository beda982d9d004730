//! Reads of shopping lists with their items, and of one item.

use std::sync::LazyLock;

use family_api_core::id::ItemId;
use family_api_core::resource::{Document, ShoppingItem, ShoppingList};
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::json_sql::{Object, array, document_sql, item};
use crate::sqlite::reads::document;
use crate::visible::visible;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    let items = concat!(
        "(
        SELECT v.*, people.person AS added_by
        FROM shopping_items v
        LEFT JOIN people ON people.id = v.added_by_id
        WHERE v.family_id = ?1 AND v.list_id = l.id AND ",
        visible!(item "v" for "?2"),
        "
        ORDER BY checked, created_at, v.id
    ) i",
    );
    let lists = concat!(
        "(
        SELECT * FROM shopping_lists v
        WHERE v.family_id = ?1 AND ",
        visible!(list "v" for "?2"),
        "
        ORDER BY sort_order, name, id
    ) l",
    );
    let list = Object::of::<ShoppingList>("l").push("items", array(&item().sql(), items));
    document_sql(&list.sql(), lists)
});

/// `?3` is the item.
pub(super) static FIND_ITEM: LazyLock<String> = LazyLock::new(|| {
    let items = concat!(
        "(
        SELECT v.*, added_by.person AS added_by
        FROM shopping_items v
        JOIN shopping_lists l ON l.family_id = ?1 AND l.id = v.list_id AND ",
        visible!(list "l" for "?2"),
        "
        LEFT JOIN people added_by ON added_by.id = v.added_by_id
        WHERE v.family_id = ?1 AND v.id = ?3 AND ",
        visible!(item "v" for "?2"),
        ") i",
    );
    document_sql(&item().sql(), items)
});

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str());
    document(readers, query).await
}

pub(super) async fn find_item(
    readers: &SqlitePool,
    member: &Member,
    item: &ItemId,
) -> Result<Document<Vec<ShoppingItem>>, StorageError> {
    let query =
        sqlx::query(FIND_ITEM.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(item.as_str());
    document(readers, query).await
}
