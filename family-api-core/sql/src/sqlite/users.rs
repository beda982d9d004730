//! Storage of users.

use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::resource::Profile;
use family_api_core::storage::value::{StoredFields, Values};
use family_api_core::storage::{Account, SignedIn, StorageError, UserStorage};
use sqlx::SqliteExecutor;

use crate::account::{ACCOUNT_COLUMNS, current_account};
use crate::columns::columns;
use crate::sqlite::SqliteStorage;
use crate::sqlite::credentials::find_signed_in;
use crate::sqlite::error::fault;
use crate::sqlite::row::Row;

static FIND_ACCOUNT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT f.id, f.revision, {ACCOUNT_COLUMNS}
        FROM users u
        LEFT JOIN families f ON f.id = u.family_id
        WHERE u.id = ?1"
    )
});

static FIND_PROFILE: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {}, {FAMILY} FROM users WHERE id = ?1", columns::<Profile>("users")));

static UPDATE_PROFILE: LazyLock<String> = LazyLock::new(|| update_profile(""));

/// Also sets the time zone, whose trigger increments the revision of the family.
static UPDATE_PROFILE_AND_ZONE: LazyLock<String> = LazyLock::new(|| update_profile(", time_zone = ?4"));

/// `zone` is the assignment of the time zone, if there is one.
fn update_profile(zone: &str) -> String {
    format!(
        "UPDATE users SET updated_at = ?3, personal_api_enabled = coalesce(?2, personal_api_enabled){zone}
        WHERE id = ?1
        RETURNING {}, {FAMILY}",
        columns::<Profile>("users")
    )
}

/// The family of the user, or `NULL` if the family does not exist.
const FAMILY: &str = "(SELECT f.id FROM families f WHERE f.id = users.family_id)";

#[async_trait]
impl UserStorage for SqliteStorage {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        let row = sqlx::query(FIND_ACCOUNT.as_str())
            .bind(user.as_str())
            .map(Row)
            .fetch_optional(self.database.readers())
            .await;
        row.map_err(fault)?.map_or(Ok(None), |row| current_account(&mut Values::of(&row)))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        find_profile(self.database.readers(), user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        if change.is_empty() {
            let mut reader = self.database.readers().acquire().await.map_err(fault)?;
            let signed_in = find_signed_in(&mut reader, user, now).await?;
            return if signed_in.is_some() { find_profile(&mut *reader, &user.user).await } else { Ok(None) };
        }
        let mut transaction = self.database.begin_for(&user.user).await?;
        if find_signed_in(&mut transaction, user, now).await?.is_none() {
            return Ok(None);
        }
        let zone = change.time_zone().map(Zone::as_str);
        let sql = if zone.is_some() { &UPDATE_PROFILE_AND_ZONE } else { &UPDATE_PROFILE };
        let update = sqlx::query(sql.as_str())
            .bind(user.user.as_str())
            .bind(change.personal_api_enabled())
            .bind(now.to_string());
        let update = if zone.is_some() { update.bind(zone) } else { update };
        let row = update.map(Row).fetch_optional(&mut *transaction).await.map_err(fault)?;
        let profile = row.map(|row| profile(&row)).transpose()?;
        transaction.commit().await.map_err(fault)?;
        Ok(profile)
    }
}

async fn find_profile(connection: impl SqliteExecutor<'_>, user: &UserId) -> Result<Option<Profile>, StorageError> {
    let row = sqlx::query(FIND_PROFILE.as_str())
        .bind(user.as_str())
        .map(Row)
        .fetch_optional(connection)
        .await
        .map_err(fault)?;
    row.map(|row| profile(&row)).transpose()
}

fn profile(row: &Row) -> Result<Profile, StorageError> {
    let mut values = Values::of(row);
    let profile = Profile::read(&mut values)?;
    Ok(Profile { family_id: values.take()?, ..profile })
}

#[cfg(test)]
mod tests {
    use super::{FIND_ACCOUNT, FIND_PROFILE, UPDATE_PROFILE, UPDATE_PROFILE_AND_ZONE};
    use crate::revoked_access::DISABLE_PERSONAL_API;
    use crate::sqlite::query_plans::assert_index_lookups;

    #[tokio::test]
    async fn users_are_looked_up_by_id() {
        assert_index_lookups(&[
            &FIND_ACCOUNT,
            &FIND_PROFILE,
            &UPDATE_PROFILE,
            &UPDATE_PROFILE_AND_ZONE,
            DISABLE_PERSONAL_API,
        ])
        .await;
    }
}
