//! The lookup of a password.

use family_api_core::id::UserId;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{PasswordHash, StorageError};

use crate::sql_connection::SqlConnection;

pub(crate) const FIND_PASSWORD: &str = "
    SELECT u.id, p.phc FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE u.email = $1";

/// Finds a user and the hash of their password by the e-mail address, which is stored in lower case.
pub(crate) async fn find_password(
    connection: &mut impl SqlConnection,
    email: &str,
) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
    let email = email.to_ascii_lowercase();
    let Some(row) = connection.find_row(FIND_PASSWORD, vec![Datum::Text(Some(&email))]).await? else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    Ok(Some((values.take()?, values.take::<Option<String>>()?.map(PasswordHash::new))))
}
