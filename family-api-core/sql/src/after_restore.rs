//! The statements after a restore.

use family_api_core::Timestamp;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::Datum;

use crate::sessions::delete_sessions;
use crate::sql_connection::SqlConnection;

const MOVE_REVISIONS: &str = "UPDATE families SET revision = revision + $1";

const REVOKE_KEYS: &str = "UPDATE integration_keys SET revoked_at = $1 WHERE revoked_at IS NULL";

const DELETE_GRANTS: &str = "DELETE FROM grants";

const DELETE_FEEDS: &str = "DELETE FROM calendar_feeds";

/// The next call of [`signing_key`](family_api_core::storage::GrantStorage::signing_key) stores a new one.
const DELETE_SIGNING_KEY: &str = "DELETE FROM signing_keys";

/// Executes the statements, in a transaction of the caller. The families come first, as in a change of a record, so
/// that the two transactions cannot deadlock.
pub(crate) async fn invalidate_credentials(
    transaction: &mut impl SqlConnection,
    now: Timestamp,
) -> Result<(), StorageError> {
    let microseconds = now.as_millis().saturating_mul(1_000);
    transaction.execute(MOVE_REVISIONS, vec![Datum::Integer(Some(microseconds))]).await?;
    transaction.execute(REVOKE_KEYS, vec![Datum::Instant(Some(now))]).await?;
    delete_sessions(transaction, None).await?;
    transaction.execute(DELETE_GRANTS, Vec::new()).await?;
    transaction.execute(DELETE_FEEDS, Vec::new()).await?;
    transaction.execute(DELETE_SIGNING_KEY, Vec::new()).await?;
    Ok(())
}
