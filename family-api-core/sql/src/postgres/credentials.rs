//! Storage of passwords and sessions.

use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::id::UserId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::value::Values;
use family_api_core::storage::{
    Account, Author, Credential, CredentialStorage, FoundAccessToken, FoundCredential, FoundKey, Member, PasswordHash,
    Session, SignedIn, StorageError,
};
use sqlx::PgConnection;

use crate::account::{ACCOUNT_COLUMNS, found_key, owned_key_columns};
use crate::grants::{ACCESS_TOKEN_COLUMNS, access_token};
use crate::password::find_password;
use crate::postgres::database::{Database, call};
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::membership::member_account;
use crate::postgres::purge_digests::{Deletion, deletion, purge};
use crate::postgres::row::Row;
use crate::postgres::timestamp::PgTimestamp;
use crate::postgres::{PostgresStorage, distributed};
use crate::sessions::{self, FIND_EXPIRED, FIND_SURPLUS};

/// Locks the id of the user. The deletion of the user waits until the transaction ends.
const LOCK_USER: &str = "SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE";

const UPDATE_PASSWORD: &str = "
    INSERT INTO passwords (user_id, phc) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET phc = excluded.phc";

/// Locks the password if its hash is still `$2`. A later change of the password waits for this transaction, and then
/// deletes the new session. If the password was changed earlier, the statement returns no row.
const LOCK_PASSWORD: &str = "SELECT 1 FROM passwords WHERE user_id = $1 AND phc = $2 FOR SHARE";

const INSERT_SESSION: &str = "
    INSERT INTO sessions (digest, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)";

/// Locks the session. Statements that delete the session (logout, new password, purge) wait until the transaction ends.
const LOCK_SESSION: &str = "SELECT 1 FROM sessions WHERE digest = $1 AND user_id = $2 AND expires_at > $3 FOR SHARE";

/// Locks the user. A change of the user waits until the transaction ends.
static LOCK_ACCOUNT: LazyLock<String> =
    LazyLock::new(|| format!("SELECT u.family_id, {ACCOUNT_COLUMNS} FROM users u WHERE u.id = $1 FOR SHARE"));

/// Locks the owner and then the key. A revocation of the key and a change of the owner wait until the transaction ends.
///
/// The order is that of the revocation of all access, which locks the owner first. So the two cannot deadlock.
static LOCK_KEY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, u.family_id, {ACCOUNT_COLUMNS}
        FROM integration_keys k
        JOIN users u ON u.id = k.user_id
        WHERE k.digest = $1
        FOR SHARE OF u, k",
        owned_key_columns()
    )
});

/// Locks the user and then the grant, as [`LOCK_KEY`] does.
static LOCK_ACCESS_TOKEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {ACCESS_TOKEN_COLUMNS}, u.family_id, {ACCOUNT_COLUMNS}
        FROM grants g
        JOIN users u ON u.id = g.user_id
        WHERE g.access_token = $1
        FOR SHARE OF u, g"
    )
});

const DELETE: Deletion = deletion!("sessions", "expires_at");

#[async_trait]
impl CredentialStorage for PostgresStorage {
    async fn find_password(&self, email: &str) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
        if !is_storable(email) {
            return Ok(None);
        }
        call(async || {
            if self.database.is_distributed() {
                return distributed::find_password(&self.database, email).await;
            }
            find_password(&mut *self.database.lease().await?, email).await
        })
        .await
    }

    async fn update_password(&self, user: &UserId, password: &PasswordHash) -> Result<bool, StorageError> {
        call(|| update_password(&self.database, user, password)).await
    }

    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError> {
        call(|| insert_session(&self.database, session, verified)).await
    }

    async fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Result<Option<UserId>, StorageError> {
        call(async || {
            let mut connection = self.database.lease_for(Shards::OfToken(digest)).await?;
            sessions::find_session(&mut *connection, digest, now).await
        })
        .await
    }

    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError> {
        call(async || {
            let mut connection = self.database.lease_for(Shards::OfToken(digest)).await?;
            sessions::delete_session(&mut *connection, digest).await
        })
        .await
    }

    async fn delete_expired_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        call(async || {
            let expired = sqlx::query_scalar(FIND_EXPIRED).bind(PgTimestamp(now)).bind(i64::from(limit));
            purge(&self.database, expired, &DELETE, now).await
        })
        .await
    }

    async fn delete_surplus_sessions(&self, user: &UserId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        call(async || {
            let surplus = sqlx::query_scalar(FIND_SURPLUS).bind(user.as_str());
            purge(&self.database, surplus.bind(i64::from(limit)).bind(i64::from(keep)), &DELETE, Timestamp::MAX).await
        })
        .await
    }
}

/// Finds the credential of a change, and locks it until the change's transaction ends.
pub(super) async fn lock_credential(
    database: &Database,
    connection: &mut PgConnection,
    author: &Author,
    now: Timestamp,
) -> Result<FoundCredential, StorageError> {
    let Author { member: Member { user, .. }, credential } = author;
    if let Credential::Session(session) = credential {
        let signed_in = SignedIn { user: user.clone(), session: *session };
        if !lock_session(connection, &signed_in, now).await? {
            return Ok(FoundCredential::Session(None));
        }
    }
    if database.is_distributed() {
        return distributed::find_credential(connection, author).await;
    }
    Ok(match credential {
        Credential::Grant(digest) => FoundCredential::Grant(lock_access_token(connection, digest).await?),
        Credential::External => FoundCredential::External(lock_account(connection, user).await?),
        Credential::Key(digest) => FoundCredential::Key(lock_key(connection, digest).await?),
        Credential::Session(_) => FoundCredential::Session(lock_account(connection, user).await?),
    })
}

