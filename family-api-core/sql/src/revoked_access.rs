//! The end of all access of a user: the statements.

use family_api_core::Timestamp;
use family_api_core::id::UserId;
use family_api_core::key::RevokedAccess;
use family_api_core::storage::value::Datum;
use family_api_core::storage::{Selection, StorageError};

use crate::administration::{delete_feeds, revoke_grants, revoke_keys};
use crate::sql_connection::SqlConnection;

pub(crate) const DISABLE_PERSONAL_API: &str = "
    UPDATE users SET personal_api_enabled = FALSE, updated_at = $2 WHERE id = $1";

/// Switches the personal API of a user off, which locks the user. Returns whether the user exists.
pub(crate) async fn disable_personal_api(
    connection: &mut impl SqlConnection,
    user: &UserId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    Ok(connection.execute(DISABLE_PERSONAL_API, vec![Datum::of(user), Datum::of(&now)]).await? > 0)
}

/// Revokes the active keys and the live grants of a user, and deletes the current feeds. The caller has checked the
/// session and locked the user.
pub(crate) async fn revoke_credentials(
    connection: &mut impl SqlConnection,
    user: &UserId,
    now: Timestamp,
) -> Result<RevokedAccess, StorageError> {
    Ok(RevokedAccess {
        keys: revoke_keys(connection, Selection::User(user), now).await?,
        connections: revoke_grants(connection, Selection::User(user), now).await?,
        feeds: delete_feeds(connection, Selection::User(user), now).await?,
    })
}
