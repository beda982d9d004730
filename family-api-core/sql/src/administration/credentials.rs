//! Keys, grants and calendar feeds: the statements.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::connection::Connection;
use family_api_core::feed::CalendarFeed;
use family_api_core::id::{FeedId, GrantId, Id, KeyId, UserId};
use family_api_core::key::IntegrationKey;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{Owned, Selection, StorageError};

use crate::account::{key, key_columns};
use crate::feeds::{feed_columns, listed_feed};
use crate::grants::{LISTED_GRANT_COLUMNS, listed_grant};
use crate::sql_connection::SqlConnection;

/// The condition of a key `k`, a grant `g` or a feed `c` that is active at `$1`.
const KEY_IS_ACTIVE: &str = "k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)";
const GRANT_IS_LIVE: &str = "g.revoked_at IS NULL AND g.expires_at > $1";
const FEED_IS_CURRENT: &str = "(c.expires_at IS NULL OR c.expires_at > $1)";

/// The statements that list and revoke credentials of a kind. `$1` is the current instant.
pub(super) struct Statements {
    /// Lists at most `$3` credentials after the id `$2`.
    pub(super) list: String,
    /// As `list`, for the user `$4`.
    pub(super) list_of_user: String,
    pub(super) revoke: String,
    /// Revokes those of the user `$2`.
    pub(super) revoke_of_user: String,
    /// Revokes the one with the id `$2`.
    pub(super) revoke_one: String,
}

pub(super) static KEYS: LazyLock<Statements> = LazyLock::new(|| {
    let revoke = "UPDATE integration_keys AS k SET revoked_at = $1";
    Statements::of("integration_keys", "k", &key_columns(), KEY_IS_ACTIVE, revoke)
});

pub(super) static GRANTS: LazyLock<Statements> = LazyLock::new(|| {
    let revoke = "UPDATE grants AS g SET revoked_at = $1, access_token = NULL";
    Statements::of("grants", "g", LISTED_GRANT_COLUMNS, GRANT_IS_LIVE, revoke)
});

/// A feed has no revoked state: it is deleted.
pub(super) static FEEDS: LazyLock<Statements> = LazyLock::new(|| {
    let delete = "DELETE FROM calendar_feeds AS c";
    Statements::of("calendar_feeds", "c", &feed_columns(), FEED_IS_CURRENT, delete)
});

impl Statements {
    /// `a` is the alias of the table in the columns and in the condition. `revocation` is a statement without its
    /// condition.
    fn of(table: &str, a: &str, columns: &str, is_active: &str, revocation: &str) -> Self {
        let list = |condition: &str| {
            format!(
                "SELECT {a}.user_id, u.email, {columns}
                FROM {table} {a} LEFT JOIN users u ON u.id = {a}.user_id
                WHERE {is_active} AND {a}.id > coalesce($2, '') {condition}
                ORDER BY {a}.id LIMIT $3"
            )
        };
        let revoke = |condition: &str| format!("{revocation} WHERE {is_active} {condition}");
        Self {
            list: list(""),
            list_of_user: list(&format!("AND {a}.user_id = $4")),
            revoke: revoke(""),
            revoke_of_user: revoke(&format!("AND {a}.user_id = $2")),
            revoke_one: revoke(&format!("AND {a}.id = $2")),
        }
    }

    async fn list<C: SqlConnection, T>(
        &'static self,
        connection: &mut C,
        user: Option<&UserId>,
        after: Option<&impl Id>,
        limit: u32,
        now: Timestamp,
        item: impl Fn(&mut Values<'_, C::Row>) -> Result<T, StorageError> + Send,
    ) -> Result<Vec<Owned<T>>, StorageError> {
        let limit = i64::from(limit);
        let mut arguments = vec![Datum::of(&now), Datum::Text(after.map(Id::text)), Datum::of(&limit)];
        arguments.extend(user.map(Datum::of));
        let sql = if user.is_some() { &self.list_of_user } else { &self.list };
        let rows = connection.find_rows(sql, arguments).await?;
        let owned = rows.iter().map(|row| {
            let mut values = Values::of(row);
            Ok(Owned { user: values.take()?, email: values.take()?, item: item(&mut values)? })
        });
        owned.collect()
    }

    async fn revoke<I: Id>(
        &'static self,
        connection: &mut impl SqlConnection,
        selection: Selection<'_, I>,
        now: Timestamp,
    ) -> Result<u64, StorageError> {
        let (sql, selected) = match selection {
            Selection::All => (&self.revoke, None),
            Selection::User(user) => (&self.revoke_of_user, Some(Datum::of(user))),
            Selection::One(id) => (&self.revoke_one, Some(Datum::Text(Some(id.text())))),
        };
        let arguments = [Datum::of(&now)].into_iter().chain(selected).collect();
        connection.execute(sql, arguments).await
    }
}

pub(crate) async fn list_active_keys(
    connection: &mut impl SqlConnection,
    user: Option<&UserId>,
    after: Option<&KeyId>,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<Owned<IntegrationKey>>, StorageError> {
    KEYS.list(connection, user, after, limit, now, key).await
}

pub(crate) async fn list_live_grants(
    connection: &mut impl SqlConnection,
    user: Option<&UserId>,
    after: Option<&GrantId>,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<Owned<Connection>>, StorageError> {
    GRANTS.list(connection, user, after, limit, now, listed_grant).await
}

pub(crate) async fn revoke_keys(
    connection: &mut impl SqlConnection,
    keys: Selection<'_, KeyId>,
    now: Timestamp,
) -> Result<u64, StorageError> {
    KEYS.revoke(connection, keys, now).await
}

pub(crate) async fn revoke_grants(
    connection: &mut impl SqlConnection,
    grants: Selection<'_, GrantId>,
    now: Timestamp,
) -> Result<u64, StorageError> {
    GRANTS.revoke(connection, grants, now).await
}

pub(crate) async fn list_current_feeds(
    connection: &mut impl SqlConnection,
    user: Option<&UserId>,
    after: Option<&FeedId>,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<Owned<CalendarFeed>>, StorageError> {
    FEEDS.list(connection, user, after, limit, now, listed_feed).await
}

pub(crate) async fn delete_feeds(
    connection: &mut impl SqlConnection,
    feeds: Selection<'_, FeedId>,
    now: Timestamp,
) -> Result<u64, StorageError> {
    FEEDS.revoke(connection, feeds, now).await
}
