//! Passwords and sessions.

use async_trait::async_trait;

use crate::Timestamp;
use crate::id::UserId;
use crate::key::KeyDigest;
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::{SqliteStorage, rows};
use crate::storage::{Credentials, PasswordHash, Session, StorageError};

const FIND_PASSWORD: &str = "
    SELECT u.id AS user_id, p.phc
    FROM users u
    LEFT JOIN passwords p ON p.user_id = u.id
    WHERE u.email = ?1";

const UPDATE_PASSWORD: &str = "
    INSERT INTO passwords (user_id, phc)
    SELECT id, ?2 FROM users WHERE email = ?1
    ON CONFLICT (user_id) DO UPDATE SET phc = excluded.phc";

const END_SESSIONS: &str = "DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?1)";

/// Nobody can use them any more, and nothing else takes them away.
const DELETE_EXPIRED: &str = "DELETE FROM sessions WHERE user_id = ?1 AND expires_at <= ?2";

/// The password's condition is the statement's own.
const INSERT_SESSION: &str = "
    INSERT INTO sessions (digest, user_id, created_at, expires_at)
    SELECT ?1, user_id, ?3, ?4 FROM passwords WHERE user_id = ?2 AND phc = ?5";

const FIND_SESSION: &str = "SELECT user_id FROM sessions WHERE digest = ?1 AND expires_at > ?2";

const DELETE_SESSION: &str = "DELETE FROM sessions WHERE digest = ?1";

#[async_trait]
impl Credentials for SqliteStorage {
    async fn find_password(&self, email: &str) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
        let row = sqlx::query(FIND_PASSWORD).bind(email).fetch_optional(self.connections.readers()).await;
        let Some(row) = row.map_err(fault)? else {
            return Ok(None);
        };
        let phc: Option<String> = rows::get_nullable(&row, "phc")?;
        Ok(Some((rows::parse(&row, "user_id")?, phc.map(PasswordHash::new))))
    }

    async fn update_password(&self, email: &str, password: &PasswordHash) -> Result<bool, StorageError> {
        let mut transaction = self.connections.begin().await?;
        let update = sqlx::query(UPDATE_PASSWORD).bind(email).bind(password.expose());
        let done = update.execute(&mut *transaction).await.map_err(fault)?;
        sqlx::query(END_SESSIONS).bind(email).execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(done.rows_affected() > 0)
    }

    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError> {
        let mut transaction = self.connections.begin().await?;
        let cleaning = sqlx::query(DELETE_EXPIRED).bind(session.user.as_str()).bind(session.created_at.to_string());
        cleaning.execute(&mut *transaction).await.map_err(fault)?;
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
        let query = sqlx::query(FIND_SESSION).bind(&digest.as_bytes()[..]).bind(now.to_string());
        let row = query.fetch_optional(self.connections.readers()).await.map_err(fault)?;
        row.map(|row| rows::parse(&row, "user_id")).transpose()
    }

    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError> {
        let mut transaction = self.connections.begin().await?;
        let deletion = sqlx::query(DELETE_SESSION).bind(&digest.as_bytes()[..]);
        let done = deletion.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(done.rows_affected() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        DELETE_EXPIRED, DELETE_SESSION, END_SESSIONS, FIND_PASSWORD, FIND_SESSION, INSERT_SESSION, UPDATE_PASSWORD,
    };
    use crate::storage::sqlite::plans::assert_looked_up;

    #[tokio::test]
    async fn nobody_who_signs_in_is_looked_for_among_all() {
        assert_looked_up(&[
            DELETE_EXPIRED,
            DELETE_SESSION,
            END_SESSIONS,
            FIND_PASSWORD,
            FIND_SESSION,
            INSERT_SESSION,
            UPDATE_PASSWORD,
        ])
        .await;
    }
}
