//! Users: the statements.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::id::{FamilyId, Id, UserId};
use family_api_core::storage::value::{Datum, StoredRow, Values};
use family_api_core::storage::{KindCount, StorageError, UserMove, UserSummary};

use crate::administration::Counts;
use crate::changes::DELETE_PRIVATE_CHANGES;
use crate::sql_connection::SqlConnection;
use crate::writes::INCREMENT_REVISION;

const USER_COLUMNS: &str = "
    u.id, u.family_id, u.name, u.email, u.time_zone, p.user_id IS NOT NULL, u.personal_api_enabled,
    u.created_at";

/// An engine that distributes the tables supports this join, but not a correlated subquery.
const USERS: &str = "users u LEFT JOIN passwords p ON p.user_id = u.id";

pub(super) static LIST_USERS: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {USER_COLUMNS} FROM {USERS} WHERE u.id > coalesce($1, '') ORDER BY u.id LIMIT $2")
});

pub(super) static LIST_MEMBERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {USER_COLUMNS} FROM {USERS}
        WHERE u.family_id = $3 AND u.id > coalesce($1, '') ORDER BY u.id LIMIT $2"
    )
});

pub(super) static FIND_USER: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {USER_COLUMNS} FROM {USERS} WHERE u.email = $1"));

pub(crate) const FIND_FAMILY_OF_USER: &str = "SELECT family_id FROM users WHERE id = $1";

pub(super) const MOVE_USER: &str = "UPDATE users SET family_id = $2, updated_at = $3 WHERE id = $1";

/// Also deletes the password, and credentials that were created in the meantime, by foreign keys and the trigger.
pub(super) const DELETE_USER: &str = "DELETE FROM users WHERE id = $1";

/// The credentials that are deleted with a user: kind, table, condition. A request locks its session or key before the
/// user, so they are deleted in this order.
const CREDENTIALS: [(&str, &str, &str); 4] = [
    ("session", "sessions", "user_id = $1"),
    ("key", "integration_keys", "user_id = $1"),
    ("connection", "grants", "user_id = $1"),
    ("calendarFeed", "calendar_feeds", "user_id = $1"),
];

pub(super) static DELETE_CREDENTIALS: LazyLock<Vec<String>> = LazyLock::new(|| deletions(&CREDENTIALS));

/// The private records of the user `$2` in the family `$1`, everything in private boards and lists, and what was deleted
/// from there: kind, table, condition. Children come before their parents. Other members do not see these records.
///
/// A deleted record whose column or list does not exist any more is deleted too. It can have been in a private board or
/// list, and no member can restore it. `json(…) ->> …` is the syntax that both databases have.
const PRIVATE_RECORDS: [(&str, &str, &str); 6] = [
    (
        "deletedRecord",
        "deleted_records",
        "family_id = $1 AND (
            owner_user_id = $2
            OR kind = 'task' AND json(record) ->> 'columnId' NOT IN (
                SELECT c.id FROM columns c JOIN boards b ON b.family_id = $1 AND b.id = c.board_id
                WHERE c.family_id = $1 AND NOT (b.is_private AND b.owner_user_id = $2)
            )
            OR kind = 'shopping_item' AND json(record) ->> 'listId' NOT IN (
                SELECT l.id FROM shopping_lists l
                WHERE l.family_id = $1 AND NOT (l.is_private AND l.owner_user_id = $2)
            )
        )",
    ),
    (
        "task",
        "tasks",
        "family_id = $1 AND (is_private AND creator_id = $2 OR column_id IN (
            SELECT c.id FROM boards b JOIN columns c ON c.family_id = $1 AND c.board_id = b.id
            WHERE b.family_id = $1 AND b.is_private AND b.owner_user_id = $2
        ))",
    ),
    (
        "column",
        "columns",
        "family_id = $1 AND board_id IN (
            SELECT b.id FROM boards b WHERE b.family_id = $1 AND b.is_private AND b.owner_user_id = $2
        )",
    ),
    ("board", "boards", "family_id = $1 AND is_private AND owner_user_id = $2"),
    (
        "shoppingItem",
        "shopping_items",
        "family_id = $1 AND (is_private AND added_by_id = $2 OR list_id IN (
            SELECT l.id FROM shopping_lists l WHERE l.family_id = $1 AND l.is_private AND l.owner_user_id = $2
        ))",
    ),
    ("shoppingList", "shopping_lists", "family_id = $1 AND is_private AND owner_user_id = $2"),
];

