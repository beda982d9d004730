//! The answer of a tool that writes several records, each with its own outcome.

use std::fmt::Write;

use family_api_core::Error;
use family_api_core::query::ClashQuery;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, fault, one_line, size};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::instructions::capitalized;
use crate::records::schema;
use crate::write::changed::Failure;
use crate::write::clash_report::ClashReport;
use crate::write::tool_record::ToolRecord;

/// Maximum length of an id in the answer, in characters. Only an invalid id is longer.
const MAX_ID: usize = 100;

/// Maximum length of a title, in characters. 50 titles of this length fit into the answer.
const MAX_TITLE: usize = 120;

/// Maximum size of the details of all records in the answer, in bytes. Records after them have only an id and a title.
const MAX_DETAILS: usize = 40 * 1024;

/// The advice after a fault of the service, if a repetition of the write does no harm.
pub(crate) const AGAIN: &str = "repeat the call with this id";

/// The advice after a fault of the service, if a repetition of a change can do harm.
pub(crate) const READ_FIRST: &str = "it may have been changed: read it before you repeat the call with this id";

#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Outcomes {
    // Number of records that were added, changed, deleted or restored.
    changed: usize,
    #[serde(rename = "outcomes")]
    of_records: Vec<Outcome>,
    // What the last lines of the text say about all records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    notices: Vec<String>,
    // Why every other record would fail too.
    #[serde(skip)]
    stopped: Option<String>,
}

// The outcome of one record.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    result: OutcomeResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    // The due date, or the start and end.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    // What an event overlaps with.
    #[serde(skip_serializing_if = "Option::is_none")]
    clashes: Option<ClashReport>,
    // The record after a change, instead of the members above.
    #[serde(flatten)]
    #[schemars(skip)]
    details: Map<String, Value>,
    // The details in the text. They end with the end of a line.
    #[serde(skip)]
    lines: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OutcomeResult {
    Added,
    Changed,
    Deleted,
    Unchanged,
    Failed,
}

impl Outcomes {
    /// Returns the schema of an answer.
    pub(crate) fn schema() -> Value {
        let mut schema = schema::<Self>();
        schema["properties"]["outcomes"] = json!({ "type": "array" });
        schema
    }

    /// Returns the schema of an answer whose text has last lines.
    pub(crate) fn schema_with_notices() -> Value {
        let mut schema = Self::schema();
        schema["properties"]["notices"] = json!({ "type": "array", "items": { "type": "string" } });
        schema
    }

    /// Returns whether the next record must not be written, because it would fail too. Adds its outcome then: `failed`
    /// with the reason.
    pub(crate) fn skips(&mut self, failed: impl FnOnce(String) -> Outcome) -> bool {
        let Some(reason) = &self.stopped else { return false };
        self.of_records.push(failed(format!("not tried: {reason}")));
        true
    }

    /// Adds the outcome of a write. `failed` is the outcome if the record was not written. After a failure that every
    /// other record would have too, [`skips`](Self::skips) returns true. A fault of the service is logged.
    ///
    /// # Errors
    /// The fault of the service if nothing was written yet. The whole call then fails, like the first request of a
    /// series.
    pub(crate) fn add(
        &mut self,
        context: &ToolContext,
        written: Result<Outcome, ToolError>,
        failed: impl FnOnce(String) -> Outcome,
        advice: &str,
    ) -> Result<(), ToolError> {
        let reason = match written {
            Ok(outcome) => {
                self.changed += usize::from(outcome.is_write());
                self.of_records.push(outcome);
                return Ok(());
            }
            Err(ToolError::Correctable(reason)) => reason,
            Err(ToolError::LimitReached(reason)) => self.stop(reason),
            Err(fault) if self.changed == 0 => return Err(fault),
            Err(ToolError::Fault(error)) if is_refusal(&error) => self.stop(format!("the access ended: {error}")),
            Err(ToolError::Fault(error)) => {
                context.log(&error);
                format!("the service failed; {advice}")
            }
        };
        self.of_records.push(failed(reason));
        Ok(())
    }

