//! Administration: the statements for families, users and their credentials.

use std::sync::LazyLock;

use crate::grant::Connection;
use crate::id::{FamilyId, GrantId, Id, KeyId, UserId};
use crate::key::IntegrationKey;
use crate::storage::sql::grants::{CONNECTION_COLUMNS, connection_of};
use crate::storage::sql::{Argument, SqlConnection, SqlRow, Values, key, key_columns};
use crate::storage::{FamilySummary, KindCount, Owned, Record, Selection, StorageError, UserMove, UserSummary};
use crate::timestamp::Timestamp;

const FAMILY_COLUMNS: &str = "f.id, f.name, f.created_at, (SELECT count(*) FROM users u WHERE u.family_id = f.id)";

static LIST_FAMILIES: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {FAMILY_COLUMNS} FROM families f WHERE f.id > coalesce($1, '') ORDER BY f.id LIMIT $2")
});

static FIND_FAMILY: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {FAMILY_COLUMNS} FROM families f WHERE f.id = $1"));

const USER_COLUMNS: &str = "
    u.id, u.family_id, u.name, u.email, EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = u.id),
    u.personal_api_enabled, u.created_at";

static LIST_USERS: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {USER_COLUMNS} FROM users u WHERE u.id > coalesce($1, '') ORDER BY u.id LIMIT $2")
});

static LIST_MEMBERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {USER_COLUMNS} FROM users u
        WHERE u.family_id = $3 AND u.id > coalesce($1, '') ORDER BY u.id LIMIT $2"
    )
});

static FIND_USER: LazyLock<String> = LazyLock::new(|| format!("SELECT {USER_COLUMNS} FROM users u WHERE u.email = $1"));

/// Adds 1 to the revision, which also locks the family for writers.
const LOCK_FAMILY: &str = "UPDATE families SET revision = revision + 1 WHERE id = $1";

/// As [`LOCK_FAMILY`], for the family of the user `$1`.
const LOCK_FAMILY_OF_USER: &str = "
    UPDATE families SET revision = revision + 1 WHERE id = (SELECT family_id FROM users WHERE id = $1)";

/// A database does not need a foreign key from the user to the family.
const CLEAR_MEMBERS: &str = "UPDATE users SET family_id = NULL, updated_at = $2 WHERE family_id = $1";

/// Also deletes the records of the family, by foreign keys.
const DELETE_FAMILY: &str = "DELETE FROM families WHERE id = $1";

const MOVE_USER: &str = "UPDATE users SET family_id = $2, updated_at = $3 WHERE id = $1";

/// Another user can get the id.
const DELETE_IDEMPOTENCY_KEYS: &str = "DELETE FROM idempotency_keys WHERE user_id = $1";

/// Also deletes the user's credentials, by foreign keys and a trigger.
const DELETE_USER: &str = "DELETE FROM users WHERE id = $1";

/// The tables that are deleted with a user by foreign keys, with their kinds.
const CREDENTIALS: [(&str, &str); 3] = [("key", "integration_keys"), ("session", "sessions"), ("connection", "grants")];

/// The private records of the user `$1`, and everything in private boards and lists: kind, table, condition. Children
/// come before their parents. Other members do not see these records.
const PRIVATE_RECORDS: [(&str, &str, &str); 5] = [
    (
        "task",
        "tasks",
        "is_private AND creator_id = $1 OR (family_id, column_id) IN (
            SELECT c.family_id, c.id FROM columns c JOIN boards b ON b.family_id = c.family_id AND b.id = c.board_id
            WHERE b.is_private AND b.owner_user_id = $1
        )",
    ),
    (
        "column",
        "columns",
        "(family_id, board_id) IN (SELECT family_id, id FROM boards WHERE is_private AND owner_user_id = $1)",
    ),
    ("board", "boards", "is_private AND owner_user_id = $1"),
    (
        "shoppingItem",
        "shopping_items",
        "is_private AND added_by_id = $1 OR (family_id, list_id) IN (
            SELECT family_id, id FROM shopping_lists WHERE is_private AND owner_user_id = $1
        )",
    ),
    ("shoppingList", "shopping_lists", "is_private AND owner_user_id = $1"),
];

