//! Confirmation of commands that delete data.

use std::io::{self, IsTerminal, Write};

use crate::error::CommandError;

/// Asks a question on the terminal, unless `--yes` answers it.
///
/// # Errors
/// [`CommandError::NotConfirmed`] if the answer is not `y` or `yes`, or if there is no terminal to ask on.
pub(crate) fn confirm(question: &str, yes: bool) -> Result<(), CommandError> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() {
        return Err(CommandError::NotConfirmed("without a terminal, confirm with --yes"));
    }
    let read_error = |source| CommandError::Read { name: "the answer from the terminal".to_owned(), source };
    let mut stderr = io::stderr().lock();
    write!(stderr, "{question} [y/N] ").and_then(|()| stderr.flush()).map_err(read_error)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(read_error)?;
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CommandError::NotConfirmed("nothing was changed")),
    }
}
