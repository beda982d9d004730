//! The arguments `limit` and `cursor` of tools that return pages.

use family_api_core::Error;
use family_api_core::query::{Cursor, Page, PageRequest};
use serde::Serialize;

use crate::answer::{self, MAX_BYTES};
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::error::ToolError;

pub(crate) const LIMIT: Argument =
    Argument::optional("limit", ArgumentType::Integer(1, PageRequest::MAX_LIMIT as i64), "1 to 100. Default: 20.");
pub(crate) const CURSOR: Argument = Argument::optional("cursor", ArgumentType::Text(200), "");

/// Space for the parts of an answer that are not records, in bytes.
const RESERVED: usize = 3 * 1024;

/// Returns the page that a call asks for.
///
/// # Errors
/// [`ToolError::Correctable`] if the cursor has no valid form.
pub(crate) fn request(arguments: &Arguments) -> Result<PageRequest, ToolError> {
    let limit = arguments.integer("limit").and_then(|limit| limit.try_into().ok());
    Ok(PageRequest::new(limit, cursor(arguments)?).map_err(Error::from)?)
}

/// Returns the argument `cursor`.
///
/// # Errors
/// [`ToolError::Correctable`] if it has no valid form.
pub(crate) fn cursor(arguments: &Arguments) -> Result<Option<Cursor>, ToolError> {
    Ok(arguments.text("cursor").map(str::parse).transpose().map_err(Error::from)?)
}

/// Removes the last records of a page if they do not fit into an answer. The next page begins with them. Returns the
/// lines of the other records.
///
/// # Errors
/// [`ToolError::Fault`] if a record cannot be serialized.
pub(crate) fn fit<T: Serialize>(page: &mut Page<T>, line: impl Fn(&T) -> String) -> Result<String, ToolError> {
    let mut size = RESERVED;
    let mut fitting = 0;
    let mut lines = String::new();
    for item in &page.items {
        let line = line(item);
        // The size of one record, as content and as text, with a separator.
        size += answer::size(item, &line)? + 1;
        // A page has at least one record.
        if size > MAX_BYTES && fitting > 0 {
            break;
        }
        lines.push_str(&line);
        fitting += 1;
    }
    page.truncate(fitting);
    Ok(lines)
}

/// Returns the last line of a page: how to get the rest.
pub(crate) fn rest_line<T>(page: &Page<T>) -> String {
    let (shown, total) = (page.items.len(), page.total);
    match &page.next {
        Some(next) => format!("{shown} of {total} shown. For the next page, repeat the call with cursor {next}\n"),
        None => String::new(),
    }
}