static DELETE_PRIVATE_RECORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let statements = PRIVATE_RECORDS.iter();
    statements.map(|(_, table, condition)| format!("DELETE FROM {table} WHERE {condition}")).collect()
});

/// A query of several counts, each of one kind.
struct Counts {
    kinds: Vec<&'static str>,
    sql: String,
}

impl Counts {
    /// `counted` contains the kind, the table and the condition of each count.
    fn of<'a>(counted: impl Iterator<Item = (&'static str, &'a str, &'a str)>) -> Self {
        let (kinds, counts): (Vec<_>, Vec<_>) = counted
            .map(|(kind, table, condition)| (kind, format!("(SELECT count(*) FROM {table} WHERE {condition})")))
            .unzip();
        Self { kinds, sql: format!("SELECT {}", counts.join(", ")) }
    }

    async fn query(
        &'static self,
        connection: &mut impl SqlConnection,
        id: &impl Id,
    ) -> Result<Vec<KindCount>, StorageError> {
        let row = connection.find_row(&self.sql, vec![Argument::of(id)]).await?;
        let row = row.ok_or_else(|| StorageError::backend("the counts are missing"))?;
        let mut values = Values::of(&row);
        let counts = self.kinds.iter().map(|kind| Ok(KindCount { kind, count: take_count(&mut values)? }));
        counts.collect()
    }
}

fn take_count(values: &mut Values<'_, impl SqlRow>) -> Result<u64, StorageError> {
    values.take::<i64>()?.try_into().map_err(StorageError::corrupt)
}

static FAMILY_COUNTS: LazyLock<Counts> = LazyLock::new(|| {
    let tables = Record::TABLES.iter().filter(|table| !["family", "user", "key"].contains(&table.kind));
    let tables = tables.map(|table| (table.kind, table.name, "family_id = $1"));
    Counts::of(tables.chain([("deletedRecord", "deleted_records", "family_id = $1")]))
});

static USER_COUNTS: LazyLock<Counts> = LazyLock::new(|| {
    let credentials = CREDENTIALS.iter().map(|(kind, table)| (*kind, *table, "user_id = $1"));
    Counts::of(credentials.chain(PRIVATE_RECORDS))
});

pub(in crate::storage) async fn list_families(
    connection: &mut impl SqlConnection,
    after: Option<&FamilyId>,
    limit: u32,
) -> Result<Vec<FamilySummary>, StorageError> {
    let limit = i64::from(limit);
    let arguments = vec![Argument::Text(after.map(Id::text)), Argument::of(&limit)];
    let rows = connection.find_rows(&LIST_FAMILIES, arguments).await?;
    rows.iter().map(|row| family_summary(&mut Values::of(row))).collect()
}

pub(in crate::storage) async fn find_family(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
) -> Result<Option<FamilySummary>, StorageError> {
    let row = connection.find_row(&FIND_FAMILY, vec![Argument::of(family)]).await?;
    row.map(|row| family_summary(&mut Values::of(&row))).transpose()
}

fn family_summary(values: &mut Values<'_, impl SqlRow>) -> Result<FamilySummary, StorageError> {
    Ok(FamilySummary {
        id: values.take()?,
        name: values.take()?,
        created_at: values.take()?,
        members: take_count(values)?,
    })
}

pub(in crate::storage) async fn count_family(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
) -> Result<Vec<KindCount>, StorageError> {
    FAMILY_COUNTS.query(connection, family).await
}

/// Deletes a family in a transaction of the caller.
pub(in crate::storage) async fn delete_family(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    now: Timestamp,
) -> Result<Option<Vec<KindCount>>, StorageError> {
    if !connection.change_rows(LOCK_FAMILY, vec![Argument::of(family)]).await? {
        return Ok(None);
    }
    let counts = count_family(connection, family).await?;
    connection.change_rows(CLEAR_MEMBERS, vec![Argument::of(family), Argument::of(&now)]).await?;
    connection.change_rows(DELETE_FAMILY, vec![Argument::of(family)]).await?;
    Ok(Some(counts))
}

