//! Locks of users and families.

use family_api_core::id::{FamilyId, GrantId, UserId};
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{Selection, StorageError};
use sqlx::PgConnection;

use crate::administration::FIND_FAMILY_OF_USER;
use crate::postgres::distributed::credentials::find_account;
use crate::sql_connection::SqlConnection;

const FIND_FAMILY_OF_GRANT: &str = "
    SELECT u.family_id, u.id FROM grants g JOIN users u ON u.id = g.user_id WHERE g.id = $1";

/// Also finds the families of revoked grants. So a repeated revocation waits for the same writes.
const FIND_FAMILIES_WITH_GRANTS: &str = "
    SELECT DISTINCT u.family_id FROM grants g JOIN users u ON u.id = g.user_id";

const LOCK_FAMILY: &str = "SELECT id FROM families WHERE id = $1 FOR NO KEY UPDATE";

/// A concurrent insertion of the same user waits until the transaction ends, although [`UNLOCK_USER`] has deleted the
/// row.
const LOCK_USER: &str = "INSERT INTO _family_api_user_locks (user_id) VALUES ($1)";

/// Reads the user on the server of the lock.
const UNLOCK_USER: &str = "
    DELETE FROM _family_api_user_locks l WHERE l.user_id = $1
    RETURNING (SELECT u.personal_api_enabled FROM users u WHERE u.id = l.user_id)";

/// Locks a user until the transaction ends. Returns whether their personal API is switched on, or `None` if the user
/// does not exist.
///
/// Creations of keys and grants of the user wait for each other here. A user can be without a family and without a
/// password, so there is no other row that every user has, and that is on one server only.
pub(crate) async fn lock_user(connection: &mut PgConnection, user: &UserId) -> Result<Option<bool>, StorageError> {
    connection.execute(LOCK_USER, vec![Datum::of(user)]).await?;
    let row = connection.find_row(UNLOCK_USER, vec![Datum::of(user)]).await?;
    Ok(row.map(|row| Values::of(&row).take()).transpose()?.flatten())
}

/// Locks a user and their family, for a change of the user.
pub(crate) async fn lock_member(connection: &mut PgConnection, user: &UserId) -> Result<(), StorageError> {
    let row = connection.find_row(FIND_FAMILY_OF_USER, vec![Datum::of(user)]).await?;
    if let Some(row) = row {
        lock_current_family(connection, user, Values::of(&row).take()?).await?;
    }
    lock_user(connection, user).await?;
    Ok(())
}

/// Locks the family of a grant's user, for the revocation of the grant.
pub(super) async fn lock_family_of_grant(connection: &mut PgConnection, grant: &GrantId) -> Result<(), StorageError> {
    let Some(row) = connection.find_row(FIND_FAMILY_OF_GRANT, vec![Datum::of(grant)]).await? else {
        return Ok(());
    };
    let mut values = Values::of(&row);
    let family = values.take()?;
    lock_current_family(connection, &values.take()?, family).await
}

/// Locks the family of a user.
///
/// The user can move while the statement waits for the lock. So the user is found again after it, on the server of the
/// lock.
async fn lock_current_family(
    connection: &mut PgConnection,
    user: &UserId,
    mut family: Option<FamilyId>,
) -> Result<(), StorageError> {
    while let Some(unlocked) = family {
        lock_family(connection, &unlocked).await?;
        let account = find_account(connection, &unlocked, user).await?;
        let current = account.and_then(|account| account.membership).map(|membership| membership.family);
        family = current.filter(|current| *current != unlocked);
    }
    Ok(())
}

/// Locks a family until the transaction ends.
pub(super) async fn lock_family(connection: &mut PgConnection, family: &FamilyId) -> Result<(), StorageError> {
    connection.find_row(LOCK_FAMILY, vec![Datum::of(family)]).await?;
    Ok(())
}

/// Returns the families whose members have these grants.
pub(super) async fn families_of_grants(
    connection: &mut PgConnection,
    grants: Selection<'_, GrantId>,
) -> Result<Vec<FamilyId>, StorageError> {
    let (sql, arguments) = match grants {
        Selection::All => (FIND_FAMILIES_WITH_GRANTS, Vec::new()),
        Selection::User(user) => (FIND_FAMILY_OF_USER, vec![Datum::of(user)]),
        Selection::One(grant) => (FIND_FAMILY_OF_GRANT, vec![Datum::of(grant)]),
    };
    let rows = connection.find_rows(sql, arguments).await?;
    let families = rows.iter().map(|row| Values::of(row).take::<Option<_>>());
    families.filter_map(Result::transpose).collect()
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::*;
    use crate::postgres::query_plans::assert_index_lookups_if_distributed;

    postgres_tests! {
        async fn distributed_locks_use_an_index() {
            assert_index_lookups_if_distributed(&[
                FIND_FAMILY_OF_USER,
                FIND_FAMILY_OF_GRANT,
                LOCK_FAMILY,
                UNLOCK_USER,
            ])
            .await;
        }
    }
}
