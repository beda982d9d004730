//! What is unusual: allowed, but seldom wanted.

use family_api_core::Timestamp;
use family_api_core::resource::{Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task};
use family_api_core::storage::StorageError;

use crate::inspection::{Finding, Query};
use crate::sql_connection::{Engine, PerEngine, SqlConnection};
use crate::writes::{SqlKind, records_of_families};

const DAY: i64 = 24;

/// The background task of a server deletes old rows every hour. A row that is a day too old shows that no server runs,
/// or that the task fails.
const GRACE: i64 = DAY;

/// Ended keys, misused grants and deleted records are kept for 30 days.
const RETENTION: i64 = 30 * DAY + GRACE;

const YEAR: i64 = 365 * DAY;

/// Revisions beyond this number could reach the largest integer.
const MAX_REVISION: i64 = i64::MAX / 2;

/// Columns that should name a member of the family: name, description, table and column.
const MEMBERS: [(&str, &str, &str, &str); 4] = [
    ("boardsWithoutOwner", "boards whose owner is not in the family", "boards", "owner_user_id"),
    ("shoppingListsWithoutOwner", "shopping lists whose owner is not in the family", "shopping_lists", "owner_user_id"),
    ("tasksWithoutAssignee", "tasks whose assignee is not in the family", "tasks", "assignee_id"),
    ("eventsWithoutAssignee", "events whose assignee is not in the family", "events", "assignee_id"),
];

/// Private records that only the named user sees: name, description, table and column.
const PRIVATE: [(&str, &str, &str, &str); 4] = [
    ("unseenBoards", "private boards that nobody sees", "boards", "owner_user_id"),
    ("unseenShoppingLists", "private shopping lists that nobody sees", "shopping_lists", "owner_user_id"),
    ("unseenTasks", "private tasks that nobody sees", "tasks", "creator_id"),
    ("unseenShoppingItems", "private shopping items that nobody sees", "shopping_items", "added_by_id"),
];

fn queries(engine: Engine) -> Vec<Query> {
    let mut queries = users_and_families();
    queries.extend(MEMBERS.map(|(name, description, table, column)| {
        Query::new(name, description, &of_a_stranger(table, column, &format!("r.{column} IS NOT NULL")))
    }));
    queries.extend(PRIVATE.map(|(name, description, table, column)| {
        Query::new(name, description, &of_a_stranger(table, column, "r.is_private"))
    }));
    queries.extend([
        many::<Task>(engine, "manyTasks", "tasks"),
        many::<Note>(engine, "manyNotes", "notes"),
        many::<Event>(engine, "manyEvents", "events"),
        many::<ShoppingItem>(engine, "manyShoppingItems", "shopping items"),
        many::<Board>(engine, "manyBoards", "boards"),
        many::<Column>(engine, "manyColumns", "columns"),
        many::<ShoppingList>(engine, "manyShoppingLists", "shopping lists"),
        many::<NoteCategory>(engine, "manyNoteCategories", "note categories"),
        wrong_bound::<Task>(engine, "wrongTaskBounds", "tasks"),
        wrong_bound::<Note>(engine, "wrongNoteBounds", "notes"),
        wrong_bound::<Event>(engine, "wrongEventBounds", "events"),
        wrong_bound::<ShoppingItem>(engine, "wrongShoppingItemBounds", "shopping items"),
    ]);
    queries.extend(credentials());
    queries.extend(old_rows());
    queries
}

/// Returns everything unusual.
pub(super) async fn find_unusual(
    connection: &mut impl SqlConnection,
    now: Timestamp,
) -> Result<Vec<Finding>, StorageError> {
    static QUERIES: PerEngine<Vec<Query>> = PerEngine::new();
    let mut findings = Vec::new();
    for query in QUERIES.get(connection.engine(), queries) {
        findings.extend(query.find(connection, now).await?);
    }
    Ok(findings)
}

fn users_and_families() -> Vec<Query> {
    vec![
        Query::new("usersWithoutFamily", "users without a family", "SELECT id FROM users WHERE family_id IS NULL"),
        Query::new(
            "usersOfUnknownFamily",
            "users whose family does not exist",
            // Not correlated: Citus rejects a correlated subquery from users to families.
            "SELECT id FROM users WHERE family_id NOT IN (SELECT f.id FROM families f)",
        ),
        Query::new(
            "familiesWithoutUsers",
            "families without users",
            "SELECT f.id FROM families f WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.family_id = f.id)",
        ),
        Query::new(
            "emailsWithCapitals",
            "users who cannot sign in, because their e-mail address has capitals",
            "SELECT id FROM users WHERE email <> lower(email)",
        ),
        Query::new(
            "wrongRevisions",
            "families with a negative or too large revision",
            &format!("SELECT id FROM families WHERE revision NOT BETWEEN 0 AND {MAX_REVISION}"),
        ),
        Query::new(
            "futureFamilies",
            "families that were created or changed in the future",
            "SELECT id FROM families WHERE created_at > $1 OR updated_at > $1",
        )
        .at(DAY),
        Query::new(
            "futureUsers",
            "users who were created or changed in the future",
            "SELECT id FROM users WHERE created_at > $1 OR updated_at > $1",
        )
        .at(DAY),
    ]
}

