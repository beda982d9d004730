//! Writes of family data. One transaction checks the credential, reads the record, applies the rules and stores the
//! record. Writes of the same family run one after the other.

use std::ops::ControlFlow;

use family_api_core::access::write_scope;
use family_api_core::id::ListId;
use family_api_core::key::Scope;
use family_api_core::resource::{RecordKind, ShoppingItem, Verb};
use family_api_core::storage::write_sequence::{delete_checked_items, write_record};
use family_api_core::storage::{Author, FoundCredential, RecordWrite, StorageError, Written};
use family_api_core::{Timestamp, for_each_kind};
use sqlx::{Postgres, Transaction};

use crate::postgres::PostgresStorage;
use crate::postgres::credentials::lock_credential;
use crate::postgres::database::{Database, Lease, begin_write, call};
use crate::postgres::error::fault;
use crate::purge::Purge;
use crate::sql_connection::Engine;
use crate::turns::Turn;
use crate::writes::{
    INCREMENT_REVISION, Interruption, RestOfSpread, SqlKind, SqlSteps, count_records, impl_write_storage, lower_bound,
};

for_each_kind!(impl_write_storage PostgresStorage =>);

impl PostgresStorage {
    async fn write_record<R: SqlKind>(
        &self,
        author: &Author,
        write: &RecordWrite<R>,
    ) -> Result<Written<R>, StorageError> {
        let mut place = if write.only_reads() { None } else { self.database.enter(&author.member.family)? };
        let mut resumed = None;
        loop {
            let turn = self.database.turn(place.as_mut()).await?;
            match self.write_step(turn.as_ref(), author, write, resumed).await? {
                ControlFlow::Break(written) => return Ok(written),
                ControlFlow::Continue(rest) => resumed = rest,
            }
        }
    }

    /// Runs a transaction of a write. Returns what it has left if another one must run it again.
    async fn write_step<R: SqlKind>(
        &self,
        turn: Option<&Turn>,
        author: &Author,
        write: &RecordWrite<R>,
        resumed: Option<RestOfSpread>,
    ) -> Result<ControlFlow<Written<R>, Option<RestOfSpread>>, StorageError> {
        call(async || {
            let mut connection = self.database.lease_in_turn(turn, &author.member.family).await?;
            if write.only_reads() {
                let credential = lock_credential(&self.database, &mut connection, author, write.now).await?;
                let mut steps = SqlSteps::new(&mut *connection, &author.member, 0);
                return Ok(ControlFlow::Break(write_record(author, write, credential, &mut steps).await?.written));
            }
            let verb = write.operation.verb();
            let (increment, counted) = match (&R::statements(Engine::Postgres).bound, verb) {
                (Some(bound), verb) if verb.adds_record() => (bound.add_record.as_str(), 1),
                (Some(bound), Verb::Delete) => (bound.remove_record.as_str(), -1),
                _ => (INCREMENT_REVISION, 0),
            };
            let scope = write_scope(R::KIND, verb);
            let begun = begin(&self.database, &mut connection, increment, author, &scope, write.now);
            let (mut transaction, credential) = match begun.await? {
                ControlFlow::Continue(begun) => begun,
                ControlFlow::Break(written) => return Ok(ControlFlow::Break(written)),
            };
            let mut steps = SqlSteps::new(&mut *transaction, &author.member, counted).resume(resumed);
            let outcome = write_record(author, write, credential, &mut steps).await;
            match steps.interruption() {
                Some(Interruption::Count(last)) => {
                    transaction.rollback().await.map_err(fault)?;
                    let mut transaction = connection.begin().await?;
                    count_records(&mut *transaction, &author.member.family, last, write.now).await?;
                    transaction.commit().await.map_err(fault)?;
                    Ok(ControlFlow::Continue(resumed))
                }
                Some(Interruption::Spread(rest)) => {
                    transaction.commit().await.map_err(fault)?;
                    Ok(ControlFlow::Continue(Some(rest)))
                }
                None => {
                    let outcome = outcome?;
                    if outcome.is_stored {
                        transaction.commit().await.map_err(fault)?;
                    }
                    Ok(ControlFlow::Break(outcome.written))
                }
            }
        })
        .await
    }

    async fn delete_checked(
        &self,
        author: &Author,
        list: &ListId,
        now: Timestamp,
    ) -> Result<Written<Vec<ShoppingItem>>, StorageError> {
        let family = &author.member.family;
        let turn = self.database.turn(self.database.enter(family)?.as_mut()).await?;
        call(async || {
            let mut connection = self.database.lease_in_turn(turn.as_ref(), family).await?;
            let scope = write_scope(RecordKind::ShoppingItem, Verb::Delete);
            let begun = begin(&self.database, &mut connection, INCREMENT_REVISION, author, &scope, now).await?;
            let (mut transaction, credential) = match begun {
                ControlFlow::Continue(begun) => begun,
                ControlFlow::Break(written) => return Ok(written),
            };
            let mut steps = SqlSteps::new(&mut *transaction, &author.member, 0);
            let outcome = delete_checked_items(author, list, now, credential, &mut steps).await?;
            if let Written::Deleted(items) = &outcome.written {
                lower_bound::<ShoppingItem>(&mut *transaction, &author.member.family, items.len()).await?;
            }
            if outcome.is_stored {
                transaction.commit().await.map_err(fault)?;
            }
            Ok(outcome.written)
        })
        .await
    }

    async fn purge_rows(&self, purge: Purge<'_>, limit: u32) -> Result<u64, StorageError> {
        call(async || {
            let mut connection = self.database.lease().await?;
            let rows = purge.find(&mut *connection, limit).await?;
            if rows.is_empty() {
                return Ok(0);
            }
            let mut transaction = connection.begin().await?;
            let deleted = purge.delete(&mut *transaction, &rows).await?;
            transaction.commit().await.map_err(fault)?;
            Ok(deleted)
        })
        .await
    }
}

/// Begins a write: increments and locks the family, and finds and locks the credential. Returns the result of the write
/// if the family does not exist.
async fn begin<'c, T>(
    database: &Database,
    connection: &'c mut Lease,
    increment: &'static str,
    author: &Author,
    scope: &Scope,
    now: Timestamp,
) -> Result<ControlFlow<Written<T>, (Transaction<'c, Postgres>, FoundCredential)>, StorageError> {
    let (mut transaction, family_exists) = begin_write(connection, increment, &author.member.family).await?;
    let credential = lock_credential(database, &mut transaction, author, now).await?;
    if family_exists {
        return Ok(ControlFlow::Continue((transaction, credential)));
    }
    let checked = author.check(credential, scope, now);
    Ok(ControlFlow::Break(checked.map_or_else(Written::from, |()| Written::NotFound)))
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use crate::postgres::query_plans::assert_index_lookups;
    use crate::purge::statements as purge_statements;
    use crate::sql_connection::Engine;
    use crate::writes::statements as write_statements;

    postgres_tests! {
        async fn writes_look_up_by_family() {
            assert_index_lookups(&write_statements(Engine::Postgres)).await;
            assert_index_lookups(&purge_statements()).await;
        }
    }
}
