//! An export in progress: reads the tables one after the other, in pages.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::id::FamilyId;
use family_api_core::storage::table::{Reference, Table, is_global};
use family_api_core::storage::value::{Datum, Type, Values};
use family_api_core::storage::{ExportedPasswords, Exporter, Record, StorageError};

use crate::bulk::{is_credential, json_row};
use crate::sql_connection::VisitRows;

/// The maximum number of rows that a statement reads.
const MAX_PAGE_ROWS: usize = 500;

/// A page ends when its records have this many bytes. The last record can exceed this limit.
const MAX_PAGE_BYTES: usize = 1024 * 1024;

/// A read transaction. All its statements see the same data. Dropping it ends the transaction.
pub(crate) trait Snapshot: Send {
    type Connection: VisitRows;

    fn connection(&mut self) -> &mut Self::Connection;
}

/// Exports the records of a snapshot.
pub(crate) struct BulkExporter<S> {
    snapshot: S,
    family: Option<FamilyId>,
    statements: &'static [String],
    /// The index of the table in [`Record::TABLES`].
    table: usize,
    /// The family and the id of the last row of the table. Both are empty before the first row.
    last: (String, String),
    /// The number of rows that the next statement reads.
    page_rows: usize,
    /// The records of one family that can refer to each other, until all of them are read.
    tree: Vec<Record>,
}

impl<S: Snapshot> BulkExporter<S> {
    pub(crate) fn new(snapshot: S, family: Option<&FamilyId>, passwords: ExportedPasswords) -> Self {
        let scope = usize::from(family.is_some());
        let statements = &STATEMENTS[scope][usize::from(passwords == ExportedPasswords::Hashed)];
        Self {
            snapshot,
            family: family.cloned(),
            statements,
            table: 0,
            last: <(String, String)>::default(),
            page_rows: MAX_PAGE_ROWS,
            tree: Vec::new(),
        }
    }

