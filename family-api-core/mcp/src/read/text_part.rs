//! The content of a note, or the description of a task, which can be long.
//!
//! An answer contains a short text twice: in the structured content, and in the text for clients that show only the
//! text. A longer one is only in the text, which every client shows, and the structured content has its length.

use std::fmt::Write;

use crate::answer::{MAX_BYTES, beginning};
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::error::ToolError;

pub(crate) const OFFSET: Argument =
    Argument::optional("offset", ArgumentType::Integer(0, u32::MAX as i64), "The previous nextOffset.");

/// Space for the warning in the text and for `nextOffset`, in bytes.
const WARNING: usize = 600;

/// Maximum length of a text that is in both parts of an answer, in characters.
const MAX_SHORT: usize = 2_000;

/// A part of a long text. Positions are in characters.
pub(crate) struct TextPart<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    /// Length of the whole text.
    pub(crate) total: usize,
}

impl<'a> TextPart<'a> {
    /// Returns the part that begins at the argument `offset` and fits into an answer. `rest` is the size of the answer
    /// without the part.
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
        let copies = if total <= MAX_SHORT { 2 } else { 1 };
        let text = beginning(from, MAX_BYTES.saturating_sub(rest + WARNING) / copies);
        Ok(Self { text, start, end: start + text.chars().count(), total })
    }

    /// Returns the part for the structured content, if the text is short.
    pub(crate) fn structured(&self) -> Option<String> {
        (self.total <= MAX_SHORT).then(|| self.text.to_owned())
    }

    /// Returns whether a part of the text is missing before or after this part.
    pub(crate) fn is_cut(&self) -> bool {
        self.start > 0 || self.end < self.total
    }

    /// Returns the offset of the next part.
    pub(crate) fn next_offset(&self) -> Option<usize> {
        (self.end < self.total).then_some(self.end)
    }

    /// Returns the lines of the text: a warning if the part is not the whole text, then the part under a heading. The
    /// part is last, so that nothing in it can be read as a line of the answer.
    pub(crate) fn lines(&self, heading: &str, update_tool: &str) -> String {
        let Self { text, start, end, total } = self;
        let mut lines = String::new();
        if self.is_cut() {
            let first = start + 1;
            let _ = write!(
                lines,
                "Not complete: characters {first} to {end} of {total}. Do not write this part back with {update_tool}: \
                 the rest would be lost."
            );
            if let Some(next) = self.next_offset() {
                let _ = write!(
                    lines,
                    " For the next part, repeat the call with offset {next}. If its etag is another, start again."
                );
            }
            lines.push('\n');
        }
        lines + &format!("{heading} ({total} characters):\n{text}\n")
    }
}
