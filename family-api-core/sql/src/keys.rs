//! The revocation of a key. SQLite and PostgreSQL execute the same text.

use family_api_core::Timestamp;
use family_api_core::id::{KeyId, UserId};
use family_api_core::storage::StorageError;
use family_api_core::storage::value::Datum;

use crate::sql_connection::SqlConnection;

pub(crate) const REVOKE_KEY: &str = "
    UPDATE integration_keys SET revoked_at = $3
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL";

/// Revokes a key of a user. The caller has checked the session.
pub(crate) async fn revoke_key(
    connection: &mut impl SqlConnection,
    user: &UserId,
    key: &KeyId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    Ok(connection.execute(REVOKE_KEY, vec![Datum::of(user), Datum::of(key), Datum::of(&now)]).await? > 0)
}