pub(in crate::storage) async fn list_users(
    connection: &mut impl SqlConnection,
    family: Option<&FamilyId>,
    after: Option<&UserId>,
    limit: u32,
) -> Result<Vec<UserSummary>, StorageError> {
    let limit = i64::from(limit);
    let mut arguments = vec![Argument::Text(after.map(Id::text)), Argument::of(&limit)];
    arguments.extend(family.map(Argument::of));
    let sql = if family.is_some() { LIST_MEMBERS.as_str() } else { LIST_USERS.as_str() };
    let rows = connection.find_rows(sql, arguments).await?;
    rows.iter().map(|row| user_summary(&mut Values::of(row))).collect()
}

pub(in crate::storage) async fn find_user(
    connection: &mut impl SqlConnection,
    email: &str,
) -> Result<Option<UserSummary>, StorageError> {
    let row = connection.find_row(&FIND_USER, vec![Argument::Text(Some(email))]).await?;
    row.map(|row| user_summary(&mut Values::of(&row))).transpose()
}

fn user_summary(values: &mut Values<'_, impl SqlRow>) -> Result<UserSummary, StorageError> {
    Ok(UserSummary {
        id: values.take()?,
        family_id: values.take()?,
        name: values.take()?,
        email: values.take()?,
        has_password: values.take()?,
        personal_api_enabled: values.take()?,
        created_at: values.take()?,
    })
}

pub(in crate::storage) async fn count_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
) -> Result<Vec<KindCount>, StorageError> {
    USER_COUNTS.query(connection, user).await
}

/// Deletes a user in a transaction of the caller. The lock of the family keeps out a concurrent write of the user.
pub(in crate::storage) async fn delete_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
) -> Result<Option<Vec<KindCount>>, StorageError> {
    connection.change_rows(LOCK_FAMILY_OF_USER, vec![Argument::of(user)]).await?;
    let counts = count_user(connection, user).await?;
    if !connection.change_rows(DELETE_USER, vec![Argument::of(user)]).await? {
        return Ok(None);
    }
    for sql in DELETE_PRIVATE_RECORDS.iter() {
        connection.change_rows(sql, vec![Argument::of(user)]).await?;
    }
    connection.change_rows(DELETE_IDEMPOTENCY_KEYS, vec![Argument::of(user)]).await?;
    Ok(Some(counts))
}

/// Moves a user in a transaction of the caller.
pub(in crate::storage) async fn move_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
    family: Option<&FamilyId>,
    now: Timestamp,
) -> Result<UserMove, StorageError> {
    connection.change_rows(LOCK_FAMILY_OF_USER, vec![Argument::of(user)]).await?;
    if let Some(family) = family
        && !connection.change_rows(LOCK_FAMILY, vec![Argument::of(family)]).await?
    {
        return Ok(UserMove::UnknownFamily);
    }
    let arguments = vec![Argument::of(user), Argument::Text(family.map(Id::text)), Argument::of(&now)];
    let is_moved = connection.change_rows(MOVE_USER, arguments).await?;
    Ok(if is_moved { UserMove::Moved } else { UserMove::UnknownUser })
}

const IS_ACTIVE_KEY: &str = "k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)";

static LIST_KEYS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT k.user_id, u.email, {}
        FROM integration_keys k LEFT JOIN users u ON u.id = k.user_id
        WHERE {IS_ACTIVE_KEY} AND k.id > coalesce($2, '') AND ($4 IS NULL OR k.user_id = $4)
        ORDER BY k.id LIMIT $3",
        key_columns()
    )
});

static REVOKE_KEYS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "UPDATE integration_keys AS k SET revoked_at = $1
        WHERE {IS_ACTIVE_KEY} AND ($2 IS NULL OR user_id = $2) AND ($3 IS NULL OR id = $3)
        RETURNING id"
    )
});

