//! Storage of passwords and sessions.

use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::id::UserId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::value::Values;
use family_api_core::storage::{Account, CredentialStorage, PasswordHash, Session, SignedIn, StorageError};
use sqlx::SqliteConnection;

use crate::account::{ACCOUNT_COLUMNS, current_account};
use crate::password::find_password;
use crate::sessions::{self, FIND_EXPIRED, FIND_SURPLUS};
use crate::sqlite::SqliteStorage;
use crate::sqlite::database::in_transaction;
use crate::sqlite::error::fault;
use crate::sqlite::purge_digests::purge;
use crate::sqlite::row::Row;

const UPDATE_PASSWORD: &str = "
    INSERT INTO passwords (user_id, phc)
    SELECT id, ?2 FROM users WHERE id = ?1
    ON CONFLICT (user_id) DO UPDATE SET phc = excluded.phc";

/// Inserts a session only if the password hash is still `?5`.
const INSERT_SESSION: &str = "
    INSERT INTO sessions (digest, user_id, created_at, expires_at)
    SELECT ?1, user_id, ?3, ?4 FROM passwords WHERE user_id = ?2 AND phc = ?5";

/// Returns the account `?1` if its user owns the session `?2` and the session has not expired at `?3`. `?2` is `NULL`
/// if the host app manages the sessions.
static FIND_SIGNED_IN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT f.id, f.revision, {ACCOUNT_COLUMNS}
        FROM users u
        LEFT JOIN families f ON f.id = u.family_id
        WHERE u.id = ?1
          AND (?2 IS NULL OR EXISTS (
              SELECT 1 FROM sessions s WHERE s.digest = ?2 AND s.user_id = ?1 AND s.expires_at > ?3
          ))"
    )
});

const DELETE: &str = "
    DELETE FROM sessions WHERE digest IN (SELECT unhex(value) FROM json_each(?1)) AND expires_at <= ?2";

#[async_trait]
impl CredentialStorage for SqliteStorage {
    async fn find_password(&self, email: &str) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
        find_password(&mut *self.database.readers().acquire().await.map_err(fault)?, email).await
    }

    async fn update_password(&self, user: &UserId, password: &PasswordHash) -> Result<bool, StorageError> {
        let mut transaction = self.database.begin_for(user).await?;
        let update = sqlx::query(UPDATE_PASSWORD).bind(user.as_str()).bind(password.expose());
        let done = update.execute(&mut *transaction).await.map_err(fault)?;
        sessions::delete_sessions(&mut *transaction, Some(user)).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(done.rows_affected() > 0)
    }

    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError> {
        let mut transaction = self.database.begin_for(&session.user).await?;
        let insertion = sqlx::query(INSERT_SESSION)
            .bind(&session.digest.as_bytes()[..])
            .bind(session.user.as_str())
            .bind(session.created_at.to_string())
            .bind(session.expires_at.to_string())
            .bind(verified.expose());
        let done = insertion.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(done.rows_affected() > 0)
    }

    async fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Result<Option<UserId>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        sessions::find_session(&mut *reader, digest, now).await
    }

    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError> {
        in_transaction!(self, |transaction| sessions::delete_session(&mut *transaction, digest).await?)
    }

    async fn delete_expired_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let expired = sqlx::query_scalar(FIND_EXPIRED).bind(now.to_string()).bind(limit);
        purge(&self.database, expired, DELETE, now).await
    }

    async fn delete_surplus_sessions(&self, user: &UserId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let surplus = sqlx::query_scalar(FIND_SURPLUS).bind(user.as_str()).bind(limit).bind(keep);
        purge(&self.database, surplus, DELETE, Timestamp::MAX).await
    }
}

/// Returns the account of a signed-in user, or `None` if the session has ended or the user does not exist.
pub(super) async fn find_signed_in(
    connection: &mut SqliteConnection,
    SignedIn { user, session }: &SignedIn,
    now: Timestamp,
) -> Result<Option<Account>, StorageError> {
    let query = sqlx::query(FIND_SIGNED_IN.as_str())
        .bind(user.as_str())
        .bind(session.as_ref().map(|digest| &digest.as_bytes()[..]))
        .bind(now.to_string());
    let row = query.map(Row).fetch_optional(connection).await.map_err(fault)?;
    row.map_or(Ok(None), |row| current_account(&mut Values::of(&row)))
}

/// Returns whether a session is valid. A session that the host app manages is always valid, and its user need not be in
/// this database.
pub(super) async fn has_session(
    connection: &mut SqliteConnection,
    signed_in: &SignedIn,
    now: Timestamp,
) -> Result<bool, StorageError> {
    Ok(signed_in.session.is_none() || find_signed_in(connection, signed_in, now).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::{DELETE, FIND_EXPIRED, FIND_SIGNED_IN, FIND_SURPLUS, INSERT_SESSION, UPDATE_PASSWORD};
    use crate::password::FIND_PASSWORD;
    use crate::sessions::{DELETE_SESSION, DELETE_SESSIONS_OF_USER, FIND_SESSION};
    use crate::sqlite::query_plans::{assert_index_lookups, assert_plan};

    #[tokio::test]
    async fn passwords_and_sessions_are_looked_up_by_index() {
        assert_index_lookups(&[
            DELETE,
            DELETE_SESSION,
            DELETE_SESSIONS_OF_USER,
            FIND_PASSWORD,
            FIND_SESSION,
            &FIND_SIGNED_IN,
            FIND_SURPLUS,
            INSERT_SESSION,
            UPDATE_PASSWORD,
        ])
        .await;
    }

    #[tokio::test]
    async fn expired_sessions_are_looked_up_by_expiry() {
        assert_plan(FIND_EXPIRED, &["(expires_at<?)"]).await;
    }
}
