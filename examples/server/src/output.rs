//! What is printed for people: results on standard output, complaints on standard error.

use std::error::Error;
use std::io::{self, Write};

use crate::error::CommandError;

/// Prints a text and hands it over at once, so that whoever waits for it sees it.
pub(crate) fn print(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(CommandError::Write)
}

/// Prints why the command failed, in one line.
pub(crate) fn complain(error: &CommandError) {
    // Where standard error is closed, nobody is left to be told.
    let _ = writeln!(io::stderr(), "family-api-server: {}", one_line(error));
}

/// An error with its sources, the cause last.
fn one_line(error: &CommandError) -> String {
    let sources = std::iter::successors(error.source(), |source| (*source).source());
    let messages: Vec<String> = std::iter::once(error.to_string()).chain(sources.map(ToString::to_string)).collect();
    messages.join(": ").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_with_its_cause_in_one_line() {
        let source = io::Error::other("taken\nalready");
        let error = CommandError::Listen { address: "127.0.0.1:1".to_owned(), source };
        assert_eq!(one_line(&error), "cannot listen on 127.0.0.1:1, --listen takes another: taken already");
    }
}
