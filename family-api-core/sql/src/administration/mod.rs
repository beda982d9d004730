//! Administration: the statements for families, users and their credentials.

mod credentials;
mod families;
mod user_update;
mod users;

#[cfg(test)]
mod plan_lists;

pub(crate) use credentials::{list_active_keys, list_live_grants, revoke_grants, revoke_keys};
pub(crate) use families::{count_family, delete_family, find_family, list_families};
#[cfg(test)]
pub(crate) use plan_lists::{lookups, paged_lists, sorted_lists};
pub(crate) use user_update::update_user;
#[cfg(feature = "postgres")]
pub(crate) use users::FIND_FAMILY_OF_USER;
#[cfg(all(test, feature = "sqlite"))]
pub(crate) use users::FIND_FORMER_FAMILIES;
pub(crate) use users::{count_user, delete_user, find_user, list_users, move_user};

use family_api_core::storage::value::{Datum, StoredRow, Values};
use family_api_core::storage::{KindCount, StorageError};

use crate::sql_connection::SqlConnection;

/// A query of several counts, each of one kind.
struct Counts {
    kinds: Vec<&'static str>,
    sql: String,
}

impl Counts {
    /// `counted` contains the kind, the table and the condition of each count.
    fn of<'a>(counted: impl Iterator<Item = (&'static str, &'a str, &'a str)>) -> Self {
        let (kinds, counts): (Vec<_>, Vec<_>) = counted
            .map(|(kind, table, condition)| (kind, format!("(SELECT count(*) FROM {table} WHERE {condition})")))
            .unzip();
        Self { kinds, sql: format!("SELECT {}", counts.join(", ")) }
    }

    async fn query(
        &'static self,
        connection: &mut impl SqlConnection,
        arguments: Vec<Datum<'_>>,
    ) -> Result<Vec<KindCount>, StorageError> {
        let row = connection.find_row(&self.sql, arguments).await?;
        let row = row.ok_or_else(|| StorageError::backend("the counts are missing"))?;
        let mut values = Values::of(&row);
        let counts = self.kinds.iter().map(|kind| Ok(KindCount { kind, count: take_count(&mut values)? }));
        counts.collect()
    }
}

fn take_count(values: &mut Values<'_, impl StoredRow>) -> Result<u64, StorageError> {
    values.take::<i64>()?.try_into().map_err(StorageError::corrupt)
}