    /// Returns the result of an update. A fault of the arguments ends the call, unless a record was changed before.
    ///
    /// # Errors
    /// The fault of the arguments.
    pub(crate) fn unless_argument<T>(&self, updated: Result<T, Failure>) -> Result<Result<T, ToolError>, ToolError> {
        match updated {
            Ok(updated) => Ok(Ok(updated)),
            Err(Failure::Argument(error)) if self.changed == 0 => Err(error),
            Err(Failure::Argument(error) | Failure::Record(error)) => Ok(Err(error)),
        }
    }

    /// Returns whether a record was added, changed or deleted.
    pub(crate) const fn has_changes(&self) -> bool {
        self.changed > 0
    }

    /// Returns the number of outcomes.
    pub(crate) const fn len(&self) -> usize {
        self.of_records.len()
    }

    /// Checks events that were written, each with the index of its outcome, and reports what they overlap with.
    pub(crate) async fn check_clashes(&mut self, context: &ToolContext, events: Vec<(usize, ClashQuery)>) {
        let (indexes, queries): (Vec<_>, Vec<_>) = events.into_iter().unzip();
        for (index, report) in indexes.into_iter().zip(ClashReport::check(context, queries).await) {
            if let Some(outcome) = self.of_records.get_mut(index) {
                outcome.clashes = Some(report);
            }
        }
    }

    fn stop(&mut self, reason: String) -> String {
        self.stopped.insert(reason).clone()
    }

    /// Returns the answer. The text begins with the heading, which counts the records. One line a record follows, or its
    /// details.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with the text if every record failed.
    pub(crate) fn into_answer(mut self, heading: &str, verb: &str, last_line: &str) -> Result<Answer, ToolError> {
        let mut space = MAX_DETAILS;
        for outcome in &mut self.of_records {
            space = space.saturating_sub(size(&outcome.details, &outcome.lines)?);
            if space == 0 {
                outcome.omit_details();
            }
        }
        let mut text = match self.changed {
            0 => "Nothing changed.\n".to_owned(),
            changed => format!("{heading}: {changed} of {}.\n", self.of_records.len()),
        };
        for outcome in &self.of_records {
            let result = match outcome.result {
                OutcomeResult::Added | OutcomeResult::Changed | OutcomeResult::Deleted => verb,
                OutcomeResult::Unchanged => "unchanged",
                OutcomeResult::Failed => "failed",
            };
            if !outcome.lines.is_empty() {
                let _ = write!(text, "- {result} {}", outcome.lines);
                if let Some(clashes) = &outcome.clashes {
                    let _ = writeln!(text, "{}.", capitalized(&clashes.words()));
                }
                continue;
            }
            let id = outcome.id.as_deref().map(|id| format!("[{id}] ")).unwrap_or_default();
            let _ = write!(text, "- {id}{result}");
            if let Some(title) = &outcome.title {
                let _ = write!(text, " {title}");
            }
            if let Some(when) = &outcome.when {
                let _ = write!(text, ", {when}");
            }
            if let Some(rule) = &outcome.recurrence {
                let _ = write!(text, ", repeated by {rule}");
            }
            if let Some(assignee) = &outcome.assignee {
                let _ = write!(text, ", for {assignee}");
            }
            if let Some(container) = outcome.column.as_ref().or(outcome.list.as_ref()) {
                let _ = write!(text, ", in [{container}]");
            }
            if let Some(reason) = &outcome.reason {
                let _ = write!(text, " ({reason})");
            }
            if let Some(clashes) = &outcome.clashes {
                let _ = write!(text, "; {}", clashes.words());
            }
            text.push('\n');
        }
        if !self.of_records.is_empty() && self.of_records.iter().all(|outcome| outcome.result == OutcomeResult::Failed)
        {
            return Err(ToolError::Correctable(text));
        }
        text.push_str(last_line);
        self.notices.extend(last_line.lines().map(str::to_owned));
        Answer::new(&self, text)
    }
}

/// Returns whether the service refused the credential. It became invalid during the call.
fn is_refusal(error: &Error) -> bool {
    let (status, _) = error.code().row();
    status == 401
}

impl Outcome {
    fn is_write(&self) -> bool {
        matches!(self.result, OutcomeResult::Added | OutcomeResult::Changed | OutcomeResult::Deleted)
    }

