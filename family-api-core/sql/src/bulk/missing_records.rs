//! Deletes the records of an update's families that are not in the update.

use std::sync::LazyLock;

use family_api_core::storage::table::{Table, is_global};
use family_api_core::storage::value::Values;
use family_api_core::storage::{Record, StorageError};

use crate::bulk::changes::Changes;
use crate::bulk::{BulkTransaction, is_credential};

/// The families of the update.
const FAMILIES: &str = "(SELECT f.id FROM _family_api_loaded f WHERE f.family_id = '' AND f.kind = 'family')";

/// The users of these families who are not in the update.
const MISSING_USERS: &str = "(
    SELECT u.id FROM users u
    WHERE u.family_id IN (SELECT f.id FROM _family_api_loaded f WHERE f.family_id = '' AND f.kind = 'family')
      AND NOT EXISTS (
          SELECT 1 FROM _family_api_loaded l WHERE l.family_id = '' AND l.kind = 'user' AND l.id = u.id
      )
)";

/// The statements of a kind.
struct Statements {
    kind: &'static str,
    /// Counts the missing records in each family.
    count: String,
    delete: String,
}

impl Statements {
    fn of(table: &Table) -> Self {
        let Table { kind, name, .. } = table;
        let missing = format!(
            "t.family_id IN {FAMILIES} AND NOT EXISTS (
                SELECT 1 FROM _family_api_loaded l WHERE l.family_id = {scope} AND l.kind = '{kind}' AND l.id = t.id
            )",
            scope = if is_global(kind) { "''" } else { "t.family_id" },
        );
        Self::with(kind, name, &missing)
    }

    fn with(kind: &'static str, table: &str, condition: &str) -> Self {
        Self {
            kind,
            count: format!("SELECT t.family_id, count(*) FROM {table} t WHERE {condition} GROUP BY t.family_id"),
            delete: format!("DELETE FROM {table} AS t WHERE {condition}"),
        }
    }

    /// Returns the number of records.
    async fn count(&self, transaction: &mut impl BulkTransaction, changes: &mut Changes) -> Result<u64, StorageError> {
        let mut counted = 0;
        for row in transaction.run(self.count.clone(), None).await? {
            let mut values = Values::of(&row);
            changes.families.insert(values.take()?);
            counted += values.take::<i64>()?.unsigned_abs();
        }
        Ok(counted)
    }

    async fn delete(
        &self,
        transaction: &mut impl BulkTransaction,
        changes: &mut Changes,
        number: u64,
    ) -> Result<(), StorageError> {
        transaction.run(self.delete.clone(), None).await?;
        changes.count(self.kind, |kind| kind.deleted += number);
        Ok(())
    }
}

/// Children before parents. A deleted user takes the keys and feeds along, and a family is never missing.
static STATEMENTS: LazyLock<Vec<Statements>> = LazyLock::new(|| {
    let tables = Record::TABLES.into_iter().rev().filter(|table| table.kind != "family" && !is_credential(table.kind));
    tables.map(Statements::of).collect()
});

/// Deletes the credentials and the deleted private records of the missing users, before the users.
///
/// A sign-in locks its password before the user, and a request locks its session or key before the user. In the other
/// order, they could deadlock with the update.
static DELETE_OF_USERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let owners = [
        ("passwords", "user_id"),
        ("sessions", "user_id"),
        ("integration_keys", "user_id"),
        ("grants", "user_id"),
        ("calendar_feeds", "user_id"),
        ("deleted_records", "owner_user_id"),
    ];
    let delete = |(table, owner)| format!("DELETE FROM {table} WHERE {owner} IN {MISSING_USERS}");
    owners.into_iter().map(delete).collect()
});

/// Deletes what was deleted from the missing private boards and lists, before the boards and lists. Only their owners saw
/// it. `json(…) ->> …` is the syntax that both databases have.
static DELETE_FROM_PRIVATE: LazyLock<[String; 2]> = LazyLock::new(|| {
    let is_missing = |kind: &str| {
        format!(
            "p.family_id = d.family_id AND p.is_private AND NOT EXISTS (
                SELECT 1 FROM _family_api_loaded l
                WHERE l.family_id = p.family_id AND l.kind = '{kind}' AND l.id = p.id
            )"
        )
    };
    let delete = |kind: &str, container: &str| {
        format!(
            "DELETE FROM deleted_records AS d
            WHERE d.family_id IN {FAMILIES} AND d.kind = '{kind}' AND EXISTS (SELECT 1 FROM {container})"
        )
    };
    let board = format!(
        "columns c JOIN boards p ON p.family_id = c.family_id AND p.id = c.board_id
        WHERE c.family_id = d.family_id AND c.id = json(d.record) ->> 'columnId' AND {}",
        is_missing("board")
    );
    let list = format!("shopping_lists p WHERE p.id = json(d.record) ->> 'listId' AND {}", is_missing("shoppingList"));
    [delete("task", &board), delete("shopping_item", &list)]
});

