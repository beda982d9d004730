//! The answers of tools that change a record.

use std::fmt::Write;
use std::future::ready;

use family_api_core::calendar::Zone;
use family_api_core::change::TimeNotice;
use family_api_core::resource::{Note, ShoppingItem, Task};
use family_api_core::storage::StorageError;
use family_api_core::validation::{Json, Reference};
use family_api_core::{Error, Precondition, RecordService, Updated};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::answer::{Answer, one_line};
use crate::arguments::Members;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::instant::local_time;
use crate::names::{self, Directory};
use crate::records::{MAX_LINE, due_text, labels, name, schema, title};
use crate::write::fields::etag;
use crate::write::kept_time;
use crate::write::tool_record::ToolRecord;

/// A kind of record with a tool that changes single fields.
pub(crate) trait ChangeableRecord: ToolRecord {
    /// Returns the schema of the structured answer.
    fn change_schema() -> Value;

    /// Returns the body of the PATCH that changes fields.
    fn update_body(fields: Members) -> Json {
        Json::Object(fields)
    }

    /// Adds what a change leaves out to its fields, as the record with the id has it. Adds notices about it.
    ///
    /// # Errors
    /// The error of the read.
    fn complete(
        _: &ToolContext,
        _id: &str,
        _fields: &mut Members,
        _notices: &mut Vec<String>,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        ready(Ok(()))
    }

    /// Returns whether a record after a change has the same values. The time of the change does not count.
    fn equals(self, after: &Self) -> bool;

    /// Returns the answer to a change, with the notices about its times.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the record cannot be serialized.
    fn change_answer(record: Self, has_new_value: bool, notices: Vec<String>, zone: &Zone)
    -> Result<Answer, ToolError>;
}

/// Updates a record, and returns the answer.
///
/// # Errors
/// The failure of the update.
pub(crate) async fn change<R: ChangeableRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    id: &str,
    mut fields: Members,
    precondition: &Precondition,
) -> Result<Answer, ToolError> {
    let mut notices = Vec::new();
    R::complete(context, id, &mut fields, &mut notices).await?;
    let parse = |fields| R::parse_update(R::update_body(fields)).map_err(Error::InvalidField);
    let failed = |error| ToolError::of_change(error, R::KIND);
    let (updated, of_times) = update(context, records, &id.into(), &fields, precondition, parse, failed).await?;
    notices.extend(of_times);
    let Updated { before, after, .. } = updated;
    let has_new_value = !before.equals(&after);
    R::change_answer(after, has_new_value, notices, context.zone())
}

/// Updates a record, and returns the notices about times too. If a field contains no id, but the name of another record,
/// the update is repeated with its id. `failed` converts the error of the update.
///
/// # Errors
/// The failure of the update.
pub(crate) async fn update<R: ToolRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    id: &Reference<R::Id>,
    fields: &Members,
    precondition: &Precondition,
    parse: impl Fn(Members) -> Result<R::Update, Error>,
    failed: impl FnOnce(Error) -> ToolError,
) -> Result<(Updated<R>, Vec<String>), ToolError> {
    let update = parse(fields.clone())?;
    let notices = sentences(&TimeNotice::of::<R>(&update, context.zone()));
    let mut updated = records.update(id, update, precondition).await;
    if updated.as_ref().is_err_and(names::is_unknown_reference) {
        let resolved = Directory::new(context).resolve(R::KIND, fields).await;
        if let Some(resolved) = resolved.map_err(ToolError::of_argument)? {
            updated = records.update(id, parse(resolved)?, precondition).await;
        }
    }
    Ok((updated.map_err(failed)?, notices))
}

/// Returns the notices about times as sentences.
pub(crate) fn sentences(notices: &[TimeNotice]) -> Vec<String> {
    notices.iter().map(TimeNotice::sentence).collect()
}

/// Returns the first lines of the text: that no field has a new value, and the notices about times.
pub(crate) fn first_lines(unchanged: Option<&str>, notices: &[String]) -> String {
    let notices = notices.iter().map(|notice| format!("{notice}.\n"));
    unchanged.map(str::to_owned).into_iter().chain(notices).collect()
}

/// The first line of the text if no field has a new value. The update still sets `updatedAt`, as a PATCH does, so the
/// version and its etag are new.
const NO_NEW_VALUE: &str = "No field has a new value. Only the version is new: use the new etag.\n";

// A task after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedTask {
    id: String,
    // False if no field has a new value. The etag is new in any case.
    changed: bool,
    title: String,
    column_id: String,
    order: i64,
    priority: &'static str,
    completed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_completed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee_id: Option<String>,
    etag: String,
    // What is special about the time of the change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

impl ChangeableRecord for Task {
    fn change_schema() -> Value {
        schema::<ChangedTask>()
    }

    /// A change with a position is a move, which makes room for the task at this position.
    fn update_body(mut fields: Members) -> Json {
        if fields.iter().any(|(name, value)| name == "order" && *value != Json::Null) {
            fields.push(("type".to_owned(), Json::String("move-task".to_owned())));
        }
        Json::Object(fields)
    }

