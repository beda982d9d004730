//! Reads of shopping lists with their items.

use sqlx::SqlitePool;

use crate::resource::{Document, ShoppingList};
use crate::storage::sqlite::reads::document;
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    people!(),
    "SELECT concat(",
    array!(
        object! {
            "id": value!("l.id"),
            "name": value!("l.name"),
            "emoji": value!("l.emoji"),
            "sortOrder": value!("l.sort_order"),
            "isPrivate": boolean!("l.is_private"),
            "ownerUserId": value!("l.owner_user_id"),
            "createdAt": value!("l.created_at"),
            "updatedAt": value!("l.updated_at"),
            "items": array!(
                object! {
                    "id": value!("i.id"),
                    "listId": value!("i.list_id"),
                    "name": value!("i.name"),
                    "quantity": value!("i.quantity"),
                    "category": value!("i.category"),
                    "checked": boolean!("i.checked"),
                    "isPrivate": boolean!("i.is_private"),
                    "addedById": value!("i.added_by_id"),
                    "addedBy": raw!("i.added_by"),
                    "createdAt": value!("i.created_at"),
                },
                of "(
                    SELECT shopping_items.*, people.person AS added_by
                    FROM shopping_items
                    LEFT JOIN people ON people.id = added_by_id
                    WHERE family_id = ?1 AND list_id = l.id AND (is_private = 0 OR added_by_id = ?2)
                    ORDER BY checked, created_at, shopping_items.id
                ) i"
            ),
        },
        of "(
            SELECT * FROM shopping_lists
            WHERE family_id = ?1 AND (is_private = 0 OR owner_user_id = ?2)
            ORDER BY sort_order, name, id
        ) l"
    ),
    "), ",
    revision!(),
);

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
    let query = sqlx::query(LIST).bind(member.family.as_str()).bind(member.user.as_str());
    document(readers, query).await
}
