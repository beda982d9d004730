//! The family of a user.

use sqlx::PgConnection;

use crate::id::FamilyId;
use crate::storage::postgres::bulkheads::Shards;
use crate::storage::postgres::connections::{Connections, Lease};
use crate::storage::postgres::error::fault;
use crate::storage::sql;
use crate::storage::value::{StoredRow, Values};
use crate::storage::{Account, Membership, StorageError};

pub(super) const FIND_MEMBERSHIP: &str = "SELECT id, revision FROM families WHERE id = $1";

/// Returns the membership if the family exists. This is a separate statement, because the family can be on another
/// server. The connection has read the id of the family.
pub(super) async fn find_membership(
    connections: &Connections,
    connection: Lease,
    family: Option<FamilyId>,
) -> Result<Option<Membership>, StorageError> {
    let Some(family) = family else {
        return Ok(None);
    };
    let mut connection = connections.exchange(connection, Shards::OfFamily(&family)).await?;
    find_family(&mut connection, &family).await
}

/// Returns the membership of a family if it exists.
pub(super) async fn find_family(
    connection: &mut PgConnection,
    family: &FamilyId,
) -> Result<Option<Membership>, StorageError> {
    let row = sqlx::query(FIND_MEMBERSHIP).bind(family.as_str()).fetch_optional(connection).await.map_err(fault)?;
    row.map_or(Ok(None), |row| sql::membership(&mut Values::of(&row)))
}

/// Returns an account without revision, from the id of its family and its [`ACCOUNT_COLUMNS`].
pub(super) fn member_account(values: &mut Values<'_, impl StoredRow>) -> Result<Option<Account>, StorageError> {
    let family = values.take::<Option<_>>()?;
    sql::account(values, family.map(|family| Membership { family, revision: None }))
}
