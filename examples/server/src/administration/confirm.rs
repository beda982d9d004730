//! Asks before a command that cannot be undone.

use std::io::{self, BufRead, IsTerminal, Write};

use family_api_core::storage::KindCount;

use crate::administration::options::Confirmation;
use crate::error::CommandError;
use crate::output;

impl Confirmation {
    /// Describes what the command does, and asks in a terminal whether it continues.
    ///
    /// # Errors
    /// [`CommandError::NotConfirmed`] without a terminal and without `--yes`, [`CommandError::Declined`] for any answer
    /// but `y` and `yes`.
    pub(super) fn ask(&self, description: &str) -> Result<(), CommandError> {
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

/// Returns the numbers of the kinds that are not 0, such as `task: 3, note: 1`.
pub(super) fn describe(counts: &[KindCount]) -> String {
    let counts = counts.iter().filter(|count| count.count > 0);
    let counts: Vec<String> = counts.map(|count| format!("{}: {}", count.kind, count.count)).collect();
    if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") }
}

/// Returns all numbers as a JSON object.
pub(super) fn json(counts: &[KindCount]) -> serde_json::Map<String, serde_json::Value> {
    counts.iter().map(|count| (count.kind.to_owned(), count.count.into())).collect()
}