pub(super) static DELETE_PRIVATE_RECORDS: LazyLock<Vec<String>> = LazyLock::new(|| deletions(&PRIVATE_RECORDS));

fn deletions(deleted: &[(&str, &str, &str)]) -> Vec<String> {
    deleted.iter().map(|(_, table, condition)| format!("DELETE FROM {table} WHERE {condition}")).collect()
}

/// Another user can get the id.
pub(super) const DELETE_IDEMPOTENCY_KEYS: &str = "DELETE FROM idempotency_keys WHERE family_id = $1 AND user_id = $2";

/// The families in which the user has left something before a move. PostgreSQL reads whole tables except for
/// `deleted_records`, because the other indexes begin with the family. SQLite, whose writers wait meanwhile, reads only
/// the idempotency keys as a whole.
pub(crate) const FIND_FORMER_FAMILIES: &str = "
    SELECT family_id FROM tasks WHERE is_private AND creator_id = $1
    UNION SELECT family_id FROM boards WHERE is_private AND owner_user_id = $1
    UNION SELECT family_id FROM shopping_items WHERE is_private AND added_by_id = $1
    UNION SELECT family_id FROM shopping_lists WHERE is_private AND owner_user_id = $1
    UNION SELECT family_id FROM deleted_records WHERE owner_user_id = $1
    UNION SELECT family_id FROM idempotency_keys WHERE user_id = $1";

pub(super) static CREDENTIAL_COUNTS: LazyLock<Counts> = LazyLock::new(|| Counts::of(CREDENTIALS.into_iter()));

pub(super) static PRIVATE_COUNTS: LazyLock<Counts> = LazyLock::new(|| Counts::of(PRIVATE_RECORDS.into_iter()));

pub(crate) async fn list_users(
    connection: &mut impl SqlConnection,
    family: Option<&FamilyId>,
    after: Option<&UserId>,
    limit: u32,
) -> Result<Vec<UserSummary>, StorageError> {
    let limit = i64::from(limit);
    let mut arguments = vec![Datum::Text(after.map(Id::text)), Datum::of(&limit)];
    arguments.extend(family.map(Datum::of));
    let sql = if family.is_some() { LIST_MEMBERS.as_str() } else { LIST_USERS.as_str() };
    let rows = connection.find_rows(sql, arguments).await?;
    rows.iter().map(|row| user_summary(&mut Values::of(row))).collect()
}

pub(crate) async fn find_user(
    connection: &mut impl SqlConnection,
    email: &str,
) -> Result<Option<UserSummary>, StorageError> {
    let email = email.to_ascii_lowercase();
    let row = connection.find_row(&FIND_USER, vec![Datum::Text(Some(&email))]).await?;
    row.map(|row| user_summary(&mut Values::of(&row))).transpose()
}

fn user_summary(values: &mut Values<'_, impl StoredRow>) -> Result<UserSummary, StorageError> {
    Ok(UserSummary {
        id: values.take()?,
        family_id: values.take()?,
        name: values.take()?,
        email: values.take()?,
        time_zone: values.take()?,
        has_password: values.take()?,
        personal_api_enabled: values.take()?,
        created_at: values.take()?,
    })
}

/// Finds the families in which the user has private records, beside the current one.
async fn find_former_families(
    connection: &mut impl SqlConnection,
    user: &UserId,
) -> Result<Vec<FamilyId>, StorageError> {
    let rows = connection.find_rows(FIND_FORMER_FAMILIES, vec![Datum::of(user)]).await?;
    rows.iter().map(|row| Values::of(row).take()).collect()
}

