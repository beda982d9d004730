//! The API's users, from the app's table `person`.

use family_api_core::storage::{SignedIn, StorageError, UserStorage};
use family_api_core::{Timestamp, calendar::Zone, change::ProfileChange, id::UserId, resource::Profile};
use family_api_sql::sqlite::fault;
use salvo::async_trait;
use sqlx::SqliteExecutor;

use crate::storage::{Hearth, parse};

#[async_trait]
impl UserStorage for Hearth {
    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        load_profile(&self.readers, user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        if user.session.is_some() {
            return Ok(None);
        }
        let mut transaction = self.begin().await?;
        let query = sqlx::query(include_str!("../sql/update_person.sql")).bind(user.user.as_str());
        let query = query.bind(change.personal_api_enabled()).bind(now.as_millis());
        let query = query.bind(change.time_zone().map(Zone::as_str));
        query.execute(&mut *transaction).await.map_err(fault)?;
        let profile = load_profile(&mut *transaction, &user.user).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(profile)
    }
}

async fn load_profile(db: impl SqliteExecutor<'_>, user: &UserId) -> Result<Option<Profile>, StorageError> {
    let query = sqlx::query_scalar("SELECT record FROM profile_record WHERE person = ?1").bind(user.as_str());
    let record: Option<String> = query.fetch_optional(db).await.map_err(fault)?;
    record.as_deref().map(parse).transpose()
}
