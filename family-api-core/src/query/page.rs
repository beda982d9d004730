//! Pages of results.

use crate::query::{Cursor, Position, QueryBinding};
use crate::resource::{InvalidQuery, RecordPage, find_single};

/// Selects a page of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    limit: usize,
    cursor: Option<Cursor>,
}

impl PageRequest {
    /// Number of records on a page, if the request names none.
    pub const DEFAULT_LIMIT: u32 = 20;
    /// Maximum number of records on a page.
    pub const MAX_LIMIT: u32 = 100;

    /// Creates a request for up to `limit` records after a cursor, or for the first ones without a cursor. Default
    /// limit: 20.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the limit is not in 1–100.
    pub fn new(limit: Option<u32>, cursor: Option<Cursor>) -> Result<Self, InvalidQuery> {
        match limit.unwrap_or(Self::DEFAULT_LIMIT) {
            limit @ 1..=Self::MAX_LIMIT => Ok(Self { limit: limit as usize, cursor }),
            _ => Err(InvalidQuery { parameter: "limit", expected: "a number from 1 to 100" }),
        }
    }

    /// The names of the query parameters.
    pub const PARAMETERS: [&str; 2] = ["limit", "cursor"];

    /// Parses the parameters `limit` and `cursor` of a query string. Other parameters are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] if a value is invalid, or a parameter occurs twice. The query that gets the page checks whether
    /// the cursor is one of its own.
    pub fn parse(query: &str) -> Result<Self, InvalidQuery> {
        const LIMIT: InvalidQuery = InvalidQuery { parameter: "limit", expected: "a number from 1 to 100, once" };
        let limit = find_single(query, LIMIT.parameter, LIMIT.expected)?;
        let limit = limit.map(|text| text.parse().map_err(|_| LIMIT)).transpose()?;
        let cursor = find_single(query, "cursor", "the cursor of the previous page, once")?;
        Self::new(limit, cursor.map(|text| text.parse()).transpose()?)
    }

    /// Creates a request for a page of a fixed size, for queries whose pages have no limit that a caller chooses.
    pub(crate) fn of_size(limit: usize, cursor: Option<Cursor>) -> Self {
        Self { limit, cursor }
    }

    /// Returns the maximum number of records on the page.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the position after which the page begins.
    pub(crate) fn position(&self, binding: &QueryBinding) -> Result<Option<Position>, InvalidQuery> {
        self.cursor.as_ref().map(|cursor| binding.position(cursor)).transpose()
    }
}

/// The first page, with the default limit.
impl Default for PageRequest {
    fn default() -> Self {
        Self { limit: Self::DEFAULT_LIMIT as usize, cursor: None }
    }
}

/// A page of results, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<T> {
    /// The records of this page.
    pub items: Vec<T>,
    /// Number of records on all pages.
    pub total: usize,
    /// Selects the next page. `None` on the last page.
    pub next: Option<Cursor>,
    /// The cursor after each record of this page.
    cursors: PageCursors,
}

/// Creates the cursors after the records of a page. A cursor has a checksum, so it is created only if it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PageCursors {
    binding: QueryBinding,
    positions: Vec<Position>,
}

impl<T> Page<T> {
    /// Sorts the results by position and takes the page after `after`.
    pub(crate) fn take(
        results: Vec<T>,
        position: impl Fn(&T) -> Position,
        after: Option<&Position>,
        request: &PageRequest,
        binding: &QueryBinding,
    ) -> Self {
        let total = results.len();
        let mut rest: Vec<(Position, T)> = results
            .into_iter()
            .map(|record| (position(&record), record))
            .filter(|(position, _)| after.is_none_or(|after| position > after))
            .collect();
        rest.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let has_more = rest.len() > request.limit;
        rest.truncate(request.limit);
        let (positions, items): (Vec<Position>, Vec<T>) = rest.into_iter().unzip();
        let next = positions.last().filter(|_| has_more).map(|position| binding.cursor(position));
        Self { items, total, next, cursors: PageCursors { binding: binding.clone(), positions } }
    }

    /// Keeps the first `len` records, and at least one. [`next`](Self::next) then selects the page after the last record
    /// that is kept. Has no effect if the page has at most `len` records.
    pub fn truncate(&mut self, len: usize) {
        let len = len.max(1);
        if len >= self.items.len() {
            return;
        }
        let PageCursors { binding, positions } = &self.cursors;
        self.next = positions.get(len - 1).map(|position| binding.cursor(position));
        self.items.truncate(len);
    }