    /// Reads the next page of a table. Returns whether it was the last page.
    async fn read_page(&mut self, table: &Table) -> Result<(Vec<Record>, bool), StorageError> {
        let (last_family, last_id) = &self.last;
        let mut arguments = Vec::new();
        match &self.family {
            Some(family) => arguments.push(Datum::of(family)),
            None if is_global(table.kind) => {}
            None => arguments.push(Datum::of(last_family)),
        }
        arguments.push(Datum::of(last_id));
        arguments.push(Datum::Integer(i64::try_from(self.page_rows).ok()));
        let mut records = Vec::new();
        let mut bytes = 0;
        let visit = |row: &_| {
            let record = Record::read(table.kind, &mut Values::of(row))?;
            bytes += json_row(&record)?.len();
            records.push(record);
            Ok(if bytes < MAX_PAGE_BYTES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        self.snapshot.connection().visit_rows(&self.statements[self.table], arguments, visit).await?;
        let is_last_page = records.len() < self.page_rows && bytes < MAX_PAGE_BYTES;
        // PostgreSQL sends all rows of a statement, also those that are discarded.
        self.page_rows = if bytes < MAX_PAGE_BYTES { MAX_PAGE_ROWS.min(self.page_rows * 2) } else { records.len() };
        if let Some(last) = records.last() {
            self.last = (last.family().unwrap_or_default().to_owned(), last.id().to_owned());
        }
        Ok((records, is_last_page))
    }

    /// Keeps the records of the last family until all of them are read, and returns the others with parents before
    /// their children.
    fn order_tree(&mut self, records: Vec<Record>, is_last_page: bool) -> Result<Vec<Record>, StorageError> {
        self.tree.extend(records);
        let complete = if is_last_page {
            self.tree.len()
        } else {
            self.tree.partition_point(|record| record.family() != Some(self.last.0.as_str()))
        };
        let mut ordered: Vec<Record> = self.tree.drain(..complete).collect();
        for family in ordered.chunk_by_mut(|one, other| one.family() == other.family()) {
            sort_by_depth(family)?;
        }
        Ok(ordered)
    }
}

#[async_trait]
impl<S: Snapshot> Exporter for BulkExporter<S> {
    async fn next(&mut self) -> Result<Vec<Record>, StorageError> {
        while let Some(table) = Record::TABLES.get(self.table) {
            let (mut records, is_last_page) = self.read_page(table).await?;
            if table.references.iter().any(|reference| reference.kind == table.kind) {
                records = self.order_tree(records, is_last_page)?;
            }
            if is_last_page {
                let is_missing_family = table.kind == "family" && self.family.is_some() && records.is_empty();
                self.table = if is_missing_family { Record::TABLES.len() } else { self.table + 1 };
                self.last = <(String, String)>::default();
            }
            if !records.is_empty() {
                return Ok(records);
            }
        }
        Ok(Vec::new())
    }
}

/// Sorts the records of a family: parents before children, and by id.
fn sort_by_depth(records: &mut [Record]) -> Result<(), StorageError> {
    let parents: HashMap<String, Option<String>> =
        records.iter().map(|record| (record.id().to_owned(), parent(record))).collect();
    let mut depths = HashMap::new();
    for record in &*records {
        let id = record.id();
        let ancestors = std::iter::successors(parents.get(id).and_then(Option::as_ref), |id| {
            parents.get(*id).and_then(Option::as_ref)
        });
        let depth = ancestors.take(parents.len()).count();
        if depth == parents.len() {
            return Err(StorageError::corrupt("a record is its own ancestor"));
        }
        depths.insert(id.to_owned(), depth);
    }
    // The sort is stable, and the records are sorted by id.
    records.sort_by_key(|record| depths.get(record.id()).copied());
    Ok(())
}

/// Returns the id of the parent of the same kind.
fn parent(record: &Record) -> Option<String> {
    let mut references = record.references();
    references.find(|(reference, _)| reference.kind == record.kind()).map(|(_, parent)| parent.id.to_owned())
}

/// The statements of all tables: for the whole database and for one family, each without and with passwords.
static STATEMENTS: LazyLock<[[Vec<String>; 2]; 2]> = LazyLock::new(|| {
    [false, true].map(|of_family| {
        [false, true].map(|passwords| Record::TABLES.map(|table| select(table, of_family, passwords)).to_vec())
    })
});

/// Returns the statement that reads a page of a table, in the order of its primary key.
///
/// Its last argument is the number of rows, and the one before is the id after which the page begins. The argument
/// before that is the family, or the family in which the page begins.
fn select(table: &Table, of_family: bool, passwords: bool) -> String {
    let columns = table.columns.iter().map(|column| match column.value {
        Type::Password if passwords => "(SELECT p.phc FROM passwords p WHERE p.user_id = t.id)".to_owned(),
        Type::Password => "CAST(NULL AS TEXT)".to_owned(),
        // `page` omits keys and feeds of users in another database.
        _ if is_credential(table.kind) => format!(r#"t."{}""#, column.name),
        _ => match table.references.iter().find(|reference| reference.column == column.name && !reference.is_keyed) {
            Some(reference) => existing(reference, of_family),
            None => format!(r#"t."{}""#, column.name),
        },
    });
    let columns = columns.collect::<Vec<_>>().join(", ");
    let (page, order, limit) = match (of_family, table.kind) {
        (true, "family") => ("t.id = $1 AND t.id > $2", "t.id", "$3"),
        (true, kind) if is_credential(kind) => {
            ("t.user_id IN (SELECT u.id FROM users u WHERE u.family_id = $1) AND t.id > $2", "t.id", "$3")
        }
        (true, _) => ("t.family_id = $1 AND t.id > $2", "t.id", "$3"),
        (false, kind) if is_credential(kind) => {
            ("EXISTS (SELECT 1 FROM users u WHERE u.id = t.user_id) AND t.id > $1", "t.id", "$2")
        }
        (false, kind) if is_global(kind) => ("t.id > $1", "t.id", "$2"),
        (false, _) => ("(t.family_id, t.id) > ($1, $2)", "t.family_id, t.id", "$3"),
    };
    format!("SELECT {columns} FROM {} t WHERE {page} ORDER BY {order} LIMIT {limit}", table.name)
}

/// Returns the SQL of a reference without a foreign key: `NULL` if the record does not exist, or not in the family
/// `$1`.
fn existing(reference: &Reference, of_family: bool) -> String {
    let parent = Record::TABLES.into_iter().find(|table| table.kind == reference.kind).map_or("", |table| table.name);
    let scope = if of_family && reference.kind == "user" { " AND p.family_id = $1" } else { "" };
    format!("(SELECT p.id FROM {parent} p WHERE p.id = t.{}{scope})", reference.column)
}

/// Returns every statement of an export.
#[cfg(all(test, feature = "sqlite"))]
pub(crate) fn all_statements() -> impl Iterator<Item = &'static str> {
    STATEMENTS.iter().flatten().flatten().map(String::as_str)
}
