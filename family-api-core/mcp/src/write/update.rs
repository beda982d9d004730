//! `update_task`, `update_note` and `update_event`: change fields of a record.

use std::marker::PhantomData;
use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::resource::{Event, Note, Task, Verb};
use family_api_core::validation::Json;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::write::changed::{ChangeableRecord, change};
use crate::write::fields;

pub(crate) static UPDATE_TASK: Update<Task> = Update {
    name: "update_task",
    title: "Update a task",
    description: "Changes the given fields of a task. Other fields keep their values.",
    arguments: &[
        ID,
        Argument::optional("if_match", ArgumentType::Tag, "The etag of get_task: change only this version."),
    ],
    descriptions: &[
        ("dueDate", "A day or a local time. null removes it."),
        ("assigneeId", "A member. null removes the assignee."),
        ("columnId", "Without order, the task moves to the end of the column."),
        ("labels", "Replaces all labels."),
        ("isPrivate", "true: only the creator sees the task."),
    ],
    names: LazyLock::new(names::<Task>),
    record: PhantomData,
};

pub(crate) static UPDATE_NOTE: Update<Note> = Update {
    name: "update_note",
    title: "Update a note",
    description: "Changes the given fields of a note. Other fields keep their values. Read the note first.",
    arguments: &[
        ID,
        Argument::optional("if_match", ArgumentType::Tag, "The etag of get_note: change only this version."),
    ],
    descriptions: &[
        ("content", "Replaces the whole content."),
        ("tags", "Replaces all tags."),
        ("categoryId", "null removes the category."),
    ],
    names: LazyLock::new(names::<Note>),
    record: PhantomData,
};

pub(crate) static UPDATE_EVENT: Update<Event> = Update {
    name: "update_event",
    title: "Update an event",
    description: "Changes the given fields of an event, for all its occurrences. Other fields keep their values.",
    arguments: &[ID],
    descriptions: &[
        ("startDate", "A local time, or the first day of an all-day event. Without endDate, the length stays."),
        ("endDate", "A local time, or the last day of an all-day event."),
        ("recurrence", "null: the event happens once."),
    ],
    names: LazyLock::new(names::<Event>),
    record: PhantomData,
};

/// Changes fields of a record.
pub(crate) struct Update<R> {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    /// What a model should know about a field, in addition to its name and type.
    descriptions: &'static [(&'static str, &'static str)],
    /// The names of the fields.
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
            fields: Some(fields::short_schema(&fields::update_schema::<R>(), self.descriptions)),
            output: R::change_schema(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<R>(context.caller(), Verb::Update)?;
        let (arguments, given) = Arguments::read_some(self.arguments, arguments)?;
        let others: Vec<&str> = self.arguments.iter().map(|argument| argument.name).collect();
        fields::check_names(&given, &self.names, &others)?;
        fields::check_values(&given)?;
        let names = fields::with_value(&given);
        let update = R::parse_update(Json::Object(given)).map_err(Error::InvalidField)?;
        let id = R::reference(arguments.text("id").unwrap_or_default())?;
        change(context, &records, &id, update, &fields::precondition(arguments.text("if_match")), &names).await
    }
}

fn names<R: ChangeableRecord>() -> Vec<String> {
    fields::names(&fields::update_schema::<R>())
}