    /// Converts the records of the page.
    #[must_use]
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> Page<U> {
        let Self { items, total, next, cursors } = self;
        Page { items: items.into_iter().map(convert).collect(), total, next, cursors }
    }
}

/// The page on the wire.
impl<T> From<Page<T>> for RecordPage<T> {
    fn from(page: Page<T>) -> Self {
        Self { records: page.items, total: page.total, next_cursor: page.next.map(|next| next.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;
    use crate::access::Member;

    type Record = (i64, u8);

    fn position((number, id): &Record) -> Position {
        Position::new([*number, 0], format!("{id:03}"))
    }

    fn binding() -> QueryBinding {
        QueryBinding::new(&Member { user: "ana".parse().unwrap(), family: "f".parse().unwrap() }, &"query")
    }

    fn page(records: &BTreeSet<Record>, request: &PageRequest) -> Page<Record> {
        let after = request.position(&binding()).unwrap();
        Page::take(records.iter().rev().copied().collect(), position, after.as_ref(), request, &binding())
    }

    fn record() -> impl Strategy<Value = Record> {
        (-3_i64..3, any::<u8>())
    }

    proptest! {
        /// Between two pages, other records are inserted and removed. A change of a record is both.
        #[test]
        fn records_that_stay_are_on_exactly_one_page(
            stable in btree_set(record(), 0..30),
            changes in vec(vec((record(), any::<bool>()), 0..8), 40),
            limit in 1_u32..6,
        ) {
            let mut records = stable.clone();
            let mut shown = Vec::new();
            let mut request = PageRequest::new(Some(limit), None).unwrap();
            for change in changes.into_iter().chain(std::iter::repeat(Vec::new())) {
                let page = page(&records, &request);
                prop_assert!(page.items.len() <= limit as usize);
                shown.extend(page.items);
                let Some(next) = page.next else { break };
                request = PageRequest::new(Some(limit), Some(next)).unwrap();
                for (record, is_inserted) in change.into_iter().filter(|(record, _)| !stable.contains(record)) {
                    if is_inserted { records.insert(record); } else { records.remove(&record); }
                }
            }
            prop_assert!(shown.is_sorted_by(|one, other| one < other), "{shown:?}");
            let stable_shown: BTreeSet<_> = shown.into_iter().filter(|record| stable.contains(record)).collect();
            prop_assert_eq!(stable_shown, stable);
        }
    }

    #[test]
    fn the_last_page_has_no_cursor() {
        let records: BTreeSet<Record> = (0..4).map(|id| (0, id)).collect();
        for (limit, has_next) in [(1, true), (3, true), (4, false), (5, false)] {
            let page = page(&records, &PageRequest::new(Some(limit), None).unwrap());
            assert_eq!((page.next.is_some(), page.total), (has_next, 4), "{limit}");
        }
    }

    #[test]
    fn a_truncated_page_continues_after_its_last_record() {
        let records: BTreeSet<Record> = (0..9).map(|id| (0, id)).collect();
        for (limit, len, kept) in [(5, 2, 2), (5, 0, 1), (5, 4, 4), (5, 5, 5), (20, 3, 3), (20, 9, 9)] {
            let mut first = page(&records, &PageRequest::new(Some(limit), None).unwrap()).map(|record| record);
            first.truncate(len);
            assert_eq!((first.items.len(), first.total), (kept, 9));
            let rest = first
                .next
                .map_or(Vec::new(), |next| page(&records, &PageRequest::new(None, Some(next)).unwrap()).items);
            let all: Vec<Record> = first.items.into_iter().chain(rest).collect();
            assert!(all.into_iter().eq(records.iter().copied()), "{limit} {len}");
        }
    }

    #[test]
    fn only_limits_from_1_to_100_are_accepted() {
        assert!(PageRequest::new(Some(1), None).is_ok() && PageRequest::new(Some(100), None).is_ok());
        for bad in [0, 101, u32::MAX] {
            assert_eq!(PageRequest::new(Some(bad), None).unwrap_err().parameter, "limit");
        }
        assert_eq!(PageRequest::new(None, None), Ok(PageRequest::default()));
    }
}
