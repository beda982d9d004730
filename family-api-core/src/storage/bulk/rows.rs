//! Rows of one kind that one statement stores.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::storage::Record;
use crate::storage::bulk::Kind;
use crate::storage::bulk::references::{id, references};

/// All rows of one kind in a batch, in the order of the load.
pub(super) struct AllRows {
    kind: &'static Kind,
    rows: Vec<Row>,
    /// The JSON array of the rows.
    json: String,
    named: Names,
}

/// Ids of records, by kind.
pub(in crate::storage) type Names = HashMap<&'static str, HashSet<String>>;

struct Row {
    id: String,
    /// The number of the record in the load.
    number: u64,
    /// The byte range of the row in the JSON.
    span: Range<usize>,
}

impl AllRows {
    pub(super) fn new(kind: &'static Kind) -> Self {
        Self { kind, rows: Vec::new(), json: "[]".to_owned(), named: Names::new() }
    }

    /// Adds a record and its JSON.
    pub(super) fn push(&mut self, record: &Record, json: &str, number: u64) {
        for (kind, other) in references(record).into_iter().flatten() {
            let ids = self.named.entry(kind).or_default();
            if !ids.contains(other) {
                ids.insert(other.to_owned());
            }
        }
        self.json.pop();
        if !self.rows.is_empty() {
            self.json.push(',');
        }
        let begin = self.json.len();
        self.json.push_str(json);
        self.rows.push(Row { id: id(record).to_owned(), number, span: begin..self.json.len() });
        self.json.push(']');
    }

    /// Whether one of the records refers to the record with this kind and id.
    pub(super) fn refer_to(&self, kind: &str, id: &str) -> bool {
        self.named.get(kind).is_some_and(|ids| ids.contains(id))
    }

    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// The number of rows whose records come before the record `number`.
    pub(super) fn count_before(&self, number: u64) -> usize {
        self.rows.partition_point(|row| row.number < number)
    }

    /// The number of the record at an index.
    pub(super) fn number(&self, index: usize) -> u64 {
        self.rows[index].number
    }

    /// The rows in the range, which must not be empty.
    pub(super) fn part(&self, range: Range<usize>) -> Rows<'_> {
        let rows = &self.rows[range];
        let json = match (rows.first(), rows.last()) {
            (Some(first), Some(last)) if rows.len() < self.rows.len() => {
                ["[", &self.json[first.span.start..last.span.end], "]"].concat().into()
            }
            _ => self.json.as_str().into(),
        };
        Rows { part: rows, kind: self.kind, json, named: &self.named }
    }
}

/// Rows of one kind, in the order of the load.
pub(in crate::storage) struct Rows<'r> {
    part: &'r [Row],
    pub(in crate::storage) kind: &'static Kind,
    /// A JSON array of [rows](super::row::row).
    pub(in crate::storage) json: Cow<'r, str>,
    /// The records that all rows of this kind in the batch refer to.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "only SQLite counts revisions during the load"))]
    pub(in crate::storage) named: &'r Names,
}

impl<'r> Rows<'r> {
    /// The number of the record of each row.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "only PostgreSQL stores the numbers"))]
    pub(in crate::storage) fn numbers(&self) -> Vec<i64> {
        self.part.iter().map(|row| row.number.cast_signed()).collect()
    }

    /// The id and number of each record.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "only SQLite tracks ids to find duplicates"))]
    pub(in crate::storage) fn ids(&self) -> impl Iterator<Item = (&'r str, u64)> {
        self.part.iter().map(|row| (row.id.as_str(), row.number))
    }
}