/// Returns the rows of a table whose column names no member of the family.
fn of_a_stranger(table: &str, column: &str, condition: &str) -> String {
    format!(
        "SELECT r.family_id || '/' || r.id AS id FROM {table} r
        WHERE {condition}
          AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = r.{column} AND u.family_id = r.family_id)"
    )
}

/// Returns the query of the families with more than 90 % of the maximum number of records.
fn many<R: SqlKind>(engine: Engine, name: &'static str, records: &str) -> Query {
    let max = R::KIND.max_records();
    Query::new(
        name,
        format!("families with more than 90 % of the {max} {records} that are allowed"),
        &format!(
            "SELECT family_id AS id FROM ({}) AS r WHERE records > {}",
            records_of_families::<R>(engine),
            max / 10 * 9
        ),
    )
}

/// Returns the query of the families whose stored upper bound is smaller than the number of records.
fn wrong_bound<R: SqlKind>(engine: Engine, name: &'static str, records: &str) -> Query {
    let table = R::TABLE.name;
    Query::new(
        name,
        format!("families with more {records} than their stored upper bound"),
        &format!(
            "SELECT f.id FROM families f JOIN ({}) AS r ON r.family_id = f.id WHERE f.{table}_bound < r.records",
            records_of_families::<R>(engine)
        ),
    )
}

fn credentials() -> Vec<Query> {
    vec![
        Query::new(
            "unusedKeys",
            "active keys that were not used for a year",
            "SELECT id FROM integration_keys
            WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
              AND coalesce(last_used_at, created_at) < $2",
        )
        .at(0)
        .at(-YEAR),
        Query::new(
            "blockedKeys",
            "active keys for /api/v1 whose user has the personal API off",
            "SELECT k.id FROM integration_keys k JOIN users u ON u.id = k.user_id
            WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)
              AND NOT u.personal_api_enabled AND CAST(k.scopes AS TEXT) LIKE '%v1.%'",
        )
        .at(0),
        Query::new(
            "keysOfUnknownUser",
            "keys whose user does not exist",
            "SELECT k.id FROM integration_keys k WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = k.user_id)",
        ),
        Query::new(
            "futureKeys",
            "keys that were created or used in the future",
            "SELECT id FROM integration_keys WHERE created_at > $1 OR last_used_at > $1",
        )
        .at(DAY),
        Query::new(
            "revokedConnectionsWithToken",
            "revoked connections that still have an access token",
            "SELECT id FROM grants WHERE revoked_at IS NOT NULL AND access_token IS NOT NULL",
        ),
        Query::new(
            "feedsOfUnknownUser",
            "calendar feeds whose user does not exist",
            "SELECT c.id FROM calendar_feeds c WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = c.user_id)",
        ),
        Query::new(
            "unreadableFeeds",
            "calendar feeds that cannot be read, because the table `calendar_ids` does not have the row `uid`",
            "SELECT id FROM calendar_feeds WHERE NOT EXISTS (SELECT 1 FROM calendar_ids i WHERE i.name = 'uid')",
        ),
        Query::new(
            "futureFeeds",
            "calendar feeds that were created or used in the future",
            "SELECT id FROM calendar_feeds WHERE created_at > $1 OR last_used_at > $1",
        )
        .at(DAY),
        Query::new(
            "connectionsOfUnknownUser",
            "connections whose user does not exist",
            "SELECT g.id FROM grants g WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = g.user_id)",
        ),
    ]
}

/// Returns the queries of the rows that a server should have deleted.
fn old_rows() -> Vec<Query> {
    vec![
        Query::new(
            "oldKeys",
            "keys that ended more than 31 days ago",
            "SELECT id FROM integration_keys WHERE coalesce(revoked_at, expires_at) < $1",
        )
        .at(-RETENTION),
        Query::new(
            "oldConnections",
            "connections that ended more than a day ago, or more than 31 days ago because of a misuse",
            "SELECT id FROM grants
            WHERE coalesce(revoked_at, expires_at) < $1 AND (misuse IS NULL OR coalesce(revoked_at, expires_at) < $2)",
        )
        .at(-GRACE)
        .at(-RETENTION),
        Query::new(
            "oldFeeds",
            "calendar feeds that expired more than a day ago",
            "SELECT id FROM calendar_feeds WHERE expires_at < $1",
        )
        .at(-GRACE),
        Query::new(
            "oldSessions",
            "sessions that expired more than a day ago, by user",
            "SELECT user_id AS id FROM sessions WHERE expires_at < $1",
        )
        .at(-GRACE),
        Query::new(
            "oldDeletedRecords",
            "records that were deleted more than 31 days ago",
            "SELECT family_id || '/' || id AS id FROM deleted_records WHERE deleted_at < $1",
        )
        .at(-RETENTION),
        Query::new(
            "oldChanges",
            "changes in the log that are more than 31 days old, by family",
            "SELECT family_id AS id FROM changes WHERE changed_at < $1",
        )
        .at(-RETENTION),
        Query::new(
            "oldIdempotencyKeys",
            "idempotency keys that are more than 2 days old, by user",
            "SELECT family_id || '/' || user_id AS id FROM idempotency_keys WHERE created_at < $1",
        )
        .at(-DAY - GRACE),
    ]
}
