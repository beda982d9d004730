//! The statements for sessions. SQLite and PostgreSQL execute the same text.

use family_api_core::Timestamp;
use family_api_core::id::UserId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::{Datum, Values};

use crate::sql_connection::SqlConnection;

pub(crate) const FIND_SESSION: &str = "SELECT user_id FROM sessions WHERE digest = $1 AND expires_at > $2";

pub(crate) const DELETE_SESSION: &str = "DELETE FROM sessions WHERE digest = $1";

pub(crate) const DELETE_SESSIONS_OF_USER: &str = "DELETE FROM sessions WHERE user_id = $1";

const DELETE_SESSIONS: &str = "DELETE FROM sessions";

/// Finds sessions that expired at `$1` or earlier, at most `$2`.
pub(crate) const FIND_EXPIRED: &str = "SELECT digest FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2";

/// Finds the sessions of the user `$1` that expire first, except the last `$3`, at most `$2`.
pub(crate) const FIND_SURPLUS: &str = "
    SELECT digest FROM sessions WHERE user_id = $1 ORDER BY expires_at DESC, digest DESC LIMIT $2 OFFSET $3";

/// Returns the user of a session that has not expired at `now`.
pub(crate) async fn find_session(
    connection: &mut impl SqlConnection,
    digest: &KeyDigest,
    now: Timestamp,
) -> Result<Option<UserId>, StorageError> {
    let row = connection.find_row(FIND_SESSION, vec![Datum::of(digest), Datum::of(&now)]).await?;
    row.map(|row| Values::of(&row).take()).transpose()
}

pub(crate) async fn delete_session(
    connection: &mut impl SqlConnection,
    digest: &KeyDigest,
) -> Result<bool, StorageError> {
    Ok(connection.execute(DELETE_SESSION, vec![Datum::of(digest)]).await? > 0)
}

/// Deletes the sessions of a user, or all. Returns their number.
pub(crate) async fn delete_sessions(
    connection: &mut impl SqlConnection,
    user: Option<&UserId>,
) -> Result<u64, StorageError> {
    match user {
        Some(user) => connection.execute(DELETE_SESSIONS_OF_USER, vec![Datum::of(user)]).await,
        None => connection.execute(DELETE_SESSIONS, Vec::new()).await,
    }
}