static LIST_GRANTS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT g.user_id, u.email, {CONNECTION_COLUMNS}
        FROM grants g LEFT JOIN users u ON u.id = g.user_id
        WHERE g.revoked_at IS NULL AND g.expires_at > $1 AND g.id > coalesce($2, '')
          AND ($4 IS NULL OR g.user_id = $4)
        ORDER BY g.id LIMIT $3"
    )
});

const REVOKE_GRANTS: &str = "
    UPDATE grants SET revoked_at = $1, access_token = NULL
    WHERE revoked_at IS NULL AND expires_at > $1 AND ($2 IS NULL OR user_id = $2) AND ($3 IS NULL OR id = $3)
    RETURNING id";

const DELETE_SESSIONS: &str = "DELETE FROM sessions WHERE $1 IS NULL OR user_id = $1 RETURNING 1";

pub(in crate::storage) async fn list_active_keys(
    connection: &mut impl SqlConnection,
    user: Option<&UserId>,
    after: Option<&KeyId>,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<Owned<IntegrationKey>>, StorageError> {
    list_owned(connection, &LIST_KEYS, user, after, limit, now, |values| key(values)).await
}

pub(in crate::storage) async fn list_live_grants(
    connection: &mut impl SqlConnection,
    user: Option<&UserId>,
    after: Option<&GrantId>,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<Owned<Connection>>, StorageError> {
    list_owned(connection, &LIST_GRANTS, user, after, limit, now, |values| connection_of(values)).await
}

async fn list_owned<C: SqlConnection, T>(
    connection: &mut C,
    sql: &'static str,
    user: Option<&UserId>,
    after: Option<&impl Id>,
    limit: u32,
    now: Timestamp,
    item: impl Fn(&mut Values<'_, C::Row>) -> Result<T, StorageError> + Send,
) -> Result<Vec<Owned<T>>, StorageError> {
    let limit = i64::from(limit);
    let arguments = vec![
        Argument::of(&now),
        Argument::Text(after.map(Id::text)),
        Argument::of(&limit),
        Argument::Text(user.map(Id::text)),
    ];
    let rows = connection.find_rows(sql, arguments).await?;
    let owned = rows.iter().map(|row| {
        let mut values = Values::of(row);
        Ok(Owned { user: values.take()?, email: values.take()?, item: item(&mut values)? })
    });
    owned.collect()
}

pub(in crate::storage) async fn revoke_keys(
    connection: &mut impl SqlConnection,
    keys: Selection<'_, KeyId>,
    now: Timestamp,
) -> Result<Vec<KeyId>, StorageError> {
    revoke(connection, &REVOKE_KEYS, keys, now).await
}

pub(in crate::storage) async fn revoke_grants(
    connection: &mut impl SqlConnection,
    grants: Selection<'_, GrantId>,
    now: Timestamp,
) -> Result<Vec<GrantId>, StorageError> {
    revoke(connection, REVOKE_GRANTS, grants, now).await
}

async fn revoke<I: Id>(
    connection: &mut impl SqlConnection,
    sql: &'static str,
    selection: Selection<'_, I>,
    now: Timestamp,
) -> Result<Vec<I>, StorageError> {
    let (user, id) = match selection {
        Selection::All => (None, None),
        Selection::User(user) => (Some(user.text()), None),
        Selection::One(id) => (None, Some(id.text())),
    };
    let rows = connection.find_rows(sql, vec![Argument::of(&now), Argument::Text(user), Argument::Text(id)]).await?;
    rows.iter().map(|row| Values::of(row).take()).collect()
}

pub(in crate::storage) async fn delete_sessions(
    connection: &mut impl SqlConnection,
    user: Option<&UserId>,
) -> Result<u64, StorageError> {
    let rows = connection.find_rows(DELETE_SESSIONS, vec![Argument::Text(user.map(Id::text))]).await?;
    Ok(rows.len() as u64)
}
