//! Rows of one kind.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use family_api_core::storage::table::Table;

/// The rows of one kind in a batch, in the order of the load.
pub(super) struct Rows {
    pub(super) table: &'static Table,
    positions: Vec<RowPosition>,
    /// The number of rows of each family.
    counts_by_family: HashMap<String, i64>,
    /// The JSON array of the rows. Each ends with the number of its record.
    json: String,
}

/// Where a row comes from in the load, and where it is in the JSON.
struct RowPosition {
    /// The number of the record in the load.
    number: u64,
    /// The byte range of the row in the JSON.
    span: Range<usize>,
}

impl Rows {
    pub(super) fn new(table: &'static Table) -> Self {
        Self { table, positions: Vec::new(), counts_by_family: HashMap::new(), json: "[]".to_owned() }
    }

    /// Adds a row with the family and the number of its record.
    pub(super) fn push(&mut self, row: &str, family: Option<&str>, number: u64) {
        match family.map(|family| (family, self.counts_by_family.get_mut(family))) {
            Some((_, Some(count))) => *count += 1,
            Some((family, None)) => _ = self.counts_by_family.insert(family.to_owned(), 1),
            None => {}
        }
        self.json.pop();
        if !self.positions.is_empty() {
            self.json.push(',');
        }
        let begin = self.json.len();
        self.json.extend([row.strip_suffix(']').unwrap_or(row), ",", &number.to_string(), "]"]);
        self.positions.push(RowPosition { number, span: begin..self.json.len() });
        self.json.push(']');
    }

    /// Returns each family with the number of its rows.
    pub(super) fn counts_by_family(&self) -> impl Iterator<Item = (&str, i64)> {
        self.counts_by_family.iter().map(|(family, count)| (family.as_str(), *count))
    }

    pub(super) fn count(&self) -> usize {
        self.positions.len()
    }

    /// The number of rows whose records come before the record `number`.
    pub(super) fn count_before(&self, number: u64) -> usize {
        self.positions.partition_point(|position| position.number < number)
    }

    /// The number of the record at an index.
    pub(super) fn number(&self, index: usize) -> u64 {
        self.positions[index].number
    }

    /// The JSON array of the rows in the range.
    pub(super) fn json(&self, range: Range<usize>) -> Cow<'_, str> {
        if range.len() == self.positions.len() {
            return self.json.as_str().into();
        }
        let positions = &self.positions[range];
        let (Some(first), Some(last)) = (positions.first(), positions.last()) else { return "[]".into() };
        ["[", &self.json[first.span.start..last.span.end], "]"].concat().into()
    }
}
