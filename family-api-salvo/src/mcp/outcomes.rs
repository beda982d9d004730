//! The answer of a tool that writes several records, each with its own outcome.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use crate::mcp::answer::{Answer, one_line};
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;
use crate::mcp::records::ToolRecord;

/// Maximum length of an id in the answer, in characters. Only an invalid id is longer.
const MAX_ID: usize = 100;

/// Maximum length of a title, in characters. 50 titles of this length fit into the answer.
const MAX_TITLE: usize = 120;

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Outcomes {
    // Number of records that were added or changed.
    changed: usize,
    outcomes: Vec<Outcome>,
}

// The outcome of one record.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    result: OutcomeResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    // The due date, or the start and end.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    // The column or list.
    #[serde(skip_serializing_if = "Option::is_none")]
    container_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum OutcomeResult {
    Added,
    Changed,
    Unchanged,
    Failed,
}

impl Outcomes {
    /// Adds the outcome of the next record. `failed` is the outcome if the service failed after it had written others.
    ///
    /// # Errors
    /// The fault of the service if nothing was written yet. The whole call then fails, like the first request of a
    /// series.
    pub(super) fn add(
        &mut self,
        outcome: Result<Outcome, ToolError>,
        failed: impl FnOnce(String) -> Outcome,
        advice: &str,
    ) -> Result<(), ToolError> {
        self.outcomes.push(match outcome {
            Ok(outcome) => outcome,
            Err(ToolError::Correctable(reason)) => failed(reason),
            Err(fault) if self.changed == 0 => return Err(fault),
            Err(ToolError::Fault(_)) => failed(format!("the service failed; {advice}")),
        });
        let is_write = |outcome: &&Outcome| matches!(outcome.result, OutcomeResult::Added | OutcomeResult::Changed);
        self.changed = self.outcomes.iter().filter(is_write).count();
        Ok(())
    }

    /// Returns the answer. The text begins with the heading, which counts the records, and has one line a record.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with the text if every record failed.
    pub(super) fn into_answer(self, heading: &str, verb: &str, last_line: &str) -> Result<Answer, ToolError> {
        let mut text = match self.changed {
            0 => "Nothing changed.\n".to_owned(),
            changed => format!("{heading}: {changed} of {}.\n", self.outcomes.len()),
        };
        for outcome in &self.outcomes {
            let result = match outcome.result {
                OutcomeResult::Added | OutcomeResult::Changed => verb,
                OutcomeResult::Unchanged => "unchanged",
                OutcomeResult::Failed => "failed",
            };
            let id = outcome.id.as_deref().map(|id| format!("[{id}] ")).unwrap_or_default();
            let _ = write!(text, "- {id}{result}");
            if let Some(title) = &outcome.title {
                let _ = write!(text, " {title}");
            }
            if let Some(when) = &outcome.when {
                let _ = write!(text, ", {when}");
            }
            if let Some(container) = &outcome.container_id {
                let _ = write!(text, ", in [{container}]");
            }
            if let Some(reason) = &outcome.reason {
                let _ = write!(text, " ({reason})");
            }
            text.push('\n');
        }
        if self.outcomes.iter().all(|outcome| outcome.result == OutcomeResult::Failed) {
            return Err(ToolError::Correctable(text));
        }
        text.push_str(last_line);
        Answer::new(&self, text)
    }
}

impl Outcome {
    /// A record that was added.
    pub(super) fn added<R: ToolRecord>(record: &R, call: &Call) -> Self {
        Self {
            when: record.when(call.zone()),
            container_id: record.container().map(str::to_owned),
            ..Self::changed(record, OutcomeResult::Added)
        }
    }

    /// A record that an earlier call added.
    pub(super) fn replayed<R: ToolRecord>(record: &R, call: &Call) -> Self {
        let reason = "an earlier call with this idempotency_key already added it".to_owned();
        Self { result: OutcomeResult::Unchanged, reason: Some(reason), ..Self::added(record, call) }
    }

    /// A record that was changed.
    pub(super) fn changed<R: ToolRecord>(record: &R, result: OutcomeResult) -> Self {
        let title = Some(one_line(record.title(), MAX_TITLE));
        Self { id: Some(record.id().to_string()), result, title, when: None, container_id: None, reason: None }
    }

    /// A record that did not need a change.
    pub(super) fn unchanged(id: &str, reason: &str) -> Self {
        Self { result: OutcomeResult::Unchanged, ..Self::failed(id, reason.to_owned()) }
    }

    /// A record that could not be changed.
    pub(super) fn failed(id: &str, reason: String) -> Self {
        Self { id: Some(one_line(id, MAX_ID)), title: None, ..Self::not_added("", reason) }
    }

    /// A record that could not be added.
    pub(super) fn not_added(title: &str, reason: String) -> Self {
        Self {
            id: None,
            result: OutcomeResult::Failed,
            title: Some(one_line(title, MAX_TITLE)),
            when: None,
            container_id: None,
            reason: Some(reason),
        }
    }
}
