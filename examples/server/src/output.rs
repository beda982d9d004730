//! Output for people: results on standard output, errors on standard error.

use std::error::Error;
use std::io::{self, Write};

use crate::error::CommandError;

/// Prints a text and flushes standard output, so that a waiting process sees it at once.
pub(crate) fn print(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(CommandError::Write)
}

/// Returns the text on one line, without characters that control a terminal or reorder text.
pub(crate) fn printable(text: &str) -> String {
    // The two ranges are bidirectional controls (UAX #9).
    let is_control = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.replace(is_control, "\u{fffd}")
}

/// Prints an error and its causes on one line.
pub(crate) fn print_error(error: &CommandError) {
    // If standard error is closed, the exit code still reports the failure.
    let _ = writeln!(io::stderr(), "family-api-server: {}", one_line(error));
}

/// Joins the messages of an error and of its sources. Leaves out a message with which the one before it ends, because
/// each error of the database driver repeats its source.
fn one_line(error: &CommandError) -> String {
    let sources = std::iter::successors(error.source(), |source| (*source).source());
    let line = sources.map(ToString::to_string).fold(error.to_string(), |line, message| {
        if line.ends_with(&message) { line } else { format!("{line}: {message}") }
    });
    line.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use family_api_core::storage::StorageError;

    use super::*;

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(printable("\u{1b}[31mAna\n\u{202e}x"), "\u{fffd}[31mAna\u{fffd}\u{fffd}x");
        assert_eq!(printable("Київ 👩‍👧"), "Київ 👩‍👧");
    }

    #[test]
    fn an_error_and_its_cause_are_printed_on_one_line() {
        let source = io::Error::other("taken\nalready");
        let error = CommandError::Listen { address: "127.0.0.1:1".to_owned(), option: "--listen", source };
        assert_eq!(one_line(&error), "cannot listen on 127.0.0.1:1 (set --listen to another address): taken already");
    }

    #[test]
    fn a_cause_that_is_already_in_the_message_is_not_repeated() {
        let error = sqlx::Error::Io(io::Error::other("the disk is full"));
        let error = CommandError::Storage(StorageError::unavailable(error));
        let line = one_line(&error);
        assert!(line.starts_with("database error: the storage is not available: "), "{line}");
        assert_eq!(line.matches("the disk is full").count(), 1, "{line}");
    }
}
