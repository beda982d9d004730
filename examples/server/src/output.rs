//! Output for people: results on standard output, errors on standard error.

use std::error::Error;
use std::io::{self, Write};

use crate::error::CommandError;

/// Prints a text and flushes standard output, so that a waiting process sees it at once.
pub(crate) fn print(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(CommandError::Write)
}

/// Prints an error and its causes on one line.
pub(crate) fn print_error(error: &CommandError) {
    // If standard error is closed, the exit code still reports the failure.
    let _ = writeln!(io::stderr(), "family-api-server: {}", one_line(error));
}

/// Joins the messages of an error and of its sources.
fn one_line(error: &CommandError) -> String {
    let sources = std::iter::successors(error.source(), |source| (*source).source());
    let messages: Vec<String> = std::iter::once(error.to_string()).chain(sources.map(ToString::to_string)).collect();
    messages.join(": ").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_and_its_cause_are_printed_on_one_line() {
        let source = io::Error::other("taken\nalready");
        let error = CommandError::Listen { address: "127.0.0.1:1".to_owned(), option: "--listen", source };
        assert_eq!(one_line(&error), "cannot listen on 127.0.0.1:1 (set --listen to another address): taken already");
    }
}
