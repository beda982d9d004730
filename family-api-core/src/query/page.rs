//! Pages of results.

use crate::query::{Cursor, Position, QueryBinding};
use crate::resource::InvalidQuery;

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
        let last = rest.last().filter(|_| has_more);
        let next = last.map(|(position, _)| binding.cursor(position));
        Self { items: rest.into_iter().map(|(_, record)| record).collect(), total, next }
    }

    /// Converts the records of the page.
    pub(crate) fn map<U>(self, convert: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(convert).collect(), total: self.total, next: self.next }
    }
}