/// Counts what [`delete_user`] deletes.
pub(crate) async fn count_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
) -> Result<Vec<KindCount>, StorageError> {
    let mut counts = CREDENTIAL_COUNTS.query(connection, vec![Datum::of(user)]).await?;
    let mut private_counts: Vec<KindCount> = PRIVATE_RECORDS.map(|(kind, ..)| KindCount { kind, count: 0 }).into();
    for family in find_former_families(connection, user).await? {
        let counted = PRIVATE_COUNTS.query(connection, vec![Datum::of(&family), Datum::of(user)]).await?;
        private_counts.iter_mut().zip(counted).for_each(|(sum, counted)| sum.count += counted.count);
    }
    counts.extend(private_counts);
    Ok(counts)
}

/// Locks the family of a user, and returns it. Returns `None` if the user does not exist or has no family.
///
/// The user can move while the statement waits for the lock, so the family is read again after it.
pub(crate) async fn lock_family_of_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
) -> Result<Option<FamilyId>, StorageError> {
    let mut locked = None;
    loop {
        let row = connection.find_row(FIND_FAMILY_OF_USER, vec![Datum::of(user)]).await?;
        let family: Option<FamilyId> = row.map_or(Ok(None), |row| Values::of(&row).take())?;
        let Some(unlocked) = family.as_ref().filter(|_| family != locked) else {
            return Ok(family);
        };
        connection.execute(INCREMENT_REVISION, vec![Datum::of(unlocked)]).await?;
        locked = family;
    }
}

/// Deletes a user in a transaction of the caller.
///
/// The lock of the family keeps out a concurrent write of the user. The user is deleted before the private records, so
/// a write that comes later fails. The former families are found after that, when the user can no longer move.
pub(crate) async fn delete_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
) -> Result<Option<Vec<KindCount>>, StorageError> {
    let family = lock_family_of_user(connection, user).await?;
    let mut counts = Vec::new();
    for ((kind, ..), sql) in CREDENTIALS.iter().zip(DELETE_CREDENTIALS.iter()) {
        counts.push(KindCount { kind, count: connection.execute(sql, vec![Datum::of(user)]).await? });
    }
    if connection.execute(DELETE_USER, vec![Datum::of(user)]).await? == 0 {
        return Ok(None);
    }
    let families: BTreeSet<FamilyId> =
        find_former_families(connection, user).await?.into_iter().chain(family).collect();
    for ((kind, ..), sql) in PRIVATE_RECORDS.iter().zip(DELETE_PRIVATE_RECORDS.iter()) {
        let mut count = 0;
        for family in &families {
            count += connection.execute(sql, vec![Datum::of(family), Datum::of(user)]).await?;
        }
        counts.push(KindCount { kind, count });
    }
    for family in &families {
        for sql in [DELETE_IDEMPOTENCY_KEYS, DELETE_PRIVATE_CHANGES] {
            connection.execute(sql, vec![Datum::of(family), Datum::of(user)]).await?;
        }
    }
    Ok(Some(counts))
}

/// Moves a user in a transaction of the caller, which commits it only if the user was moved.
pub(crate) async fn move_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
    family: Option<&FamilyId>,
    now: Timestamp,
) -> Result<UserMove, StorageError> {
    let old_family = lock_family_of_user(connection, user).await?;
    if let Some(family) = family
        && connection.execute(INCREMENT_REVISION, vec![Datum::of(family)]).await? == 0
    {
        return Ok(UserMove::UnknownFamily);
    }
    let arguments = vec![Datum::of(user), Datum::Text(family.map(Id::text)), Datum::of(&now)];
    let is_moved = connection.execute(MOVE_USER, arguments).await? > 0;
    if let Some(old_family) = old_family.filter(|_| is_moved) {
        // No one can follow the log over this change of the family. If the user is removed later, the rows are not found.
        connection.execute(DELETE_PRIVATE_CHANGES, vec![Datum::of(&old_family), Datum::of(user)]).await?;
    }
    Ok(if is_moved { UserMove::Moved } else { UserMove::UnknownUser })
}
