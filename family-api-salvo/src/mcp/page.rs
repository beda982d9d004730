//! The arguments `limit` and `cursor` of tools that return pages.

use family_api_core::Error;
use family_api_core::query::{Cursor, PageRequest};

use crate::mcp::answer::{Answer, MAX_BYTES};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::error::ToolError;

pub(super) const LIMIT: Argument =
    Argument::optional("limit", Kind::Integer(1, PageRequest::MAX_LIMIT as i64), "Records in the answer. Default: 20.");
pub(super) const CURSOR: Argument =
    Argument::optional("cursor", Kind::Text(200), "nextCursor of the previous answer, with the same other arguments.");

/// The page that a call asks for. The limit decreases until the answer fits.
pub(super) struct Paging {
    limit: u32,
    cursor: Option<Cursor>,
}

impl Paging {
    pub(super) fn new(arguments: &Arguments) -> Result<Self, ToolError> {
        let limit = arguments.integer("limit").and_then(|limit| limit.try_into().ok());
        let cursor = arguments.text("cursor").map(str::parse).transpose().map_err(Error::from)?;
        Ok(Self { limit: limit.unwrap_or(PageRequest::DEFAULT_LIMIT), cursor })
    }

    pub(super) fn request(&self) -> Result<PageRequest, ToolError> {
        Ok(PageRequest::new(Some(self.limit), self.cursor.clone()).map_err(Error::from)?)
    }

    /// Returns whether the answer fits. Otherwise decreases the limit, so that the next page continues where the
    /// shorter answer ends.
    pub(super) fn accepts(&mut self, answer: &Answer) -> bool {
        let size = answer.size();
        if size <= MAX_BYTES || self.limit == 1 {
            return true;
        }
        let share = u64::from(self.limit) * MAX_BYTES as u64 / size as u64;
        let fitting = u32::try_from(share).unwrap_or(1);
        self.limit = fitting.min(self.limit - 1).max(1);
        false
    }
}

/// Returns the last line of a page: how to get the rest.
pub(super) fn rest_line(shown: usize, total: usize, next: Option<&Cursor>) -> String {
    match next {
        Some(next) => format!("{shown} of {total} shown. For the next page, repeat the call with cursor {next}\n"),
        None => String::new(),
    }
}
