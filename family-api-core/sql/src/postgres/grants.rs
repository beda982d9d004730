//! Grants and their tokens.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    FoundAccessToken, GrantInsert, GrantLookup, GrantRevocation, GrantStorage, NewGrant, SignedIn, StorageError,
    StoredGrant, TokenIssue,
};
use sqlx::PgConnection;

use crate::grants;
use crate::postgres::credentials::lock_session;
use crate::postgres::database::{Database, call};
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::timestamp::PgTimestamp;
use crate::postgres::{PostgresStorage, distributed};

/// Locks the grants of a user, and the keys of a user in another database, until the transaction ends. Concurrent
/// insertions of one user wait for each other here, so each counts the live grants or the active keys correctly. There
/// may be no row of the user to lock.
const LOCK_CREDENTIALS: &str = "SELECT pg_advisory_xact_lock(hashtextextended($1, 4839201673))";

const RECORD_USES: &str = "
    UPDATE grants SET last_used_at = $2
    WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < $2)";

/// Skips rows that another node is deleting. So two deletions never wait for each other and cannot deadlock.
const DELETE_ENDED: &str = "
    DELETE FROM grants WHERE id = ANY(ARRAY(
        SELECT id FROM grants
        WHERE coalesce(revoked_at, expires_at) <= $1 AND (misuse IS NULL OR coalesce(revoked_at, expires_at) <= $2)
        ORDER BY coalesce(revoked_at, expires_at)
        LIMIT $3
        FOR UPDATE SKIP LOCKED
    ))";

