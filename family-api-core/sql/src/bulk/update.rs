//! The steps that create or change the rows of one kind.

use std::collections::HashMap;

use family_api_core::storage::value::{StoredRow, Values};
use family_api_core::storage::{LoadFault, MissingRecords, StorageError};

use crate::bulk::changes::Changes;
use crate::bulk::rows::Rows;
use crate::bulk::update_sql::ReplacedDeleted;
use crate::bulk::{BulkTransaction, Violation, update_sql};

/// Creates or changes the rows, or none if one of them is refused. Some faults are found only after a row was stored,
/// so a savepoint undoes all steps.
pub(super) async fn try_update(
    transaction: &mut impl BulkTransaction,
    rows: &Rows,
    json: &str,
    missing: MissingRecords,
    changes: &mut Changes,
) -> Result<Option<Violation>, StorageError> {
    transaction.run("SAVEPOINT batch".to_owned(), None).await?;
    let violation = update(transaction, rows, json, missing, changes).await?;
    if violation.is_some() {
        transaction.run("ROLLBACK TO SAVEPOINT batch".to_owned(), None).await?;
    }
    transaction.run("RELEASE SAVEPOINT batch".to_owned(), None).await?;
    Ok(violation)
}

async fn update<T: BulkTransaction>(
    transaction: &mut T,
    rows: &Rows,
    json: &str,
    missing: MissingRecords,
    changes: &mut Changes,
) -> Result<Option<Violation>, StorageError> {
    let table = rows.table;
    if let Some(sql) = update_sql::lock_families(&T::DIALECT, table) {
        transaction.run(sql, Some(json)).await?;
    }
    if transaction.execute(vec![update_sql::remember(&T::DIALECT, table)], json).await?.is_some() {
        return Ok(Some(Violation::Fault(LoadFault::new("id", "expected an id that is in the file only once"))));
    }
    for (sql, fault) in update_sql::refusals(&T::DIALECT, table, missing) {
        if transaction.query_bool(sql, json).await? {
            return Ok(Some(Violation::Fault(fault)));
        }
    }
    if !count_changes(transaction, rows, json, changes).await? {
        return Ok(None);
    }
    if let Some(violation) = transaction.execute(update_sql::upsert(&T::DIALECT, table), json).await? {
        return Ok(Some(violation));
    }
    if let Some(ReplacedDeleted { is_found, raise_sequence, forget }) = update_sql::replaced_deleted(&T::DIALECT, table)
        && transaction.query_bool(is_found, json).await?
    {
        for statement in raise_sequence.into_iter().chain([forget]) {
            transaction.run(statement, Some(json)).await?;
        }
    }
    if let Some((sql, fault)) = update_sql::is_own_ancestor(&T::DIALECT, table)
        && transaction.query_bool(sql, json).await?
    {
        return Ok(Some(Violation::Fault(fault)));
    }
    Ok(None)
}

/// Counts what the rows will create and change. Returns whether it is anything.
async fn count_changes<T: BulkTransaction>(
    transaction: &mut T,
    rows: &Rows,
    json: &str,
    changes: &mut Changes,
) -> Result<bool, StorageError> {
    let mut new_rows: HashMap<&str, i64> = rows.counts_by_family().collect();
    let mut created = rows.count() as u64;
    let mut different = 0;
    let mut equal = 0;
    for row in transaction.run(update_sql::compare(&T::DIALECT, rows.table), Some(json)).await? {
        let stored = StoredRows::read(&mut Values::of(&row))?;
        if let Some(count) = stored.family.as_deref().and_then(|family| new_rows.get_mut(family)) {
            *count -= stored.existing;
        }
        created -= stored.existing.unsigned_abs();
        different += stored.changed.unsigned_abs();
        equal += (stored.existing - stored.changed).unsigned_abs();
        if stored.changed > 0 {
            changes.families.extend(stored.family.into_iter().chain(stored.old_family));
        }
    }
    let enlarged = new_rows.into_iter().filter(|(_, count)| *count > 0);
    changes.families.extend(enlarged.map(|(family, _)| family.to_owned()));
    changes.count(rows.table.kind, |kind| {
        kind.created += created;
        kind.changed += different;
        kind.unchanged += equal;
    });
    Ok(created + different > 0)
}

/// How many rows of a family exist, and how many of them differ.
struct StoredRows {
    family: Option<String>,
    /// The family from which users move.
    old_family: Option<String>,
    existing: i64,
    changed: i64,
}

impl StoredRows {
    fn read(values: &mut Values<'_, impl StoredRow>) -> Result<Self, StorageError> {
        Ok(Self {
            family: values.take()?,
            old_family: values.take()?,
            existing: values.take()?,
            changed: values.take()?,
        })
    }
}
