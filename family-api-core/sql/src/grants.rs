//! Grants: the statements of the protocol, and access tokens from the columns of a row.

use std::sync::{Arc, LazyLock};

use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::grant::Rotation;
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::{KeyDigest, KeyMode, ScopeSet};
use family_api_core::storage::value::{Datum, StoredRow, Value, Values};
use family_api_core::storage::{
    Account, ExchangedSecret, FoundAccessToken, GrantInsert, GrantLookup, GrantState, MAX_MISUSED_GRANTS, NewGrant,
    StorageError, StoredGrant, TokenIssue,
};
use family_api_core::{Surface, Timestamp, paths};

use crate::account::{ACCOUNT_COLUMNS, current_account};
use crate::sql_connection::SqlConnection;
use crate::token_batcher::{FoundToken, FoundTokens, TokenDigest};

const EXISTS: &str = "SELECT 1 FROM grants WHERE id = $1";

const COUNT_LIVE: &str = "
    SELECT count(*) FROM (
        SELECT 1 FROM grants
        WHERE user_id = $1 AND coalesce(revoked_at, expires_at) > $2 AND revoked_at IS NULL
        LIMIT $3
    ) AS live";

/// Finds the live grant of a client that was not used for the longest time.
const FIND_LEAST_USED: &str = "
    SELECT id FROM grants
    WHERE user_id = $1 AND coalesce(revoked_at, expires_at) > $2 AND revoked_at IS NULL AND client_id = $3
    ORDER BY coalesce(last_used_at, created_at), created_at, id
    LIMIT 1";

/// Inserts nothing if a concurrent call has inserted the same id.
const INSERT: &str = "
    INSERT INTO grants
        (id, user_id, client_id, client_name, client_host, redirect_uri, surface, scopes, challenge, code, created_at,
         expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (id) DO NOTHING";

const GRANT_COLUMNS: &str = "
    g.id, g.user_id, g.client_id, g.redirect_uri, g.surface, g.scopes, g.challenge, g.revoked_at, g.refresh_token,
    g.predecessor, g.rotation_nonce, g.rotated_at, g.access_scopes, g.access_expires_at, g.expires_at";

static FIND_BY_CODE: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {GRANT_COLUMNS} FROM grants g WHERE g.code = $1"));

static FIND_BY_LINEAGE: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {GRANT_COLUMNS} FROM grants g WHERE g.refresh_lineage = $1"));

static FIND_BY_ACCESS_TOKEN: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {GRANT_COLUMNS} FROM grants g WHERE g.access_token = $1"));

/// Replaces the tokens if the current refresh token is still `$2`. A concurrent call waits here for the other's commit
/// and then sees the new refresh token.
const ISSUE: &str = "
    UPDATE grants
    SET refresh_lineage = $4, refresh_token = $5, expires_at = $6, access_token = $7, access_scopes = $8,
        access_expires_at = $9, predecessor = $2, rotation_nonce = $10, rotated_at = $11
    WHERE id = $1 AND refresh_token IS NOT DISTINCT FROM $2 AND revoked_at IS NULL AND expires_at > $3";

/// The columns of [`listed_grant`], from `grants g`.
pub(crate) const LISTED_GRANT_COLUMNS: &str =
    "g.id, g.client_name, g.client_host, g.surface, g.scopes, g.created_at, g.last_used_at";

static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {LISTED_GRANT_COLUMNS} FROM grants g
        WHERE g.user_id = $1 AND coalesce(g.revoked_at, g.expires_at) > $2 AND g.revoked_at IS NULL
        ORDER BY g.created_at DESC, g.id DESC"
    )
});

const REVOKE: &str = "
    UPDATE grants SET revoked_at = $2, access_token = NULL
    WHERE id = $1 AND user_id = $3 AND revoked_at IS NULL AND expires_at > $2";

