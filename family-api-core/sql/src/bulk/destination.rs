//! The transaction of a load or update, and what it has changed.

use std::ops::Range;

use family_api_core::storage::table::{Reference, Table};
use family_api_core::storage::{LoadFault, MissingRecords, StorageError};

use crate::bulk::changes::Changes;
use crate::bulk::load_sql::{insert, is_deleted, lacks, lock_owners, repeats_key_id};
use crate::bulk::rows::Rows;
use crate::bulk::{BulkTransaction, Violation, event_zones, missing_records, update, update_sql};

/// What happens to rows whose ids exist.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    /// They are refused.
    Insert,
    /// They are changed.
    Update(MissingRecords),
}

/// Stores rows in a transaction.
pub(super) struct Destination<T> {
    pub(super) transaction: T,
    pub(super) changes: Changes,
    mode: Mode,
    loaded: LoadedRows,
}

/// The size of `_family_api_loaded`.
#[derive(Default)]
struct LoadedRows {
    count: usize,
    /// The size when the table was last analyzed.
    analyzed: usize,
}

impl LoadedRows {
    /// Adds rows, and returns whether the table must be analyzed again: its size has doubled.
    fn grow(&mut self, rows: usize) -> bool {
        self.count += rows;
        let has_doubled = self.count >= 2 * self.analyzed;
        if has_doubled {
            self.analyzed = self.count;
        }
        has_doubled
    }
}

impl<T: BulkTransaction> Destination<T> {
    pub(super) fn new(transaction: T, mode: Mode) -> Self {
        Self { transaction, changes: Changes::none(), mode, loaded: LoadedRows::default() }
    }

    /// Stores the rows in the range, or none if one of them is refused.
    pub(super) async fn try_store(
        &mut self,
        rows: &Rows,
        range: Range<usize>,
    ) -> Result<Option<Violation>, StorageError> {
        let json = rows.json(range.clone());
        let violation = match self.mode {
            Mode::Insert => self.insert(rows, &json).await?,
            Mode::Update(missing) => {
                let changes = &mut self.changes;
                let violation = update::try_update(&mut self.transaction, rows, &json, missing, changes).await?;
                if self.loaded.grow(range.len()) {
                    self.analyze_loaded().await?;
                }
                violation
            }
        };
        if violation.is_none() {
            self.lock_owners(rows.table, &json, range.len()).await?;
        }
        Ok(violation)
    }

    /// Locks the owners of `count` stored keys, as a foreign key would. A concurrent deletion of an owner waits, and
    /// then deletes the keys too.
    async fn lock_owners(&mut self, table: &Table, json: &str, count: usize) -> Result<(), StorageError> {
        if self.transaction.has_keyed_owners() {
            return Ok(());
        }
        if let Some(sql) = lock_owners(&T::DIALECT, table)
            && self.transaction.run(sql, Some(json)).await?.len() < count
        {
            return Err(StorageError::unavailable("the owner of a key was deleted"));
        }
        Ok(())
    }

    /// Updates the statistics of `_family_api_loaded`. Without them, PostgreSQL joins it as a table of a few rows: with
    /// 500 records, the search for missing records took 200 ms instead of 0.6 ms.
    async fn analyze_loaded(&mut self) -> Result<(), StorageError> {
        if let Some(sql) = T::DIALECT.analyze_loaded {
            self.transaction.run(sql.to_owned(), None).await?;
        }
        Ok(())
    }

    async fn insert(&mut self, rows: &Rows, json: &str) -> Result<Option<Violation>, StorageError> {
        let table = rows.table;
        for reference in table.references.iter().filter(|reference| !reference.is_keyed) {
            if self.transaction.query_bool(lacks(&T::DIALECT, table, reference), json).await? {
                return Ok(Some(Violation::Fault(LoadFault::no_parent(&reference.field()))));
            }
        }
        if let Some(sql) = is_deleted(&T::DIALECT, table)
            && self.transaction.query_bool(sql, json).await?
        {
            return Ok(Some(Violation::Fault(LoadFault::exists("id"))));
        }
        if !self.transaction.has_unique_key_ids()
            && let Some(sql) = repeats_key_id(&T::DIALECT, table)
            && self.transaction.query_bool(sql, json).await?
        {
            return Ok(Some(Violation::Fault(LoadFault::exists("id"))));
        }
        let violation = self.transaction.execute(insert(&T::DIALECT, table), json).await?;
        self.changes.families.extend(rows.counts_by_family().map(|(family, _)| family.to_owned()));
        Ok(violation)
    }

    /// Returns the fault of a row that cannot be stored. A missing parent comes before a duplicate.
    pub(super) async fn find_fault(&mut self, rows: &Rows, index: usize) -> Result<LoadFault, StorageError> {
        let row = rows.json(index..index + 1);
        for reference in rows.table.references {
            let (sql, fault) = self.lacks(rows.table, reference);
            if self.transaction.query_bool(sql, &row).await? {
                return Ok(fault);
            }
        }
        match self.try_store(rows, index..index + 1).await? {
            Some(Violation::Fault(fault)) => Ok(fault),
            Some(Violation::Reference(error)) => Err(error),
            None => Err(StorageError::backend("a row was refused, and then stored")),
        }
    }

    /// Returns a query whether a row refers to a record that does not exist, and the fault.
    fn lacks(&self, table: &Table, reference: &Reference) -> (String, LoadFault) {
        match self.mode {
            Mode::Update(MissingRecords::Delete) => update_sql::lacks_loaded(&T::DIALECT, table, reference),
            _ => (lacks(&T::DIALECT, table, reference), LoadFault::no_parent(&reference.field())),
        }
    }

    /// Deletes what the mode requires after the last row, and completes the events.
    pub(super) async fn finish(&mut self) -> Result<(), StorageError> {
        if let Mode::Update(MissingRecords::Delete) = self.mode {
            self.analyze_loaded().await?;
            missing_records::delete(&mut self.transaction, &mut self.changes).await?;
        }
        event_zones::fill(&mut self.transaction, &mut self.changes).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_grows_is_analyzed_each_time_its_size_has_doubled() {
        let mut loaded = LoadedRows::default();
        let analyzed: Vec<usize> = (1..=1_000).filter(|_| loaded.grow(3)).collect();
        assert_eq!(analyzed, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    }
}
