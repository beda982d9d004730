//! Storage of users.

use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::resource::Profile;
use family_api_core::storage::value::{Datum, StoredFields, Values};
use family_api_core::storage::{Account, Membership, SignedIn, StorageError, UserStorage};
use sqlx::PgConnection;

use crate::account::{self, ACCOUNT_COLUMNS};
use crate::administration::lock_family_of_user;
use crate::columns::columns;
use crate::postgres::credentials::lock_session;
use crate::postgres::database::{Database, call};
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::membership::{find_membership, move_lease_and_find_membership};
use crate::postgres::row::Row;
use crate::postgres::timestamp::PgTimestamp;
use crate::postgres::{PostgresStorage, distributed};
use crate::sql_connection::SqlConnection;

static FIND_ACCOUNT: LazyLock<String> =
    LazyLock::new(|| format!("SELECT u.family_id, {ACCOUNT_COLUMNS} FROM users u WHERE u.id = $1"));

static FIND_PROFILE: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {} FROM users u WHERE u.id = $1", columns::<Profile>("u")));

static UPDATE_PROFILE: LazyLock<String> = LazyLock::new(|| update_profile(""));

/// A separate statement, because the optional triggers count each statement that sets the time zone.
static UPDATE_PROFILE_AND_ZONE: LazyLock<String> = LazyLock::new(|| update_profile(", time_zone = $4"));

/// `zone` is the assignment of the time zone, if there is one.
fn update_profile(zone: &str) -> String {
    format!(
        "UPDATE users AS u SET updated_at = $3, personal_api_enabled = coalesce($2, personal_api_enabled){zone}
        WHERE u.id = $1
        RETURNING {}",
        columns::<Profile>("u")
    )
}

#[async_trait]
impl UserStorage for PostgresStorage {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        call(|| find_account(&self.database, user)).await
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        call(async || {
            let mut connection = self.database.lease().await?;
            let Some(profile) = find_profile(&mut connection, user).await? else {
                return Ok(None);
            };
            let membership =
                move_lease_and_find_membership(&self.database, connection, profile.family_id.clone()).await?;
            Ok(Some(with_membership(profile, membership)))
        })
        .await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        call(async || {
            let mut connection = self.database.lease_for(Shards::Several).await?;
            let mut transaction = connection.begin().await?;
            if self.database.is_distributed() {
                distributed::lock_member(&mut transaction, &user.user).await?;
            }
            let zone = change.time_zone().map(Zone::as_str);
            if zone.is_some() {
                // The new revision makes clients and nodes read again what depends on the zone.
                lock_family_of_user(&mut *transaction, &user.user).await?;
            }
            if !lock_session(&mut transaction, user, now).await? {
                return Ok(None);
            }
            if let Some(zone) = change.time_zone().filter(|_| self.database.is_distributed()) {
                distributed::increment_feed_sequences(&mut *transaction, &user.user, zone).await?;
            }
            let profile = if change.is_empty() {
                find_profile(&mut transaction, &user.user).await?
            } else {
                let sql = if zone.is_some() { &UPDATE_PROFILE_AND_ZONE } else { &UPDATE_PROFILE };
                let update = sqlx::query(sql.as_str())
                    .bind(user.user.as_str())
                    .bind(change.personal_api_enabled())
                    .bind(PgTimestamp(now));
                let update = if zone.is_some() { update.bind(zone) } else { update };
                let row = update.map(Row).fetch_optional(&mut *transaction).await.map_err(fault)?;
                row.map(|row| Profile::read(&mut Values::of(&row))).transpose()?
            };
            let Some(profile) = profile else {
                return Ok(None);
            };
            let membership = match &profile.family_id {
                Some(family) => find_membership(&mut transaction, family).await?,
                None => None,
            };
            if !change.is_empty() {
                transaction.commit().await.map_err(fault)?;
            }
            Ok(Some(with_membership(profile, membership)))
        })
        .await
    }
}

async fn find_account(database: &Database, user: &UserId) -> Result<Option<Account>, StorageError> {
    let mut connection = database.lease().await?;
    let row = sqlx::query(FIND_ACCOUNT.as_str()).bind(user.as_str()).map(Row).fetch_optional(&mut *connection).await;
    let Some(row) = row.map_err(fault)? else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    let membership = move_lease_and_find_membership(database, connection, values.take()?).await?;
    account::account(&mut values, membership)
}

async fn find_profile(connection: &mut PgConnection, user: &UserId) -> Result<Option<Profile>, StorageError> {
    let row = connection.find_row(&FIND_PROFILE, vec![Datum::of(user)]).await?;
    row.map(|row| Profile::read(&mut Values::of(&row))).transpose()
}

/// Returns a profile whose `family_id` is `None` if the family does not exist.
fn with_membership(profile: Profile, membership: Option<Membership>) -> Profile {
    Profile { family_id: membership.map(|membership| membership.family), ..profile }
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{FIND_ACCOUNT, FIND_PROFILE, UPDATE_PROFILE, UPDATE_PROFILE_AND_ZONE};
    use crate::postgres::membership::FIND_MEMBERSHIP;
    use crate::postgres::query_plans::assert_index_lookups;
    use crate::revoked_access::DISABLE_PERSONAL_API;

    postgres_tests! {
        async fn users_are_looked_up_by_id() {
            assert_index_lookups(&[
                &FIND_ACCOUNT,
                FIND_MEMBERSHIP,
                &FIND_PROFILE,
                &UPDATE_PROFILE,
                &UPDATE_PROFILE_AND_ZONE,
                DISABLE_PERSONAL_API,
            ]).await;
        }
    }
}