    async fn complete(
        context: &ToolContext,
        id: &str,
        fields: &mut Members,
        notices: &mut Vec<String>,
    ) -> Result<(), Error> {
        kept_time::of_task(context, id, fields, notices).await
    }

    fn equals(self, after: &Self) -> bool {
        Self { updated_at: after.updated_at, sequence: after.sequence, ..self } == *after
    }

    fn change_answer(
        record: Self,
        has_new_value: bool,
        notices: Vec<String>,
        zone: &Zone,
    ) -> Result<Answer, ToolError> {
        ChangedTask {
            id: record.id.to_string(),
            changed: has_new_value,
            title: title(&record.title),
            column_id: record.column_id.to_string(),
            order: record.order,
            priority: record.priority.as_str(),
            completed: record.completed,
            due_date: record.due_date.map(|due| due_text(due, zone)),
            recurrence: record.rule().map(title),
            last_completed_at: record.last_completed_at.map(|at| local_time(at, zone)),
            assignee_id: record.assignee_id.as_ref().map(ToString::to_string),
            etag: etag(&record).map_err(StorageError::from).map_err(Error::from)?,
            notices,
        }
        .into_answer()
    }
}

impl ChangedTask {
    fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = first_lines((!self.changed).then_some(NO_NEW_VALUE), &self.notices);
        let state = if self.completed { "done" } else { "open" };
        let _ = write!(text, "Task {} [{}]: {state}, {}", one_line(&self.title, MAX_LINE), self.id, self.priority);
        if let Some(due) = &self.due_date {
            let _ = write!(text, ", due {due}");
        }
        if let Some(rule) = &self.recurrence {
            let _ = write!(text, ", repeated by {}", one_line(rule, MAX_LINE));
        }
        if let Some(at) = &self.last_completed_at {
            let _ = write!(text, ", last done {at}");
        }
        if let Some(assignee) = &self.assignee_id {
            let _ = write!(text, ", for [{assignee}]");
        }
        let _ = writeln!(text, ", in column [{}] at {}. etag {}", self.column_id, self.order, self.etag);
        Answer::new(&self, text)
    }
}

// A note after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedNote {
    id: String,
    // False if no field has a new value. The etag is new in any case.
    changed: bool,
    title: String,
    content_length: usize,
    pinned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    category_id: Option<String>,
    tags: Vec<String>,
    etag: String,
}

impl ChangeableRecord for Note {
    fn change_schema() -> Value {
        schema::<ChangedNote>()
    }

    fn equals(self, after: &Self) -> bool {
        Self { updated_at: after.updated_at, ..self } == *after
    }

    fn change_answer(record: Self, has_new_value: bool, _: Vec<String>, _: &Zone) -> Result<Answer, ToolError> {
        ChangedNote {
            changed: has_new_value,
            etag: etag(&record).map_err(StorageError::from).map_err(Error::from)?,
            id: record.id.to_string(),
            title: title(&record.title),
            content_length: record.content.chars().count(),
            pinned: record.pinned,
            category_id: record.category_id.map(|id| id.to_string()),
            tags: labels(&record.tags),
        }
        .into_answer()
    }
}

impl ChangedNote {
    fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = if self.changed { String::new() } else { NO_NEW_VALUE.to_owned() };
        let (title, length) = (one_line(&self.title, MAX_LINE), self.content_length);
        let _ = write!(text, "Note {title} [{}]: {length} characters of content", self.id);
        if self.pinned {
            text.push_str(", pinned");
        }
        if let Some(category) = &self.category_id {
            let _ = write!(text, ", in category [{category}]");
        }
        if !self.tags.is_empty() {
            let _ = write!(text, ", tags {}", one_line(&self.tags.join(", "), MAX_LINE));
        }
        let _ = writeln!(text, ". etag {}", self.etag);
        Answer::new(&self, text)
    }
}

// A shopping item after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedItem {
    id: String,
    // False if no field has a new value.
    changed: bool,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    checked: bool,
    list_id: String,
}

impl ChangeableRecord for ShoppingItem {
    fn change_schema() -> Value {
        schema::<ChangedItem>()
    }

    fn equals(self, after: &Self) -> bool {
        self == *after
    }

    fn change_answer(record: Self, has_new_value: bool, _: Vec<String>, _: &Zone) -> Result<Answer, ToolError> {
        ChangedItem {
            id: record.id.to_string(),
            changed: has_new_value,
            name: name(&record.name),
            quantity: record.quantity.as_deref().map(name),
            category: record.category.as_deref().map(name),
            checked: record.checked,
            list_id: record.list_id.to_string(),
        }
        .into_answer()
    }
}

impl ChangedItem {
    fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = if self.changed { String::new() } else { "No field has a new value.\n".to_owned() };
        let _ = write!(text, "Item {}", one_line(&self.name, MAX_LINE));
        if let Some(quantity) = &self.quantity {
            let _ = write!(text, " ({})", one_line(quantity, MAX_LINE));
        }
        let state = if self.checked { "checked" } else { "open" };
        let _ = write!(text, " [{}]: {state}, in list [{}]", self.id, self.list_id);
        if let Some(category) = &self.category {
            let _ = write!(text, ", category {}", one_line(category, MAX_LINE));
        }
        text.push('\n');
        Answer::new(&self, text)
    }
}
