//! The results of the checks.

use serde::Serialize;

use crate::failure::Failure;
use crate::json;
use crate::output::{self, Output};
use crate::text::escape_controls;

/// The results of all checks of a service.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The base URL of the service.
    pub(crate) url: String,
    /// The checks, in the order in which they ran.
    pub(crate) checks: Vec<Check>,
}

/// The result of one check.
#[derive(Debug, Serialize)]
pub(crate) struct Check {
    name: String,
    outcome: Outcome,
    /// What was found. If the check did not succeed, also what to mend.
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Ok,
    /// Some assistants or calendar programs may not work.
    Warning,
    /// No assistant works, or none can connect without a key. Or most calendar programs cannot read the feed.
    Failed,
}

impl Outcome {
    fn label(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

impl Check {
    pub(crate) fn ok(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), outcome: Outcome::Ok, message: message.into() }
    }

    pub(crate) fn warning(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), outcome: Outcome::Warning, message: message.into() }
    }

    pub(crate) fn failed(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), outcome: Outcome::Failed, message: message.into() }
    }

    /// Replaces a secret, which the message can contain because it quotes the server.
    pub(crate) fn redact(&mut self, secret: &str) {
        self.message = self.message.replace(secret, "…");
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.outcome == Outcome::Failed
    }

    /// Returns the line for people. The message can quote the server, so its control characters are escaped.
    pub(crate) fn to_line(&self) -> String {
        escape_controls(&format!("{:<8} {}: {}", self.outcome.label(), self.name, self.message))
    }
}

impl Report {
    /// Prints one line for each check, or one JSON document.
    pub(crate) fn print(&self, output: Output) -> Result<(), Failure> {
        if output == Output::Json {
            return Ok(output::print_line(&json::document(self)?)?);
        }
        for check in &self.checks {
            output::print_line(&check.to_line())?;
        }
        Ok(())
    }

    pub(crate) fn failed_count(&self) -> usize {
        self.checks.iter().filter(|check| check.has_failed()).count()
    }
}
