//! The answer of a tool: the structured content, and a text for models that read only text.

use std::io;

use family_api_core::Error;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::ToolError;

/// Maximum size of an answer in bytes: the structured content and the text together.
pub(crate) const MAX_BYTES: usize = 76 * 1024;

/// The answer of a tool: structured content, and a text for models that read only text.
#[derive(Debug)]
pub struct Answer {
    structured: Box<RawValue>,
    text: String,
    size: usize,
}

impl Answer {
    /// Serializes the structured content.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the content cannot be serialized.
    pub(crate) fn new(structured: &impl Serialize, text: String) -> Result<Self, ToolError> {
        let structured = to_raw_value(structured).map_err(fault)?;
        let size = size(&*structured, &text)?;
        Ok(Self { structured, text, size })
    }

    /// Returns the size of the answer in bytes, as it is sent.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the structured content, which has the output schema of the tool, and the text.
    #[must_use]
    pub fn into_parts(self) -> (Box<RawValue>, String) {
        (self.structured, self.text)
    }
}

/// Returns the size of structured content and text as JSON, in bytes.
///
/// # Errors
/// [`ToolError::Fault`] if the content cannot be serialized.
pub(crate) fn size(structured: &(impl Serialize + ?Sized), text: &str) -> Result<usize, ToolError> {
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, structured).map_err(fault)?;
    serde_json::to_writer(&mut counter, text).map_err(fault)?;
    Ok(counter.0)
}

/// Returns the fault of content that cannot be serialized.
pub(crate) fn fault(error: serde_json::Error) -> ToolError {
    ToolError::Fault(Error::Internal(Box::new(error)))
}

/// Counts bytes without storing them.
struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the longest beginning of a text that has at most `max` bytes as JSON.
pub(crate) fn beginning(text: &str, max: usize) -> &str {
    let mut size = 0_usize;
    let end = text.char_indices().find(|(_, letter)| {
        size += match letter {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            letter if letter.is_control() => 6,
            letter => letter.len_utf8(),
        };
        size > max
    });
    end.map_or(text, |(end, _)| text.get(..end).unwrap_or_default())
}

/// Returns user text as one line of at most `max` characters, for the text of an answer.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    if text.len() <= max && !text.contains(ends_line) {
        return text.to_owned();
    }
    let mut letters = text.chars().map(|letter| if ends_line(letter) { ' ' } else { letter });
    let mut line: String = letters.by_ref().take(max).collect();
    if letters.next().is_some() {
        line.push('…');
    }
    line
}

/// Returns whether a model can read a character as the end of a line: a control character, or a separator of lines or
/// paragraphs.
fn ends_line(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn beginning_fits_as_json() {
        for text in ["\"".repeat(50), "😀".repeat(50), "\u{1}".repeat(50), "a\n".repeat(50)] {
            let short = beginning(&text, 20);
            assert!(text.starts_with(short) && !short.is_empty());
            assert!(Value::from(short).to_string().len() <= 22, "{short:?}");
        }
        assert_eq!(beginning("short", 20), "short");
    }

    #[test]
    fn user_text_stays_on_one_line() {
        assert_eq!(one_line("a\nb\r\tc", 10), "a b  c");
        assert_eq!(one_line("a\u{85}b\u{2028}c\u{2029}d", 10), "a b c d");
        assert_eq!(one_line("abcd", 3), "abc…");
        assert_eq!(one_line("äbc", 3), "äbc");
    }
}
