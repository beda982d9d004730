//! Finds credentials, whose user and family can be on another server.

use std::sync::LazyLock;

use family_api_core::id::{FamilyId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{
    Account, Author, Credential, FoundAccessToken, FoundCredential, FoundKey, Member, PasswordHash, StorageError,
};
use sqlx::PgConnection;

use crate::account::{ACCOUNT_COLUMNS, found_key, owned_key_columns};
use crate::grants::{ACCESS_TOKEN_COLUMNS, access_token};
use crate::postgres::database::{Database, Lease};
use crate::postgres::leases::Shards;
use crate::postgres::membership::{member_account, move_lease_and_find_membership};
use crate::sql_connection::SqlConnection;

/// Does not join the family, which can be on another server.
static FIND_KEY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, u.family_id, {ACCOUNT_COLUMNS}
        FROM integration_keys k
        LEFT JOIN users u ON u.id = k.user_id
        WHERE k.digest = $1",
        owned_key_columns()
    )
});

static FIND_ACCESS_TOKEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {ACCESS_TOKEN_COLUMNS}, u.family_id, {ACCOUNT_COLUMNS}
        FROM grants g
        LEFT JOIN users u ON u.id = g.user_id
        WHERE g.access_token = $1"
    )
});

/// Locks the key. A revocation of the key waits until the transaction ends.
static LOCK_KEY: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {} FROM integration_keys k WHERE k.digest = $1 FOR SHARE", owned_key_columns()));

/// The subquery makes the engine execute the statement on the server of the family `$1`, whether or not the family
/// exists. A transaction that has locked the family sees the user as the last transaction with that lock has left them.
static FIND_ACCOUNT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT u.family_id, {ACCOUNT_COLUMNS}
        FROM (SELECT count(*) FROM families WHERE id = $1) AS f, users u
        WHERE u.id = $2"
    )
});

/// Finds a grant on the server of the family `$1`, as [`FIND_ACCOUNT`] finds a user.
static FIND_GRANT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {ACCESS_TOKEN_COLUMNS}, u.family_id, {ACCOUNT_COLUMNS}
        FROM (SELECT count(*) FROM families WHERE id = $1) AS f, grants g
        JOIN users u ON u.id = g.user_id
        WHERE g.access_token = $2"
    )
});

const FIND_USER: &str = "SELECT id FROM users WHERE email = $1";

const FIND_PASSWORD: &str = "SELECT phc FROM passwords WHERE user_id = $1";

/// Finds a key and its family with two statements, because the family can be on another server.
pub(crate) async fn find_key(database: &Database, key: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
    let mut connection = database.lease_for(Shards::OfToken(key)).await?;
    let Some(row) = connection.find_row(&FIND_KEY, vec![Datum::of(key)]).await? else {
        return Ok(None);
    };
    let mut found = found_key(&mut Values::of(&row), member_account)?;
    found.account = move_lease_and_find_family(database, connection, found.account).await?;
    Ok(Some(found))
}

/// Finds an access token and its family, as [`find_key`] does.
pub(crate) async fn find_access_token(
    database: &Database,
    token: &KeyDigest,
) -> Result<Option<FoundAccessToken>, StorageError> {
    let mut connection = database.lease().await?;
    let Some(row) = connection.find_row(&FIND_ACCESS_TOKEN, vec![Datum::of(token)]).await? else {
        return Ok(None);
    };
    let mut found = access_token(&mut Values::of(&row), member_account)?;
    found.account = move_lease_and_find_family(database, connection, found.account).await?;
    Ok(Some(found))
}

/// Returns the account with the current family of the user.
pub(super) async fn move_lease_and_find_family(
    database: &Database,
    connection: Lease,
    account: Option<Account>,
) -> Result<Option<Account>, StorageError> {
    let Some(account) = account else {
        return Ok(None);
    };
    let family = account.membership.map(|membership| membership.family);
    let membership = move_lease_and_find_membership(database, connection, family).await?;
    Ok(Some(Account { membership, ..account }))
}

/// Finds the credential of a change, in a transaction that has locked the family and the session. The credential does
/// not change before the end of the transaction.
pub(crate) async fn find_credential(
    connection: &mut PgConnection,
    author: &Author,
) -> Result<FoundCredential, StorageError> {
    let Member { family, user } = &author.member;
    Ok(match &author.credential {
        Credential::Grant(digest) => FoundCredential::Grant(find_grant(connection, family, digest).await?),
        Credential::External => FoundCredential::External(find_account(connection, family, user).await?),
        Credential::Key(digest) => FoundCredential::Key(lock_key(connection, family, digest).await?),
        Credential::Session(_) => FoundCredential::Session(find_account(connection, family, user).await?),
    })
}

pub(super) async fn find_account(
    connection: &mut PgConnection,
    family: &FamilyId,
    user: &UserId,
) -> Result<Option<Account>, StorageError> {
    let row = connection.find_row(&FIND_ACCOUNT, vec![Datum::of(family), Datum::of(user)]).await?;
    row.map_or(Ok(None), |row| member_account(&mut Values::of(&row)))
}

async fn find_grant(
    connection: &mut PgConnection,
    family: &FamilyId,
    token: &KeyDigest,
) -> Result<Option<FoundAccessToken>, StorageError> {
    let row = connection.find_row(&FIND_GRANT, vec![Datum::of(family), Datum::of(token)]).await?;
    row.map(|row| access_token(&mut Values::of(&row), member_account)).transpose()
}

async fn lock_key(
    connection: &mut PgConnection,
    family: &FamilyId,
    digest: &KeyDigest,
) -> Result<Option<FoundKey>, StorageError> {
    let Some(row) = connection.find_row(&LOCK_KEY, vec![Datum::of(digest)]).await? else {
        return Ok(None);
    };
    let found = found_key(&mut Values::of(&row), |_| Ok(None))?;
    Ok(Some(FoundKey { account: find_account(connection, family, &found.user).await?, ..found }))
}

/// Finds a user and the hash of their password with two statements, because the password can be on another server.
pub(crate) async fn find_password(
    database: &Database,
    email: &str,
) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
    let mut connection = database.lease().await?;
    let email = email.to_ascii_lowercase();
    let Some(row) = connection.find_row(FIND_USER, vec![Datum::Text(Some(&email))]).await? else {
        return Ok(None);
    };
    let user: UserId = Values::of(&row).take()?;
    let mut connection = database.move_lease_to(connection, Shards::OfPassword(&user)).await?;
    let row = connection.find_row(FIND_PASSWORD, vec![Datum::of(&user)]).await?;
    let hash = row.map(|row| Values::of(&row).take()).transpose()?.map(PasswordHash::new);
    Ok(Some((user, hash)))
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::*;
    use crate::postgres::query_plans::assert_index_lookups_if_distributed;

    postgres_tests! {
        async fn distributed_credentials_are_looked_up_by_index() {
            assert_index_lookups_if_distributed(&[
                &FIND_KEY,
                &FIND_ACCESS_TOKEN,
                &LOCK_KEY,
                &FIND_ACCOUNT,
                &FIND_GRANT,
                FIND_USER,
                FIND_PASSWORD,
            ])
            .await;
        }
    }
}
