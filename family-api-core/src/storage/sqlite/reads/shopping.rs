//! Shopping lists with their items.

use sqlx::SqlitePool;

use crate::resource::{Document, ShoppingList};
use crate::storage::sqlite::reads::document;
use crate::storage::sqlite::shapes::person;
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    "SELECT json_group_array(
        json_object(
            'id', l.id, 'name', l.name, 'emoji', l.emoji, 'sortOrder', l.sort_order,
            'isPrivate', json(iif(l.is_private, 'true', 'false')), 'ownerUserId', l.owner_user_id,
            'createdAt', l.created_at, 'updatedAt', l.updated_at,
            'items', (
                SELECT json_group_array(
                    json_object(
                        'id', i.id, 'listId', i.list_id, 'name', i.name, 'quantity', i.quantity,
                        'category', i.category, 'checked', json(iif(i.checked, 'true', 'false')),
                        'isPrivate', json(iif(i.is_private, 'true', 'false')),
                        'addedById', i.added_by_id, 'addedBy', ",
    person!("added_by"),
    ",
                        'createdAt', i.created_at
                    ) ORDER BY i.checked, i.created_at, i.id
                )
                FROM shopping_items i
                LEFT JOIN users added_by ON added_by.id = i.added_by_id AND added_by.family_id = ?1
                WHERE i.family_id = ?1 AND i.list_id = l.id AND (i.is_private = 0 OR i.added_by_id = ?2)
            )
        ) ORDER BY l.sort_order, l.name, l.id
    ), (SELECT revision FROM families WHERE id = ?1)
    FROM shopping_lists l
    WHERE l.family_id = ?1 AND (l.is_private = 0 OR l.owner_user_id = ?2)"
);

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
    let query = sqlx::query_as(LIST).bind(member.family.as_str()).bind(member.user.as_str());
    document(readers, query).await
}