#[async_trait]
impl GrantStorage for PostgresStorage {
    async fn insert_grant(&self, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError> {
        call(|| insert(&self.database, new, limit)).await
    }

    async fn find_grant(&self, by: GrantLookup<'_>) -> Result<Option<StoredGrant>, StorageError> {
        call(async || grants::find_grant(&mut *self.database.lease().await?, by).await).await
    }

    async fn issue_tokens(&self, issue: &TokenIssue) -> Result<bool, StorageError> {
        call(async || grants::issue_tokens(&mut *self.database.lease_for(Shards::Several).await?, issue).await).await
    }

    async fn find_access_token(&self, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError> {
        call(|| self.token_lookup.find_access_token(&self.database, digest)).await
    }

    async fn list_grants(&self, user: &UserId, now: Timestamp) -> Result<Vec<Connection>, StorageError> {
        call(async || grants::list_grants(&mut *self.database.lease().await?, user, now).await).await
    }

    async fn revoke_grant(
        &self,
        user: &SignedIn,
        grant: &GrantId,
        now: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        call(|| revoke(&self.database, user, grant, now)).await
    }

    async fn end_grant(&self, grant: &GrantId, now: Timestamp, misuse: Option<Misuse>) -> Result<bool, StorageError> {
        call(|| end(&self.database, grant, now, misuse)).await
    }

    async fn list_misused_grants(
        &self,
        user: &UserId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<MisusedConnection>, StorageError> {
        call(async || grants::list_misused_grants(&mut *self.database.lease().await?, user, since, limit).await).await
    }

    async fn record_grant_uses(&self, grants: &[GrantId], at: Timestamp) -> Result<(), StorageError> {
        let ids: Vec<&str> = grants.iter().map(GrantId::as_str).collect();
        call(async || {
            let update = sqlx::query(RECORD_USES).bind(&ids).bind(PgTimestamp(at));
            update.execute(&mut *self.database.lease().await?).await.map_err(fault)?;
            Ok(())
        })
        .await
    }

    async fn delete_ended_grants(
        &self,
        until: Timestamp,
        misused_until: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError> {
        call(async || {
            let mut connection = self.database.lease().await?;
            if self.database.is_distributed() {
                return distributed::delete_ended_grants(&mut connection, until, misused_until, limit).await;
            }
            let deletion = sqlx::query(DELETE_ENDED)
                .bind(PgTimestamp(until))
                .bind(PgTimestamp(misused_until))
                .bind(i64::from(limit));
            Ok(deletion.execute(&mut *connection).await.map_err(fault)?.rows_affected())
        })
        .await
    }

    async fn signing_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StorageError> {
        call(async || grants::signing_key(&mut *self.database.lease().await?, fresh).await).await
    }
}

async fn insert(database: &Database, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    if !lock_session(&mut transaction, &new.owner, new.created_at).await? {
        return Ok(GrantInsert::NotSignedIn);
    }
    if database.is_distributed() {
        if distributed::lock_user(&mut transaction, &new.owner.user).await?.is_none() {
            return Ok(GrantInsert::NotSignedIn);
        }
    } else {
        lock_credentials(&mut transaction, &new.owner.user).await?;
    }
    let inserted = grants::insert_grant(&mut *transaction, new, limit).await?;
    if matches!(inserted, GrantInsert::Inserted { .. }) {
        transaction.commit().await.map_err(fault)?;
    }
    Ok(inserted)
}

pub(super) async fn lock_credentials(connection: &mut PgConnection, user: &UserId) -> Result<(), StorageError> {
    sqlx::query(LOCK_CREDENTIALS).bind(user.as_str()).execute(connection).await.map_err(fault)?;
    Ok(())
}

async fn revoke(
    database: &Database,
    user: &SignedIn,
    grant: &GrantId,
    now: Timestamp,
) -> Result<GrantRevocation, StorageError> {
    if database.is_distributed() {
        return distributed::revoke_grant(database, user, grant, now).await;
    }
    let mut connection = database.lease().await?;
    let mut transaction = connection.begin().await?;
    if !lock_session(&mut transaction, user, now).await? {
        return Ok(GrantRevocation::NotSignedIn);
    }
    let is_revoked = grants::revoke_grant(&mut *transaction, &user.user, grant, now).await?;
    transaction.commit().await.map_err(fault)?;
    Ok(if is_revoked { GrantRevocation::Revoked } else { GrantRevocation::NotFound })
}

async fn end(
    database: &Database,
    grant: &GrantId,
    now: Timestamp,
    misuse: Option<Misuse>,
) -> Result<bool, StorageError> {
    if database.is_distributed() {
        return distributed::end_grant(database, grant, now, misuse).await;
    }
    grants::end_grant(&mut *database.lease().await?, grant, now, misuse).await
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;
    use sqlx::Executor;

    use super::{DELETE_ENDED, RECORD_USES};
    use crate::grants::{sorting_statements as sorting_grant_statements, statements as grant_statements};
    use crate::postgres::query_plans::{assert_index_lookups, create_migrated_database, rows_read};
    use crate::postgres::token_sql::FIND_ACCESS_TOKENS;

    /// One user with one live grant and 299,999 ended grants, half of which were revoked.
    const SEED: &str = "
        INSERT INTO grants (id, user_id, client_id, client_host, redirect_uri, surface, scopes, challenge, code,
                            refresh_lineage, refresh_token, access_token, access_scopes, access_expires_at, created_at,
                            expires_at, revoked_at)
        SELECT 'grant-' || n, 'ana', 'c', 'h', 'r', 'v1', '{}', sha256('x'), sha256(('c' || n)::bytea),
               sha256(('l' || n)::bytea), sha256('r'), sha256(('a' || n)::bytea), '{}', '2026-01-01', '2026-01-01',
               timestamptz '2026-01-01' + n * interval '1 second',
               CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-01' + n * interval '1 second' END
        FROM generate_series(1, 300000) AS n;
        UPDATE grants SET expires_at = '2027-01-01', revoked_at = NULL WHERE id = 'grant-1'";

    postgres_tests! {
        async fn grants_are_looked_up_by_index() {
            assert_index_lookups(&grant_statements()).await;
            assert_index_lookups(&sorting_grant_statements()).await;
            assert_index_lookups(&[RECORD_USES]).await;
        }

        async fn ended_grants_do_not_increase_the_number_of_rows_read() {
            let database = create_migrated_database().await;
            let mut connection = database.connect().await;
            connection.execute(SEED).await.unwrap();
            let statements = grant_statements();
            let find = |part: &str| *statements.iter().find(|sql| sql.contains(part)).unwrap();
            let [list, find_least_used] = sorting_grant_statements();
            let code = "sha256('c7')";
            for analyze in ["SELECT 1", "ANALYZE grants"] {
                connection.execute(analyze).await.unwrap();
                connection.execute("BEGIN").await.unwrap();
                for (sql, values, max) in [
                    (find("count(*)"), "'ana', '2026-11-20', 50", 1),
                    (list, "'ana', '2026-11-20'", 1),
                    (find_least_used, "'ana', '2026-11-20', 'c'", 1),
                    (find("g.code = $1"), code, 1),
                    (find("g.refresh_lineage = $1"), "sha256('l7')", 1),
                    (find("g.access_token = $1"), "sha256('a7')", 1),
                    (&FIND_ACCESS_TOKENS, "ARRAY[sha256('a7')]", 1),
                    (find("user_id = $3"), "'grant-1', '2026-11-20', 'ana'", 1),
                    (RECORD_USES, "ARRAY['grant-2'], '2026-11-20'", 1),
                    (DELETE_ENDED, "'2025-01-01', '2025-01-01', 500", 0),
                    (DELETE_ENDED, "'2026-06-01', '2026-06-01', 500", 1_000),
                ] {
                    let rows = rows_read(&mut connection, sql, values).await;
                    // A bitmap scan reads each row twice: in the index and in the table.
                    assert!(rows <= f64::from(2 * max), "{rows} rows after {analyze}: {sql}");
                }
                connection.execute("ROLLBACK").await.unwrap();
            }
        }
    }
}