const LIST_MISUSED: &str = "
    SELECT g.id, g.client_name, g.client_host, g.revoked_at, g.misuse FROM grants g
    WHERE g.user_id = $1 AND coalesce(g.revoked_at, g.expires_at) > $2 AND g.misuse IS NOT NULL
    ORDER BY coalesce(g.revoked_at, g.expires_at) DESC, g.id DESC
    LIMIT $3";

const END: &str = "
    UPDATE grants SET revoked_at = $2, access_token = NULL, misuse = $3
    WHERE id = $1 AND revoked_at IS NULL AND expires_at > $2";

/// Forgets all but the last `$2` misuses of the grant's user. A grant without a misuse is deleted soon.
const FORGET_MISUSES: &str = "
    UPDATE grants SET misuse = NULL WHERE id IN (
        SELECT g.id FROM grants g
        WHERE g.user_id = (SELECT user_id FROM grants WHERE id = $1) AND g.misuse IS NOT NULL
        ORDER BY coalesce(g.revoked_at, g.expires_at) DESC, g.id DESC
        LIMIT 1000 OFFSET $2
    )";

const INSERT_SIGNING_KEY: &str = "
    INSERT INTO signing_keys (name, key) VALUES ('hmac', $1) ON CONFLICT (name) DO NOTHING";

const FIND_SIGNING_KEY: &str = "SELECT key FROM signing_keys WHERE name = 'hmac'";

/// Returns the statements that look up grants.
#[cfg(test)]
pub(crate) fn statements() -> Vec<&'static str> {
    vec![EXISTS, COUNT_LIVE, &FIND_BY_CODE, &FIND_BY_LINEAGE, &FIND_BY_ACCESS_TOKEN, ISSUE, REVOKE, END]
}

/// Returns the statements that sort the grants of a user.
#[cfg(test)]
pub(crate) fn sorting_statements() -> [&'static str; 2] {
    [&LIST, FIND_LEAST_USED]
}

/// Inserts a grant. The caller has locked the user's grants and checked the session.
pub(crate) async fn insert_grant(
    connection: &mut impl SqlConnection,
    new: &NewGrant,
    limit: u32,
) -> Result<GrantInsert, StorageError> {
    if connection.find_row(EXISTS, vec![Datum::of(&new.id)]).await?.is_some() {
        return Ok(GrantInsert::AlreadyUsed);
    }
    let (user, limit) = (&new.owner.user, i64::from(limit));
    let live = vec![Datum::of(user), Datum::of(&new.created_at), Datum::of(&limit)];
    let row = connection.find_row(COUNT_LIVE, live).await?;
    let live: i64 = row.map_or(Ok(0), |row| Values::of(&row).take())?;
    let mut replaced = None;
    if live >= limit {
        let of_client = vec![Datum::of(user), Datum::of(&new.created_at), Datum::Text(Some(new.client.id()))];
        let Some(row) = connection.find_row(FIND_LEAST_USED, of_client).await? else {
            return Ok(GrantInsert::LimitReached);
        };
        let least_used = Values::of(&row).take()?;
        // The grant may have ended in the meantime. Then there is room without it.
        replaced = end_grant(connection, &least_used, new.created_at, None).await?.then_some(least_used);
    }
    let arguments = vec![
        Datum::of(&new.id),
        Datum::of(user),
        Datum::Text(Some(new.client.id())),
        Datum::Text(new.client.name()),
        Datum::Text(Some(new.client.host())),
        Datum::of(&new.redirect_uri),
        Datum::of(&new.surface),
        Datum::of(&new.scopes),
        Datum::of(&new.challenge),
        Datum::of(&new.code),
        Datum::of(&new.created_at),
        Datum::of(&new.expires_at),
    ];
    let is_inserted = connection.execute(INSERT, arguments).await? > 0;
    Ok(if is_inserted { GrantInsert::Inserted { replaced } } else { GrantInsert::AlreadyUsed })
}

