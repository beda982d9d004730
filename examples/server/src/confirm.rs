//! Asks before a command that cannot be undone.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;

use crate::error::CommandError;
use crate::output;

/// The answer to the question whether a command continues.
#[derive(Debug, Args)]
pub(crate) struct Confirmation {
    /// Does not ask. Required if standard input is not a terminal.
    #[arg(long)]
    yes: bool,
}

impl Confirmation {
    /// Whether the command does not ask.
    pub(crate) fn is_given(&self) -> bool {
        self.yes
    }

    /// Describes what the command does, and asks in a terminal whether it continues.
    ///
    /// # Errors
    /// [`CommandError::NotConfirmed`] without a terminal and without `--yes`, [`CommandError::Declined`] for any answer
    /// but `y` and `yes`.
    pub(crate) fn ask(&self, description: &str) -> Result<(), CommandError> {
        if self.yes {
            return Ok(());
        }
        if !io::stdin().is_terminal() {
            return Err(CommandError::NotConfirmed(output::printable(description)));
        }
        // The question is not part of the output, which can be JSON.
        let mut screen = io::stderr().lock();
        let question = format!("{}. Continue? [y/N] ", output::printable(description));
        write!(screen, "{question}").and_then(|()| screen.flush()).map_err(CommandError::Write)?;
        let mut answer = String::new();
        let read_error = |source| CommandError::Read { name: "standard input".to_owned(), source };
        io::stdin().lock().read_line(&mut answer).map_err(read_error)?;
        if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") { Ok(()) } else { Err(CommandError::Declined) }
    }
}