/// The private records of the missing users in families that they have left, everything in their private boards and lists
/// there, and what was deleted from there. Children come before their parents.
///
/// Each statement can read whole tables, because the indexes begin with the family. They run only if a user is missing.
static LEFT_BEHIND: LazyLock<Vec<Statements>> = LazyLock::new(|| {
    let columns = format!(
        "(SELECT c.family_id, c.id FROM boards b JOIN columns c ON c.family_id = b.family_id AND c.board_id = b.id
        WHERE b.is_private AND b.owner_user_id IN {MISSING_USERS})"
    );
    let owned = |table: &str| {
        format!("(SELECT o.family_id, o.id FROM {table} o WHERE o.is_private AND o.owner_user_id IN {MISSING_USERS})")
    };
    let [boards, lists] = ["boards", "shopping_lists"].map(owned);
    let private = |user: &str| format!("t.is_private AND t.{user} IN {MISSING_USERS}");
    [
        (
            "deletedRecord",
            "deleted_records",
            format!(
                "t.kind = 'task' AND (t.family_id, json(t.record) ->> 'columnId') IN {columns}
                OR t.kind = 'shopping_item' AND (t.family_id, json(t.record) ->> 'listId') IN {lists}"
            ),
        ),
        ("task", "tasks", format!("{} OR (t.family_id, t.column_id) IN {columns}", private("creator_id"))),
        ("column", "columns", format!("(t.family_id, t.board_id) IN {boards}")),
        ("board", "boards", private("owner_user_id")),
        (
            "shoppingItem",
            "shopping_items",
            format!("{} OR (t.family_id, t.list_id) IN {lists}", private("added_by_id")),
        ),
        ("shoppingList", "shopping_lists", private("owner_user_id")),
        ("idempotencyKey", "idempotency_keys", format!("t.user_id IN {MISSING_USERS}")),
    ]
    .map(|(kind, table, condition)| {
        Statements::with(kind, table, &format!("t.family_id NOT IN {FAMILIES} AND ({condition})"))
    })
    .into()
});

/// Locks the families that the missing users have left, before their records. A write of a record locks its family first
/// too.
static LOCK_FORMER_FAMILIES: LazyLock<String> = LazyLock::new(|| {
    let families = [
        ("tasks", "creator_id"),
        ("boards", "owner_user_id"),
        ("shopping_items", "added_by_id"),
        ("shopping_lists", "owner_user_id"),
    ]
    .map(|(table, user)| {
        format!("SELECT t.family_id FROM {table} t WHERE t.is_private AND t.{user} IN {MISSING_USERS}")
    });
    format!(
        "UPDATE families SET revision = revision WHERE id NOT IN {FAMILIES} AND id IN ({})",
        families.join(" UNION ")
    )
});

/// Another user can get the id of a deleted user.
static DELETE_IDEMPOTENCY_KEYS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "DELETE FROM idempotency_keys AS k
        WHERE k.family_id IN {FAMILIES} AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = k.user_id)"
    )
});

/// Deletes the changes of records that only a deleted user saw.
static DELETE_PRIVATE_CHANGES: LazyLock<String> = LazyLock::new(|| {
    let is_of_missing = |column: &str| {
        format!(
            "substr(c.{column}, 1, 1) = '=' AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = substr(c.{column}, 2))"
        )
    };
    format!(
        "DELETE FROM changes AS c WHERE c.family_id IN {FAMILIES} AND ({} OR {})",
        is_of_missing("seen_before"),
        is_of_missing("seen_after")
    )
});

/// Deletes the missing records, and counts them.
pub(super) async fn delete(transaction: &mut impl BulkTransaction, changes: &mut Changes) -> Result<(), StorageError> {
    for delete in DELETE_FROM_PRIVATE.iter() {
        transaction.run(delete.clone(), None).await?;
    }
    for statements in STATEMENTS.iter() {
        let missing = statements.count(transaction, changes).await?;
        if missing == 0 {
            continue;
        }
        if statements.kind == "user" {
            delete_of_users(transaction, changes).await?;
        }
        statements.delete(transaction, changes, missing).await?;
    }
    transaction.run(DELETE_IDEMPOTENCY_KEYS.clone(), None).await?;
    transaction.run(DELETE_PRIVATE_CHANGES.clone(), None).await?;
    Ok(())
}

/// Deletes the credentials of the missing users, and their private records.
async fn delete_of_users<T: BulkTransaction>(transaction: &mut T, changes: &mut Changes) -> Result<(), StorageError> {
    if T::DIALECT.has_concurrent_writers {
        transaction.run(LOCK_FORMER_FAMILIES.clone(), None).await?;
    }
    for delete in DELETE_OF_USERS.iter() {
        transaction.run(delete.clone(), None).await?;
    }
    for statements in LEFT_BEHIND.iter() {
        let left = statements.count(transaction, changes).await?;
        if left > 0 {
            statements.delete(transaction, changes, left).await?;
        }
    }
    Ok(())
}

/// Returns every statement of the deletion that looks up its rows.
#[cfg(test)]
pub(crate) fn all_statements() -> Vec<String> {
    let statements = STATEMENTS.iter().flat_map(|statements| [statements.count.clone(), statements.delete.clone()]);
    statements
        .chain(DELETE_OF_USERS.iter().cloned())
        .chain(DELETE_FROM_PRIVATE.iter().cloned())
        .chain([DELETE_IDEMPOTENCY_KEYS.clone(), DELETE_PRIVATE_CHANGES.clone()])
        .collect()
}
