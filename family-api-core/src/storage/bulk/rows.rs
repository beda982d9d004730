//! Rows of one kind that are stored together.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::storage::Record;
use crate::storage::bulk::Kind;
use crate::storage::bulk::names::{id, named};

/// All rows of a kind that were gathered, in the order of the load.
pub(super) struct AllRows {
    kind: &'static Kind,
    rows: Vec<Row>,
    /// The JSON array of the rows.
    json: String,
    named: Names,
}

/// Ids, by the kind of what they are of.
pub(in crate::storage) type Names = HashMap<&'static str, HashSet<String>>;

struct Row {
    id: String,
    /// Which record of the load it is.
    number: u64,
    /// Where it stands in the JSON.
    place: Range<usize>,
}

impl AllRows {
    pub(super) fn new(kind: &'static Kind) -> Self {
        Self { kind, rows: Vec::new(), json: "[]".to_owned(), named: Names::new() }
    }

    /// Adds a record and its JSON.
    pub(super) fn push(&mut self, record: &Record, json: &str, number: u64) {
        for (kind, other) in named(record).into_iter().flatten() {
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
        self.rows.push(Row { id: id(record).to_owned(), number, place: begin..self.json.len() });
        self.json.push(']');
    }

    /// Whether one of the records names that one.
    pub(super) fn name_that(&self, kind: &str, id: &str) -> bool {
        self.named.get(kind).is_some_and(|ids| ids.contains(id))
    }

    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// How many are of records before that one of the load.
    pub(super) fn count_before(&self, number: u64) -> usize {
        self.rows.partition_point(|row| row.number < number)
    }

    /// Which record of the load a row is.
    pub(super) fn number(&self, index: usize) -> u64 {
        self.rows[index].number
    }

    /// The rows at those indexes, of which there is at least one.
    pub(super) fn part(&self, range: Range<usize>) -> Rows<'_> {
        let rows = &self.rows[range];
        let json = match (rows.first(), rows.last()) {
            (Some(first), Some(last)) if rows.len() < self.rows.len() => {
                ["[", &self.json[first.place.start..last.place.end], "]"].concat().into()
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
    /// What the records name, and others of their kind that were gathered with them.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "SQLite alone counts before the end"))]
    pub(in crate::storage) named: &'r Names,
}

impl<'r> Rows<'r> {
    /// Which record each row is.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "PostgreSQL alone takes numbers by themselves"))]
    pub(in crate::storage) fn numbers(&self) -> Vec<i64> {
        self.part.iter().map(|row| row.number.cast_signed()).collect()
    }

    /// The id of each record, and which it is.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "SQLite alone takes ids by themselves"))]
    pub(in crate::storage) fn ids(&self) -> impl Iterator<Item = (&'r str, u64)> {
        self.part.iter().map(|row| (row.id.as_str(), row.number))
    }
}