pub(crate) async fn find_grant(
    connection: &mut impl SqlConnection,
    by: GrantLookup<'_>,
) -> Result<Option<StoredGrant>, StorageError> {
    let (sql, digest) = match by {
        GrantLookup::Code(digest) => (FIND_BY_CODE.as_str(), digest),
        GrantLookup::Lineage(digest) => (FIND_BY_LINEAGE.as_str(), digest),
        GrantLookup::AccessToken(digest) => (FIND_BY_ACCESS_TOKEN.as_str(), digest),
    };
    let row = connection.find_row(sql, vec![Datum::of(digest)]).await?;
    row.map(|row| stored_grant(&mut Values::of(&row))).transpose()
}

fn stored_grant(values: &mut Values<'_, impl StoredRow>) -> Result<StoredGrant, StorageError> {
    Ok(StoredGrant {
        id: values.take()?,
        user: values.take()?,
        client_id: values.take()?,
        redirect_uri: values.take()?,
        surface: values.take()?,
        scopes: values.take()?,
        challenge: values.take()?,
        state: match (values.take::<Option<Timestamp>>()?, values.take::<Option<KeyDigest>>()?) {
            (Some(_), _) => GrantState::Revoked,
            (None, Some(refresh)) => GrantState::Issued { refresh },
            (None, None) => GrantState::Approved,
        },
        rotation: rotation(values)?,
        expires_at: values.take()?,
    })
}

/// Reads the five columns of the last rotation. They are `NULL` before the first one.
fn rotation(values: &mut Values<'_, impl StoredRow>) -> Result<Option<Rotation>, StorageError> {
    let predecessor = values.take::<Option<_>>()?;
    let nonce = values.take::<Option<_>>()?;
    let rotated_at = values.take::<Option<_>>()?;
    let scopes = values.take::<Option<_>>()?;
    let access_expires_at = values.take::<Option<_>>()?;
    let rotation = || {
        Some(Rotation {
            predecessor: predecessor?,
            nonce: nonce?,
            rotated_at: rotated_at?,
            scopes: scopes?,
            access_expires_at: access_expires_at?,
        })
    };
    Ok(rotation())
}

pub(crate) async fn issue_tokens(
    connection: &mut impl SqlConnection,
    issue: &TokenIssue,
) -> Result<bool, StorageError> {
    let (predecessor, nonce) = match &issue.exchanged {
        ExchangedSecret::Code => (None, None),
        ExchangedSecret::RefreshToken { digest, nonce } => (Some(digest), Some(nonce)),
    };
    let arguments = vec![
        Datum::of(&issue.grant),
        Value::datum(predecessor),
        Datum::of(&issue.now),
        Datum::of(&issue.lineage),
        Datum::of(&issue.refresh),
        Datum::of(&issue.refresh_expires_at),
        Datum::of(&issue.access),
        Datum::of(&issue.scopes),
        Datum::of(&issue.access_expires_at),
        Value::datum(nonce),
        Value::datum(nonce.map(|_| &issue.now)),
    ];
    Ok(connection.execute(ISSUE, arguments).await? > 0)
}

pub(crate) async fn list_grants(
    connection: &mut impl SqlConnection,
    user: &UserId,
    now: Timestamp,
) -> Result<Vec<Connection>, StorageError> {
    let rows = connection.find_rows(&LIST, vec![Datum::of(user), Datum::of(&now)]).await?;
    rows.iter().map(|row| listed_grant(&mut Values::of(row))).collect()
}

pub(crate) fn listed_grant(values: &mut Values<'_, impl StoredRow>) -> Result<Connection, StorageError> {
    let (id, client, host) = (values.take()?, values.take()?, values.take()?);
    let (surface, scopes): (Surface, ScopeSet) = (values.take()?, values.take()?);
    Ok(Connection {
        id,
        client,
        host,
        mode: KeyMode::from_scopes_on(surface, &scopes),
        scopes,
        resource: paths::mcp(surface).to_owned(),
        created_at: values.take()?,
        last_used_at: values.take()?,
    })
}

/// Revokes a live grant of a user. The caller has checked the session.
pub(crate) async fn revoke_grant(
    connection: &mut impl SqlConnection,
    user: &UserId,
    grant: &GrantId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    Ok(connection.execute(REVOKE, vec![Datum::of(grant), Datum::of(&now), Datum::of(user)]).await? > 0)
}

