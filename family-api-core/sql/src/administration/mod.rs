//! Administration: the statements for families, users and their credentials.

mod credentials;
mod families;
mod user_update;
mod users;

#[cfg(test)]
mod plan_lists;

pub(crate) use credentials::{
    delete_feeds, list_active_keys, list_current_feeds, list_live_grants, revoke_grants, revoke_keys,
};
pub(crate) use families::{count_family, delete_family, find_family, list_families};
#[cfg(test)]
pub(crate) use plan_lists::{lookups, paged_lists, sorted_lists};
pub(crate) use user_update::update_user;
#[cfg(all(test, feature = "sqlite"))]
pub(crate) use users::FIND_FORMER_FAMILIES;
#[cfg(feature = "postgres")]
pub(crate) use users::{FIND_FAMILY_OF_USER, lock_family_of_user};
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

/// Implements [`Administration`](family_api_core::storage::Administration) for a storage. Its database runs the statements
/// with four macros:
///
/// - `read` on a connection,
/// - `snapshot` on a connection on which all statements see the same data,
/// - `change` in a transaction, which is committed if the result is the last argument,
/// - `write` in a transaction, which can take long and is committed.
///
/// The storage itself implements `revoke_grants` and `update_user`.
macro_rules! impl_administration {
    ($Storage:ident: $read:ident, $snapshot:ident, $change:ident, $write:ident; $($others:tt)*) => {
        const _: () = {
            use family_api_core::Timestamp;
            use family_api_core::connection::Connection;
            use family_api_core::feed::CalendarFeed;
            use family_api_core::id::{FamilyId, FeedId, GrantId, KeyId, UserId};
            use family_api_core::key::IntegrationKey;
            use family_api_core::storage::{
                Administration, FamilySummary, KindCount, Owned, Selection, StorageError, UserChange, UserMove,
                UserSummary, UserUpdate,
            };

            #[async_trait::async_trait]
            impl Administration for $Storage {
                async fn list_families(
                    &self,
                    after: Option<&FamilyId>,
                    limit: u32,
                ) -> Result<Vec<FamilySummary>, StorageError> {
                    $read!(self, |reader| administration::list_families(&mut *reader, after, limit).await?)
                }

                async fn find_family(&self, family: &FamilyId) -> Result<Option<FamilySummary>, StorageError> {
                    $read!(self, |reader| administration::find_family(&mut *reader, family).await?)
                }

                async fn count_family(&self, family: &FamilyId) -> Result<Vec<KindCount>, StorageError> {
                    $read!(self, |reader| administration::count_family(&mut *reader, family).await?)
                }

                async fn delete_family(
                    &self,
                    family: &FamilyId,
                    now: Timestamp,
                ) -> Result<Option<Vec<KindCount>>, StorageError> {
                    $write!(self, |writer| administration::delete_family(&mut *writer, family, now).await?)
                }

                async fn list_users(
                    &self,
                    family: Option<&FamilyId>,
                    after: Option<&UserId>,
                    limit: u32,
                ) -> Result<Vec<UserSummary>, StorageError> {
                    $read!(self, |reader| administration::list_users(&mut *reader, family, after, limit).await?)
                }

                async fn find_user(&self, email: &str) -> Result<Option<UserSummary>, StorageError> {
                    $read!(self, |reader| administration::find_user(&mut *reader, email).await?)
                }

                async fn count_user(&self, user: &UserId) -> Result<Vec<KindCount>, StorageError> {
                    $snapshot!(self, |reader| administration::count_user(&mut *reader, user).await?)
                }

                async fn delete_user(&self, user: &UserId) -> Result<Option<Vec<KindCount>>, StorageError> {
                    $write!(self, |writer| administration::delete_user(&mut *writer, user).await?)
                }

                async fn move_user(
                    &self,
                    user: &UserId,
                    family: Option<&FamilyId>,
                    now: Timestamp,
                ) -> Result<UserMove, StorageError> {
                    $change!(
                        self,
                        |writer| administration::move_user(&mut *writer, user, family, now).await?,
                        UserMove::Moved
                    )
                }

                async fn list_active_keys(
                    &self,
                    user: Option<&UserId>,
                    after: Option<&KeyId>,
                    limit: u32,
                    now: Timestamp,
                ) -> Result<Vec<Owned<IntegrationKey>>, StorageError> {
                    $read!(self, |reader| administration::list_active_keys(&mut *reader, user, after, limit, now).await?)
                }

                async fn revoke_keys(&self, keys: Selection<'_, KeyId>, now: Timestamp) -> Result<u64, StorageError> {
                    $write!(self, |writer| administration::revoke_keys(&mut *writer, keys, now).await?)
                }

                async fn list_live_grants(
                    &self,
                    user: Option<&UserId>,
                    after: Option<&GrantId>,
                    limit: u32,
                    now: Timestamp,
                ) -> Result<Vec<Owned<Connection>>, StorageError> {
                    $read!(self, |reader| administration::list_live_grants(&mut *reader, user, after, limit, now).await?)
                }

                $($others)*

                async fn list_current_feeds(
                    &self,
                    user: Option<&UserId>,
                    after: Option<&FeedId>,
                    limit: u32,
                    now: Timestamp,
                ) -> Result<Vec<Owned<CalendarFeed>>, StorageError> {
                    $read!(self, |reader| {
                        administration::list_current_feeds(&mut *reader, user, after, limit, now).await?
                    })
                }

                async fn delete_feeds(
                    &self,
                    feeds: Selection<'_, FeedId>,
                    now: Timestamp,
                ) -> Result<u64, StorageError> {
                    $write!(self, |writer| administration::delete_feeds(&mut *writer, feeds, now).await?)
                }

                async fn delete_sessions(&self, user: Option<&UserId>) -> Result<u64, StorageError> {
                    $write!(self, |writer| sessions::delete_sessions(&mut *writer, user).await?)
                }
            }
        };
    };
}

pub(crate) use impl_administration;