    /// A record that was written, with details. `lines` has them in the text.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the details cannot be serialized.
    pub(crate) fn detailed(result: OutcomeResult, details: &impl Serialize, lines: String) -> Result<Self, ToolError> {
        let details = match serde_json::to_value(details).map_err(fault)? {
            Value::Object(details) => details,
            _ => Map::new(),
        };
        Ok(Self { title: None, result, reason: None, details, lines, ..Self::not_added("", String::new()) })
    }

    /// Keeps only the id and the title of the details.
    fn omit_details(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        let text = |name: &str| self.details.get(name).and_then(Value::as_str);
        self.id = text("id").map(|id| one_line(id, MAX_ID));
        self.title = text("title").or_else(|| text("name")).map(|title| one_line(title, MAX_TITLE));
        self.reason = Some("read it for its values: this answer is too long for them".to_owned());
        self.details.clear();
        self.lines.clear();
    }

    /// A record that was added.
    pub(crate) fn added<R: ToolRecord>(record: &R, context: &ToolContext) -> Self {
        Self {
            when: record.when(context.zone()),
            recurrence: record.recurrence().map(|rule| one_line(rule, MAX_TITLE)),
            assignee: record.assignee().map(|assignee| one_line(&assignee, MAX_TITLE)),
            column: record.column().map(str::to_owned),
            list: record.list().map(str::to_owned),
            ..Self::written(record, OutcomeResult::Added)
        }
    }

    /// Gives the notices about a record as its reason.
    pub(crate) fn noting(self, notices: &[String]) -> Self {
        Self { reason: (!notices.is_empty()).then(|| notices.join("; ")), ..self }
    }

    /// Says when the record is.
    pub(crate) fn on(self, when: String) -> Self {
        Self { when: Some(when), ..self }
    }

    /// A record that an earlier call added.
    pub(crate) fn replayed<R: ToolRecord>(record: &R, context: &ToolContext) -> Self {
        let reason = "an earlier call with this idempotencyKey already added it".to_owned();
        Self { result: OutcomeResult::Unchanged, reason: Some(reason), ..Self::added(record, context) }
    }

    /// A record that was added or changed.
    pub(crate) fn written<R: ToolRecord>(record: &R, result: OutcomeResult) -> Self {
        let id = Some(record.id().to_string());
        Self { id, result, reason: None, ..Self::not_added(record.title(), String::new()) }
    }

    /// Returns the size of the title in the structured content and in the text, in bytes.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the title cannot be serialized.
    pub(crate) fn title_size(&self) -> Result<usize, ToolError> {
        let title = self.title.as_deref().unwrap_or_default();
        size(title, title)
    }

    /// Leaves the title out.
    pub(crate) fn without_title(self) -> Self {
        Self { title: None, ..self }
    }

    /// A record that was deleted.
    pub(crate) fn deleted<R: ToolRecord>(record: &R) -> Self {
        Self::written(record, OutcomeResult::Deleted)
    }

    /// A record that was restored, or did not need it for a reason.
    pub(crate) fn restored(id: &str, title: &str, reason: Option<&str>) -> Self {
        let result = if reason.is_some() { OutcomeResult::Unchanged } else { OutcomeResult::Changed };
        let title = Some(one_line(title, MAX_TITLE));
        Self { result, title, reason: reason.map(str::to_owned), ..Self::failed(id, String::new()) }
    }

    /// A record that was not added, because a record of its container has its name. `title` shows that record.
    pub(crate) fn present(id: &str, title: &str, reason: &str) -> Self {
        Self { title: Some(one_line(title, MAX_TITLE)), ..Self::unchanged(id, reason) }
    }

    /// A record that did not need a change.
    pub(crate) fn unchanged(id: &str, reason: &str) -> Self {
        Self { result: OutcomeResult::Unchanged, ..Self::failed(id, reason.to_owned()) }
    }

    /// A record that could not be changed.
    pub(crate) fn failed(id: &str, reason: String) -> Self {
        Self { id: Some(one_line(id, MAX_ID)), title: None, ..Self::not_added("", reason) }
    }

    /// A record that could not be added.
    pub(crate) fn not_added(title: &str, reason: String) -> Self {
        Self {
            id: None,
            result: OutcomeResult::Failed,
            title: Some(one_line(title, MAX_TITLE)),
            when: None,
            recurrence: None,
            assignee: None,
            column: None,
            list: None,
            reason: Some(reason),
            clashes: None,
            details: Map::new(),
            lines: String::new(),
        }
    }
}
