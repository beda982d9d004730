//! The statements that look up keys and access tokens by digest.

use std::sync::LazyLock;

use crate::account::{ACCOUNT_COLUMNS, found_key_columns, key_columns};
use crate::grants::{ACCESS_TOKEN_COLUMNS, access_token_columns};

pub(super) static FIND: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT k.digest, {}
        FROM integration_keys k
        LEFT JOIN users u ON u.id = k.user_id
        LEFT JOIN families f ON f.id = u.family_id
        WHERE k.digest = ANY($1)",
        found_key_columns()
    )
});

pub(super) static FIND_ACCESS_TOKENS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT g.access_token, {}
        FROM grants g
        LEFT JOIN users u ON u.id = g.user_id
        LEFT JOIN families f ON f.id = u.family_id
        WHERE g.access_token = ANY($1)",
        access_token_columns()
    )
});

/// Locks the owner and then the key. A revocation of the key and a change of the owner wait until the transaction ends.
///
/// The order is that of the revocation of all access, which locks the owner first. So the two cannot deadlock.
pub(super) static LOCK: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT k.revoked_at, {}, u.family_id, {ACCOUNT_COLUMNS}
        FROM integration_keys k
        JOIN users u ON u.id = k.user_id
        WHERE k.digest = $1
        FOR SHARE OF u, k",
        key_columns()
    )
});

/// Locks the user and then the grant, as [`LOCK`] does.
pub(super) static LOCK_ACCESS_TOKEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {ACCESS_TOKEN_COLUMNS}, u.family_id, {ACCOUNT_COLUMNS}
        FROM grants g
        JOIN users u ON u.id = g.user_id
        WHERE g.access_token = $1
        FOR SHARE OF u, g"
    )
});
