//! Writes of shopping lists and their items.

use std::sync::LazyLock;

use family_api_core::change::{ShoppingItemFacts, ShoppingListFacts};
use family_api_core::id::{FamilyId, ListId, UserId};
use family_api_core::resource::{Person, ShoppingItem, ShoppingList};
use family_api_core::storage::table::Table;
use family_api_core::storage::value::{Datum, StoredFields, StoredRow, Value, Values};
use family_api_core::storage::write_sequence::{MAX_CHECKED_ITEMS, Target};
use family_api_core::storage::{DeletedRecord, Member, ShoppingItemRecord, ShoppingListRecord, StorageError};

use crate::batched_statement::BatchedStatement;
use crate::columns::columns;
use crate::sql_connection::SqlConnection;
use crate::visible::{audience, both, visible};
use crate::writes::{Creation, Joined, Selected, SqlKind};

/// Returns the revision of the family and the checked items of the list `$2`, as the user `$3` sees them, each with the
/// text of who sees it. Returns no item if there are none, and no row if the user does not see the list.
pub(super) static FIND_CHECKED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT f.revision, {audience}, {columns}
        FROM shopping_lists l
        JOIN families f ON f.id = $1
        LEFT JOIN shopping_items t ON t.family_id = $1 AND t.list_id = $2 AND t.checked
            AND {item_is_visible}
        WHERE l.family_id = $1 AND l.id = $2 AND {list_is_visible}
        ORDER BY t.created_at, t.id
        LIMIT {MAX_CHECKED_ITEMS}",
        audience = ShoppingItem::AUDIENCE,
        columns = columns::<ShoppingItem>("t"),
        item_is_visible = visible!(item "t" for "$3"),
        list_is_visible = visible!(list "l" for "$3"),
    )
});

static DELETE_ITEMS: LazyLock<BatchedStatement> = LazyLock::new(|| {
    BatchedStatement::of(|count| {
        let ids = (2..2 + count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ");
        format!("DELETE FROM shopping_items WHERE family_id = $1 AND id IN ({ids})")
    })
});

#[cfg(test)]
pub(super) fn delete_item() -> &'static str {
    DELETE_ITEMS.of_one_row()
}

impl SqlKind for ShoppingItem {
    const TABLE: &'static Table = &ShoppingItemRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "is_private", "added_by_id", "created_at"];
    const VISIBLE: Option<&'static str> = Some(concat!(
        visible!(item "t" for "$3"),
        "
          AND EXISTS (
              SELECT 1 FROM shopping_lists tl
              WHERE tl.family_id = $1 AND tl.id = t.list_id AND ",
        visible!(list "tl" for "$3"),
        "
          )"
    ));
    const AUDIENCE: &'static str = both!(
        audience!(list "al"),
        audience!(item "t"),
        "FROM shopping_lists al WHERE al.family_id = $1 AND al.id = t.list_id"
    );
    const AUTHOR: Option<&'static str> = Some("added_by_id");
    const NAMED: Joined = Joined {
        columns: &[Selected::Expression("l.id")],
        joins: concat!(
            "
            LEFT JOIN shopping_lists l ON l.family_id = $1 AND l.id = coalesce($5, '')
                AND ",
            visible!(list "l" for "$3")
        ),
    };

    fn facts_arguments<'a>(target: &Target<'a, Self>, user: &'a UserId) -> Vec<Datum<'a>> {
        vec![Value::datum(target.author(user, |item| item.added_by_id.as_ref())), Value::datum(target.list())]
    }

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<ShoppingItemFacts>, StorageError> {
        let added_by: Option<Person> = values.joined()?;
        let list = values.take()?;
        let item = creation.record(values, target)?.map(|item| Self { added_by, ..item });
        Ok(item.map(|item| ShoppingItemFacts { item, list }))
    }

    fn read_joined(values: &mut Values<'_, impl StoredRow>) -> Result<Self, StorageError> {
        let item = Self::read(values)?;
        Ok(Self { added_by: values.joined()?, ..item })
    }
}

/// Deletes items whose visibility was checked in the same transaction.
pub(super) async fn delete_items(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    items: &[DeletedRecord],
) -> Result<(), StorageError> {
    for (sql, items) in DELETE_ITEMS.split(items) {
        let ids = items.iter().map(|item| Datum::of(&item.id));
        connection.execute(sql, [Datum::of(family)].into_iter().chain(ids).collect()).await?;
    }
    Ok(())
}

pub(super) async fn find_checked_items(
    connection: &mut impl SqlConnection,
    member: &Member,
    list: &ListId,
) -> Result<Option<CheckedItems>, StorageError> {
    let arguments = vec![Datum::of(&member.family), Datum::of(list), Datum::of(&member.user)];
    let rows = connection.find_rows(&FIND_CHECKED, arguments).await?;
    let mut found = None;
    for row in &rows {
        let mut values = Values::of(row);
        let revision = values.take()?;
        let CheckedItems { items, .. } = found.get_or_insert(CheckedItems { revision, items: Vec::new() });
        let seen: Option<String> = values.take()?;
        if let Some(item) = values.joined()? {
            items.push((item, seen.unwrap_or_default()));
        }
    }
    Ok(found)
}

/// The checked items of a list.
pub(super) struct CheckedItems {
    /// The revision of the family.
    pub(super) revision: i64,
    /// The items, each with the text of who sees it.
    pub(super) items: Vec<(ShoppingItem, String)>,
}

impl SqlKind for ShoppingList {
    const TABLE: &'static Table = &ShoppingListRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "is_private", "owner_user_id", "created_at"];
    const VISIBLE: Option<&'static str> = Some(visible!(list "t" for "$3"));
    const AUDIENCE: &'static str = audience!(list "t");
    const EMPTY: Option<&'static str> =
        Some("NOT EXISTS (SELECT 1 FROM shopping_items o WHERE o.family_id = $1 AND o.list_id = $2)");
    const NAMED: Joined = Joined {
        columns: &[Selected::Expression(concat!(
            "coalesce((
                SELECT max(o.sort_order) + 1 FROM shopping_lists o
                WHERE o.family_id = $1 AND ",
            visible!(list "o" for "$3"),
            "
            ), 0)"
        ))],
        joins: "",
    };

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<ShoppingListFacts>, StorageError> {
        let end = values.take()?;
        Ok(creation.record(values, target)?.map(|list| ShoppingListFacts { list, end }))
    }
}
