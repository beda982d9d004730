//! The family of a user.

use family_api_core::id::FamilyId;
use family_api_core::storage::value::{StoredRow, Values};
use family_api_core::storage::{Account, Membership, StorageError};
use sqlx::PgConnection;

use crate::account;
use crate::postgres::database::{Database, Lease};
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::row::Row;

pub(super) const FIND_MEMBERSHIP: &str = "SELECT id, revision FROM families WHERE id = $1";

/// Returns the membership if the family exists. This is a separate statement, because the family can be on another
/// server. The connection has read the id of the family, and may be replaced by another connection.
pub(super) async fn move_lease_and_find_membership(
    database: &Database,
    connection: Lease,
    family: Option<FamilyId>,
) -> Result<Option<Membership>, StorageError> {
    let Some(family) = family else {
        return Ok(None);
    };
    let mut connection = database.move_lease_to(connection, Shards::OfFamily(&family)).await?;
    find_membership(&mut connection, &family).await
}

/// Returns the membership of a user in this family, or `None` if the family does not exist.
pub(super) async fn find_membership(
    connection: &mut PgConnection,
    family: &FamilyId,
) -> Result<Option<Membership>, StorageError> {
    let row =
        sqlx::query(FIND_MEMBERSHIP).bind(family.as_str()).map(Row).fetch_optional(connection).await.map_err(fault)?;
    row.map_or(Ok(None), |row| account::membership(&mut Values::of(&row)))
}

/// Returns an account without revision, from the id of its family and its [`ACCOUNT_COLUMNS`].
pub(super) fn member_account(values: &mut Values<'_, impl StoredRow>) -> Result<Option<Account>, StorageError> {
    let family = values.take::<Option<_>>()?;
    account::account(values, family.map(|family| Membership { family, revision: None }))
}
