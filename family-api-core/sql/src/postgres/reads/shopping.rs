//! Reads of shopping lists with their items, and of one item.

use std::sync::LazyLock;

use family_api_core::id::ItemId;
use family_api_core::resource::{Document, Person, ShoppingItem, ShoppingList};
use family_api_core::storage::value::{StoredFields, Values};
use family_api_core::storage::{Member, StorageError};

use crate::columns::columns;
use crate::postgres::database::Database;
use crate::postgres::reads::document;
use crate::postgres::row::{Row, records};
use crate::visible::{is_member, visible};

/// Returns a row for each item, for each list without items, and for a family without lists.
pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {list}, {item}, {added_by}, f.revision
        FROM families f
        LEFT JOIN shopping_lists l ON l.family_id = $1 AND {list_is_visible}
        LEFT JOIN shopping_items i ON i.family_id = $1 AND i.list_id = l.id AND {item_is_visible}
        LEFT JOIN users added_by ON added_by.id = i.added_by_id AND added_by.family_id = $1
        WHERE f.id = $1 AND {is_member}
        ORDER BY l.sort_order, l.name, l.id, i.checked, i.created_at, i.id",
        list = columns::<ShoppingList>("l"),
        item = columns::<ShoppingItem>("i"),
        added_by = columns::<Person>("added_by"),
        is_member = is_member!("$2" of "$1"),
        list_is_visible = visible!(list "l" for "$2"),
        item_is_visible = visible!(item "i" for "$2"),
    )
});

/// `$3` is the item.
pub(super) static FIND_ITEM: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {item}, {added_by}, f.revision
        FROM families f
        LEFT JOIN shopping_items i ON i.family_id = $1 AND i.id = $3 AND {item_is_visible} AND EXISTS (
            SELECT FROM shopping_lists l WHERE l.family_id = $1 AND l.id = i.list_id AND {list_is_visible}
        )
        LEFT JOIN users added_by ON added_by.id = i.added_by_id AND added_by.family_id = $1
        WHERE f.id = $1 AND {is_member}",
        item = columns::<ShoppingItem>("i"),
        added_by = columns::<Person>("added_by"),
        is_member = is_member!("$2" of "$1"),
        list_is_visible = visible!(list "l" for "$2"),
        item_is_visible = visible!(item "i" for "$2"),
    )
});

pub(super) async fn list(database: &Database, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str());
    document(database, member, query, lists).await
}

pub(super) async fn find_item(
    database: &Database,
    member: &Member,
    item: &ItemId,
) -> Result<Document<Vec<ShoppingItem>>, StorageError> {
    let query =
        sqlx::query(FIND_ITEM.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(item.as_str());
    document(database, member, query, items).await
}

fn items(rows: &[Row]) -> Result<Vec<ShoppingItem>, StorageError> {
    records(rows, item)
}

fn lists(rows: &[Row]) -> Result<Vec<ShoppingList>, StorageError> {
    let mut lists: Vec<ShoppingList> = Vec::new();
    for row in rows {
        let mut values = Values::of(row);
        let Some(id) = values.peek()? else {
            continue;
        };
        if lists.last().is_some_and(|list| list.id.as_str() == id) {
            values.skip(ShoppingList::COLUMNS.len());
        } else {
            lists.push(ShoppingList::read(&mut values)?);
        }
        if let (Some(list), Some(_)) = (lists.last_mut(), values.peek()?) {
            list.items.push(item(&mut values)?);
        }
    }
    Ok(lists)
}

fn item(values: &mut Values<'_, Row>) -> Result<ShoppingItem, StorageError> {
    let item = ShoppingItem::read(values)?;
    Ok(ShoppingItem { added_by: values.joined()?, ..item })
}
