//! Deletes the records of an update's families that are not in the update.

use std::sync::LazyLock;

use crate::storage::bulk::BulkTransaction;
use crate::storage::bulk::changes::Changes;
use crate::storage::record::table::{Table, is_global};
use crate::storage::sql::Values;
use crate::storage::{Record, StorageError};

/// The families of the update.
const FAMILIES: &str = "(SELECT f.id FROM _family_api_loaded f WHERE f.family_id = '' AND f.kind = 'family')";

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
        Self {
            kind,
            count: format!("SELECT t.family_id, count(*) FROM {name} t WHERE {missing} GROUP BY t.family_id"),
            delete: format!("DELETE FROM {name} AS t WHERE {missing}"),
        }
    }
}

/// Children before parents. A deleted user takes the keys along, and a family is never missing.
static STATEMENTS: LazyLock<Vec<Statements>> = LazyLock::new(|| {
    let tables = Record::TABLES.into_iter().rev().filter(|table| !["family", "key"].contains(&table.kind));
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
        ("deleted_records", "owner_user_id"),
    ];
    let delete = |(table, owner)| {
        format!(
            "DELETE FROM {table} WHERE {owner} IN (
                SELECT t.id FROM users t WHERE t.family_id IN {FAMILIES} AND NOT EXISTS (
                    SELECT 1 FROM _family_api_loaded l WHERE l.family_id = '' AND l.kind = 'user' AND l.id = t.id
                )
            )"
        )
    };
    owners.into_iter().map(delete).collect()
});

/// Another user can get the id of a deleted user.
static DELETE_IDEMPOTENCY_KEYS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "DELETE FROM idempotency_keys AS k
        WHERE k.family_id IN {FAMILIES} AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = k.user_id)"
    )
});

/// Deletes the missing records, and counts them.
pub(super) async fn delete(transaction: &mut impl BulkTransaction, changes: &mut Changes) -> Result<(), StorageError> {
    for Statements { kind, count, delete } in STATEMENTS.iter() {
        let mut deleted = 0;
        for row in transaction.find_rows(count.clone(), None).await? {
            let mut values = Values::of(&row);
            changes.families.insert(values.take()?);
            deleted += values.take::<i64>()?.unsigned_abs();
        }
        if deleted > 0 {
            if *kind == "user" {
                for delete in DELETE_OF_USERS.iter() {
                    transaction.find_rows(delete.clone(), None).await?;
                }
            }
            transaction.find_rows(delete.clone(), None).await?;
            changes.count(kind, |kind| kind.deleted += deleted);
        }
    }
    transaction.find_rows(DELETE_IDEMPOTENCY_KEYS.clone(), None).await?;
    Ok(())
}

/// Returns every statement of the deletion.
#[cfg(test)]
pub(in crate::storage) fn all_statements() -> Vec<String> {
    let statements = STATEMENTS.iter().flat_map(|statements| [statements.count.clone(), statements.delete.clone()]);
    statements.chain(DELETE_OF_USERS.iter().cloned()).chain([DELETE_IDEMPOTENCY_KEYS.clone()]).collect()
}
