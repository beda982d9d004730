//! The statements that look up keys and access tokens by digest.

use std::sync::LazyLock;

use crate::account::found_key_columns;
use crate::grants::access_token_columns;

pub(super) static FIND_KEYS: LazyLock<String> = LazyLock::new(|| {
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
