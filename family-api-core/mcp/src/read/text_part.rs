//! The content of a note, or the description of a task or an event, which can be long.
//!
//! Some clients show their model only the structured content, and others only the text, so both have the same part of it.
//! A longer text is read in parts, so that no answer has it whole twice.

use std::fmt::Write;

use crate::answer::{MAX_BYTES, beginning};
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::error::ToolError;

pub(crate) const OFFSET: Argument = Argument::optional("offset", ArgumentType::Integer(0, u32::MAX as i64), "");

/// Space for the notice and for `nextOffset`, in bytes.
const NOTICE: usize = 1_000;

/// Maximum length of a part, in characters.
const MAX_PART: usize = 10_000;

/// A part of a long text. Positions are in characters.
pub(crate) struct TextPart<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    /// Length of the whole text.
    pub(crate) total: usize,
}

impl<'a> TextPart<'a> {
    /// Returns the part that begins at the argument `offset` and fits into an answer twice. `rest` is the size of the
    /// answer without the part.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] if the offset is after the end of the text.
    pub(crate) fn new(whole: &'a str, arguments: &Arguments, rest: usize) -> Result<Self, ToolError> {
        let start = arguments.integer("offset").and_then(|offset| usize::try_from(offset).ok()).unwrap_or_default();
        let total = whole.chars().count();
        if start > total {
            let fault = format!("offset: expected at most {total}, the number of characters");
            return Err(ToolError::of_arguments(std::iter::once(fault), 1, ""));
        }
        let from = whole.char_indices().nth(start).map_or("", |(at, _)| whole.get(at..).unwrap_or_default());
        let end = from.char_indices().nth(MAX_PART).map_or(from.len(), |(at, _)| at);
        let longest = from.get(..end).unwrap_or_default();
        let text = beginning(longest, MAX_BYTES.saturating_sub(rest + NOTICE) / 2);
        Ok(Self { text, start, end: start + text.chars().count(), total })
    }

    /// Returns the part for the structured content.
    pub(crate) fn structured(&self) -> String {
        self.text.to_owned()
    }

    /// Returns whether a part of the text is missing before or after this part.
    pub(crate) fn is_cut(&self) -> bool {
        self.start > 0 || self.end < self.total
    }

    /// Returns the offset of the next part.
    pub(crate) fn next_offset(&self) -> Option<usize> {
        (self.end < self.total).then_some(self.end)
    }

    /// Returns a notice if the part is not the whole text: how to get the rest, and that `update_tool` must not write the
    /// part back. After a change, the answer has another etag.
    pub(crate) fn notice(&self, update_tool: &str) -> Option<String> {
        let Self { start, end, total, .. } = self;
        let first = start + 1;
        let next = self.next_offset().map(|next| {
            format!(" For the next part, repeat the call with offset {next}. If its etag is another, start again.")
        });
        self.is_cut().then(|| {
            format!(
                "Not complete: characters {first} to {end} of {total}. Do not write this part back with {update_tool}: \
                 the rest would be lost.{}",
                next.unwrap_or_default()
            )
        })
    }

    /// Returns the lines of the text: the notices, then the part under a heading. The part is last, so that nothing in it
    /// can be read as a line of the answer.
    pub(crate) fn lines(&self, heading: &str, notices: &[String]) -> String {
        let mut lines = String::new();
        for notice in notices {
            let _ = writeln!(lines, "{notice}");
        }
        let _ = writeln!(lines, "{heading} ({} characters):\n{}", self.total, self.text);
        lines
    }
}
