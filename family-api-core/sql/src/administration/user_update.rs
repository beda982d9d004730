//! The change of a user: the statements.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::id::UserId;
use family_api_core::storage::value::Datum;
use family_api_core::storage::{StorageError, UserChange, UserUpdate};

use crate::administration::users::lock_family_of_user;
use crate::sql_connection::SqlConnection;

pub(super) const FIND_OTHER_USER: &str = "SELECT id FROM users WHERE email = $1 AND id <> $2";

pub(super) const UPDATE_USER: &str = "
    UPDATE users SET name = coalesce($2, name), email = coalesce($3, email), time_zone = coalesce($4, time_zone),
        updated_at = $5
    WHERE id = $1";

/// Changes a user in a transaction of the caller, which commits it only if the user was changed.
///
/// The new revision of the family makes clients and nodes read the members again. If two transactions of PostgreSQL set
/// the same address, the unique index refuses the second.
pub(crate) async fn update_user(
    connection: &mut impl SqlConnection,
    user: &UserId,
    change: &UserChange,
    now: Timestamp,
) -> Result<UserUpdate, StorageError> {
    lock_family_of_user(connection, user).await?;
    let email = change.email.as_deref().map(str::to_ascii_lowercase);
    if let Some(email) = &email
        && connection.find_row(FIND_OTHER_USER, vec![Datum::Text(Some(email)), Datum::of(user)]).await?.is_some()
    {
        return Ok(UserUpdate::EmailTaken);
    }
    let arguments = vec![
        Datum::of(user),
        Datum::Text(change.name.as_deref()),
        Datum::Text(email.as_deref()),
        Datum::Text(change.time_zone.as_ref().map(Zone::as_str)),
        Datum::of(&now),
    ];
    let is_updated = connection.execute(UPDATE_USER, arguments).await? > 0;
    Ok(if is_updated { UserUpdate::Updated } else { UserUpdate::UnknownUser })
}
