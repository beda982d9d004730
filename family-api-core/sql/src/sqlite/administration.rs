//! Administration by an operator.

use crate::administration::{self, impl_administration};
use crate::sessions;
use crate::sqlite::SqliteStorage;
use crate::sqlite::database::in_transaction;
use crate::sqlite::error::fault;

macro_rules! read {
    ($storage:expr, |$reader:ident| $statements:expr) => {{
        let mut $reader = $storage.database.readers().acquire().await.map_err(fault)?;
        Ok($statements)
    }};
}

macro_rules! change {
    ($storage:expr, |$writer:ident| $statements:expr, $success:expr) => {{
        let mut $writer = $storage.database.begin().await?;
        let done = $statements;
        if done == $success {
            $writer.commit().await.map_err(fault)?;
        }
        Ok(done)
    }};
}

impl_administration! {
    SqliteStorage: read, read, change, in_transaction;

    async fn revoke_grants(&self, grants: Selection<'_, GrantId>, now: Timestamp) -> Result<u64, StorageError> {
        in_transaction!(self, |writer| administration::revoke_grants(&mut *writer, grants, now).await?)
    }

    async fn update_user(
        &self,
        user: &UserId,
        user_change: &UserChange,
        now: Timestamp,
    ) -> Result<UserUpdate, StorageError> {
        change!(
            self,
            |writer| administration::update_user(&mut *writer, user, user_change, now).await?,
            UserUpdate::Updated
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::administration::{FIND_FORMER_FAMILIES, lookups, paged_lists, sorted_lists};
    use crate::sqlite::query_plans::{SORT, assert_index_lookups, assert_index_lookups_and_sort, open, steps};

    #[tokio::test]
    async fn one_family_or_user_is_looked_up_by_index() {
        assert_index_lookups(&lookups()).await;
        assert_index_lookups_and_sort(&sorted_lists()).await;
    }

    #[tokio::test]
    async fn private_records_in_former_families_are_found_by_index() {
        let (storage, _folder) = open().await;
        let mut connection = storage.database.reader().await.unwrap();
        let steps = steps(&mut connection, FIND_FORMER_FAMILIES).await;
        let scanned: Vec<_> = steps.iter().filter_map(|step| step.strip_prefix("SCAN ")).collect();
        assert!(scanned.iter().all(|table| table.starts_with("idempotency_keys")), "{steps:#?}");
    }

    #[tokio::test]
    async fn a_page_is_read_in_the_order_of_an_index() {
        let (storage, _folder) = open().await;
        let mut connection = storage.database.reader().await.unwrap();
        for sql in paged_lists() {
            let steps = steps(&mut connection, sql).await;
            assert!(steps.iter().all(|step| !step.starts_with("SCAN") && !step.contains(SORT)), "{sql}\n{steps:#?}");
        }
    }
}
