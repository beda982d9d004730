//! The lookup of a user by an e-mail address.

use crate::storage::StorageError;
use crate::storage::sql::SqlConnection;
use crate::storage::value::{Datum, Values};

/// The condition of [`find_by_email`] on `users u`.
pub(in crate::storage) const HAS_EMAIL: &str = "u.email IN ($1, $2)";

/// Finds the user with an e-mail address whatever its capitals. `sql` selects the address first, and has the condition
/// [`HAS_EMAIL`]. `read` reads the other columns.
///
/// Addresses are stored in lower case. Older databases can contain another user, whose address differs only in capitals.
/// This user is found by exactly these capitals.
pub(in crate::storage) async fn find_by_email<C: SqlConnection, T>(
    connection: &mut C,
    sql: &'static str,
    email: &str,
    read: impl Fn(&mut Values<'_, C::Row>) -> Result<T, StorageError> + Send,
) -> Result<Option<T>, StorageError> {
    let lower_case = email.to_ascii_lowercase();
    let rows = connection.find_rows(sql, vec![Datum::Text(Some(email)), Datum::Text(Some(&lower_case))]).await?;
    let mut found = None;
    for row in &rows {
        let mut values = Values::of(row);
        let is_exact = values.take::<String>()? == email;
        if is_exact || found.is_none() {
            found = Some(read(&mut values)?);
        }
    }
    Ok(found)
}
