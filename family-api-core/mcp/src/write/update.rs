//! `update_tasks`, `update_shopping_items` and `update_notes`: change fields of records, each with its own outcome.

use std::marker::PhantomData;
use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::change::Editable;
use family_api_core::resource::{Note, ShoppingItem, Task, Verb};
use family_api_core::validation::Json;
use serde_json::Value;

use crate::answer::Answer;
use crate::arguments::{Argument, Arguments, IDS, IF_MATCH, Members};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::names;
use crate::write::append::{self, APPEND};
use crate::write::changed::{ChangeableRecord, change_all};
use crate::write::fields;
use crate::write::outcomes::Outcomes;

pub(crate) static UPDATE_TASKS: Update<Task> = Update {
    name: "update_tasks",
    title: "Update tasks",
    description: "Changes the given fields of 1 to 50 tasks in the same way.",
    arguments: &[IDS, IF_MATCH],
    descriptions: &[
        ("dueDate", "A day (keeps a stored time) or a local time."),
        ("recurrence", "RRULE (RFC 5545)."),
        ("assignee", "A member: name, id or me."),
        ("column", "Name or id, also of a board. Without order: its end."),
        ("order", "Needs column, no other field. Later tasks move down."),
        ("labels", "Replaces all labels."),
        ("isPrivate", "Only the creator sees it."),
    ],
    heading: "Tasks changed",
    names: LazyLock::new(names_of::<Task>),
    record: PhantomData,
};

pub(crate) static UPDATE_NOTES: Update<Note> = Update {
    name: "update_notes",
    title: "Update notes",
    description: "Changes the given fields of 1 to 50 notes in the same way.",
    arguments: &[IDS, IF_MATCH, APPEND],
    descriptions: &[
        ("content", "Replaces the whole content."),
        ("tags", "Replaces all tags."),
        ("category", "Name or id."),
    ],
    heading: "Notes changed",
    names: LazyLock::new(names_of::<Note>),
    record: PhantomData,
};

pub(crate) static UPDATE_SHOPPING_ITEMS: Update<ShoppingItem> = Update {
    name: "update_shopping_items",
    title: "Update shopping items",
    description: "Changes the given fields of 1 to 50 shopping items in the same way.",
    arguments: &[IDS],
    descriptions: &[("list", "Moves the items: name or id.")],
    heading: "Items changed",
    names: LazyLock::new(names_of::<ShoppingItem>),
    record: PhantomData,
};

/// Changes fields of records.
pub(crate) struct Update<R> {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    /// What a model should know about a field, in addition to its name and type.
    descriptions: &'static [(&'static str, &'static str)],
    heading: &'static str,
    /// The arguments for the fields.
    names: LazyLock<Vec<String>>,
    record: PhantomData<fn() -> R>,
}

#[async_trait]
impl<R: ChangeableRecord> ToolHandler for Update<R> {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: self.name,
            title: self.title,
            description: self.description,
            effect: Effect::Write(Verb::Update, const { &[R::KIND] }),
            arguments: self.arguments,
            fields: Some(schema_of_fields::<R>(self.descriptions)),
            output: Outcomes::schema(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<R>(context.caller(), Verb::Update)?;
        let (arguments, fields) = read_fields::<R>(context, self.arguments, &self.names, arguments)?;
        let outcomes = change_all(context, &records, &arguments, &fields).await?;
        outcomes.into_answer(self.heading, "changed", "")
    }
}

/// Returns the checked arguments, and the fields to change. `names` are the arguments for the fields.
///
/// # Errors
/// [`ToolError::Correctable`] with the faults of the arguments.
pub(crate) fn read_fields<R: Editable>(
    context: &ToolContext,
    declared: &[Argument],
    names: &[String],
    arguments: Json,
) -> Result<(Arguments, Members), ToolError> {
    let (arguments, given) = Arguments::read_some(declared, arguments)?;
    let others: Vec<&str> = declared.iter().map(|argument| argument.name).collect();
    let given = fields::with_cleared(given, &fields::clearable(&fields::update_schema::<R>()))?;
    if !given.is_empty() || arguments.text(APPEND.name).is_none() {
        fields::check_names(&given, names, &others)?;
    }
    fields::check_values(&given)?;
    append::check(&arguments, &given)?;
    Ok((arguments, names::fields(context, R::KIND, given)))
}

/// Returns the schema of the fields, with the argument that removes values.
pub(crate) fn schema_of_fields<R: Editable>(descriptions: &[(&str, &str)]) -> Value {
    let body = fields::update_schema::<R>();
    let mut schema = fields::short_schema(&body, descriptions);
    let clearable = fields::clearable(&body);
    if !clearable.is_empty() {
        schema["properties"][fields::CLEAR] = fields::clear_schema(&clearable);
    }
    schema
}

/// Returns the arguments for the fields.
pub(crate) fn names_of<R: Editable>() -> Vec<String> {
    fields::names(&fields::update_schema::<R>())
}