pub(crate) async fn end_grant(
    connection: &mut impl SqlConnection,
    grant: &GrantId,
    now: Timestamp,
    misuse: Option<Misuse>,
) -> Result<bool, StorageError> {
    let arguments = vec![Datum::of(grant), Datum::of(&now), Value::datum(misuse.as_ref())];
    let has_ended = connection.execute(END, arguments).await? > 0;
    if has_ended && misuse.is_some() {
        let kept = i64::from(MAX_MISUSED_GRANTS);
        connection.execute(FORGET_MISUSES, vec![Datum::of(grant), Datum::of(&kept)]).await?;
    }
    Ok(has_ended)
}

pub(crate) async fn list_misused_grants(
    connection: &mut impl SqlConnection,
    user: &UserId,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<MisusedConnection>, StorageError> {
    let limit = i64::from(limit);
    let arguments = vec![Datum::of(user), Datum::of(&since), Datum::of(&limit)];
    let misused = |row: &_| {
        let mut values = Values::of(row);
        Ok(MisusedConnection {
            id: values.take()?,
            client: values.take()?,
            host: values.take()?,
            ended_at: values.take()?,
            misuse: values.take()?,
        })
    };
    connection.find_rows(LIST_MISUSED, arguments).await?.iter().map(misused).collect()
}

/// Returns the signing key. If there is none, stores `fresh` first.
pub(crate) async fn signing_key(
    connection: &mut impl SqlConnection,
    fresh: [u8; 32],
) -> Result<[u8; 32], StorageError> {
    if let Some(key) = find_signing_key(connection).await? {
        return Ok(key);
    }
    connection.execute(INSERT_SIGNING_KEY, vec![Datum::Bytes(Some(&fresh))]).await?;
    let stored = find_signing_key(connection).await?;
    stored.ok_or_else(|| StorageError::backend("the signing key was not stored"))
}

async fn find_signing_key(connection: &mut impl SqlConnection) -> Result<Option<[u8; 32]>, StorageError> {
    let row = connection.find_row(FIND_SIGNING_KEY, Vec::new()).await?;
    let key = |row: &_| StoredRow::bytes(row, 0)?.unwrap_or_default().try_into().map_err(StorageError::corrupt);
    row.as_ref().map(key).transpose()
}

/// The columns of [`access_token`], from `grants g`.
pub(crate) const ACCESS_TOKEN_COLUMNS: &str =
    "g.id, g.user_id, g.surface, g.access_scopes, g.access_expires_at, g.last_used_at";

/// Returns the columns of [`found_access_tokens`] after the digest, from `grants g` joined with `users u` and
/// `families f`.
pub(crate) fn access_token_columns() -> String {
    format!("{ACCESS_TOKEN_COLUMNS}, f.id, f.revision, {ACCOUNT_COLUMNS}")
}

/// Returns an access token from its [`ACCESS_TOKEN_COLUMNS`]. `account` reads the columns that follow.
pub(crate) fn access_token<R: StoredRow>(
    values: &mut Values<'_, R>,
    account: impl FnOnce(&mut Values<'_, R>) -> Result<Option<Account>, StorageError>,
) -> Result<FoundAccessToken, StorageError> {
    Ok(FoundAccessToken {
        grant: values.take()?,
        user: values.take()?,
        surface: values.take()?,
        scopes: values.take()?,
        expires_at: values.take()?,
        last_used_at: values.take()?,
        account: account(values)?,
    })
}

/// Returns the access tokens of rows with a digest and the [`access_token_columns`].
pub(crate) fn found_access_tokens<'r, R: StoredRow + 'r>(
    rows: impl Iterator<Item = Values<'r, R>>,
) -> Result<FoundTokens, StorageError> {
    let tokens = rows.map(|mut values| {
        let digest = TokenDigest::Access(values.take()?);
        Ok((digest, access_token(&mut values, current_account).map(FoundToken::Access).map(Arc::new)))
    });
    tokens.collect()
}