/// Locks the session of a signed-in user, and returns whether the session is valid. A session that the host app manages
/// is always valid.
pub(super) async fn lock_session(
    connection: &mut PgConnection,
    SignedIn { user, session }: &SignedIn,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Some(digest) = session else {
        return Ok(true);
    };
    let query = sqlx::query(LOCK_SESSION).bind(&digest.as_bytes()[..]).bind(user.as_str()).bind(PgTimestamp(now));
    Ok(query.fetch_optional(connection).await.map_err(fault)?.is_some())
}

/// Locks and returns the account of a user.
pub(super) async fn lock_account(
    connection: &mut PgConnection,
    user: &UserId,
) -> Result<Option<Account>, StorageError> {
    let row = sqlx::query(LOCK_ACCOUNT.as_str())
        .bind(user.as_str())
        .map(Row)
        .fetch_optional(connection)
        .await
        .map_err(fault)?;
    row.map_or(Ok(None), |row| member_account(&mut Values::of(&row)))
}

/// Locks and returns the key that authorizes a change. Returns `None` if the key or its user does not exist.
async fn lock_key(connection: &mut PgConnection, key: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
    let row = sqlx::query(LOCK_KEY.as_str())
        .bind(&key.as_bytes()[..])
        .map(Row)
        .fetch_optional(connection)
        .await
        .map_err(fault)?;
    row.map(|row| found_key(&mut Values::of(&row), member_account)).transpose()
}

/// Locks and returns the access token that authorizes a change. Returns `None` if the token or its user does not exist.
async fn lock_access_token(
    connection: &mut PgConnection,
    token: &KeyDigest,
) -> Result<Option<FoundAccessToken>, StorageError> {
    let query = sqlx::query(LOCK_ACCESS_TOKEN.as_str()).bind(&token.as_bytes()[..]);
    let row = query.map(Row).fetch_optional(connection).await.map_err(fault)?;
    row.map(|row| access_token(&mut Values::of(&row), member_account)).transpose()
}

/// Returns whether PostgreSQL can store this e-mail address. PostgreSQL rejects U+0000 in text, so no user has an
/// address with this character.
fn is_storable(email: &str) -> bool {
    !email.contains('\0')
}

async fn update_password(database: &Database, user: &UserId, password: &PasswordHash) -> Result<bool, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    let is_locked = if database.is_distributed() {
        distributed::lock_user(&mut transaction, user).await?.is_some()
    } else {
        let lock = sqlx::query(LOCK_USER).bind(user.as_str());
        lock.fetch_optional(&mut *transaction).await.map_err(fault)?.is_some()
    };
    if !is_locked {
        return Ok(false);
    }
    let update = sqlx::query(UPDATE_PASSWORD).bind(user.as_str()).bind(password.expose());
    update.execute(&mut *transaction).await.map_err(fault)?;
    sessions::delete_sessions(&mut *transaction, Some(user)).await?;
    transaction.commit().await.map_err(fault)?;
    if database.is_distributed() {
        // Deletes the sessions whose commit had ended on the server of the password, but not on theirs.
        sessions::delete_sessions(&mut *connection, Some(user)).await?;
    }
    Ok(true)
}

async fn insert_session(database: &Database, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError> {
    // The shard of the password has just been read, so its server responds.
    let mut connection = database.lease_for(Shards::OfToken(&session.digest)).await?;
    let mut transaction = connection.begin().await?;
    if !lock_password(&mut transaction, &session.user, verified).await? {
        return Ok(false);
    }
    let insertion = sqlx::query(INSERT_SESSION)
        .bind(&session.digest.as_bytes()[..])
        .bind(session.user.as_str())
        .bind(PgTimestamp(session.created_at))
        .bind(PgTimestamp(session.expires_at));
    insertion.execute(&mut *transaction).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    // A concurrent change of the password does not see the session until the commit has ended on its server.
    if database.is_distributed() && !lock_password(&mut connection, &session.user, verified).await? {
        sessions::delete_session(&mut *connection, &session.digest).await?;
        return Ok(false);
    }
    Ok(true)
}

/// Locks the password, and returns whether its hash is still `verified`.
async fn lock_password(
    connection: &mut PgConnection,
    user: &UserId,
    verified: &PasswordHash,
) -> Result<bool, StorageError> {
    let query = sqlx::query(LOCK_PASSWORD).bind(user.as_str()).bind(verified.expose());
    Ok(query.fetch_optional(connection).await.map_err(fault)?.is_some())
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{
        DELETE, FIND_SURPLUS, LOCK_ACCESS_TOKEN, LOCK_ACCOUNT, LOCK_KEY, LOCK_PASSWORD, LOCK_SESSION, LOCK_USER,
    };
    use crate::password::FIND_PASSWORD;
    use crate::postgres::query_plans::assert_index_lookups;
    use crate::sessions::{DELETE_SESSION, DELETE_SESSIONS_OF_USER, FIND_SESSION};

    postgres_tests! {
        async fn passwords_and_sessions_are_looked_up_by_index() {
            assert_index_lookups(&[
                DELETE.skipping_locked,
                DELETE.by_digest,
                DELETE_SESSION,
                DELETE_SESSIONS_OF_USER,
                FIND_PASSWORD,
                FIND_SESSION,
                FIND_SURPLUS,
                &LOCK_ACCOUNT,
                &LOCK_ACCESS_TOKEN,
                &LOCK_KEY,
                LOCK_PASSWORD,
                LOCK_SESSION,
                LOCK_USER,
            ])
            .await;
        }
    }
}
