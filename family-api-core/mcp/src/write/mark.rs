//! `complete_tasks` and `check_shopping_items`: mark several records, each with its own outcome.

use async_trait::async_trait;
use family_api_core::change::{Editable, ShoppingItemUpdate, TaskUpdate};
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{RecordKind, ShoppingItem, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition, RecordService};

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments, IDS};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::names::{Directory, Target};
use crate::write::outcomes::{AGAIN, Outcome, OutcomeResult, Outcomes};
use crate::write::tool_record::ToolRecord;

pub(crate) const COMPLETE_TASKS: Mark<Task> = Mark {
    name: "complete_tasks",
    title: "Complete tasks",
    description: "Completes or reopens 1 to 50 tasks. A recurring task is then due again.",
    field: "completed",
    arguments: &[IDS, Argument::optional("completed", ArgumentType::Boolean, "false reopens them. Default: true.")],
    names: None,
    value: |task| task.completed,
    update: complete,
    heading: "Tasks",
    verbs: ["reopened", "completed"],
    states: ["was already open", "was already completed"],
};

pub(crate) const CHECK_SHOPPING_ITEMS: Mark<ShoppingItem> = Mark {
    name: "check_shopping_items",
    title: "Check shopping items",
    description: "Checks off or unchecks 1 to 50 items of shopping lists.",
    field: "checked",
    arguments: &[
        Argument { description: "Ids, or names of items.", ..IDS },
        Argument::optional("checked", ArgumentType::Boolean, "false: to buy again. Default: true."),
    ],
    names: Some([Target::CheckedItem, Target::OpenItem]),
    value: |item| item.checked,
    update: ShoppingItemUpdate::checked,
    heading: "Items",
    verbs: ["unchecked", "checked"],
    states: ["was already unchecked", "was already checked"],
};

/// The time in which a completion of the same recurring task counts as a repetition of the call.
const REPETITION: SignedDuration = SignedDuration::from_mins(10);

fn complete(completed: bool) -> TaskUpdate {
    if completed { TaskUpdate::completed_unless_repeated(REPETITION) } else { TaskUpdate::completed(false) }
}

/// Sets one field of several records to true or false.
pub(crate) struct Mark<R: Editable> {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The field, which is also the name of the argument.
    field: &'static str,
    arguments: &'static [Argument],
    /// The records that `ids` can also name, for the values false and true.
    names: Option<[Target; 2]>,
    /// Returns the value of the field.
    value: fn(&R) -> bool,
    /// Returns the update that sets the field.
    update: fn(bool) -> R::Update,
    heading: &'static str,
    /// What was done, for the values false and true.
    verbs: [&'static str; 2],
    /// Why nothing was done, for the values false and true.
    states: [&'static str; 2],
}

#[async_trait]
impl<R: ToolRecord> ToolHandler for Mark<R> {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: self.name,
            title: self.title,
            description: self.description,
            effect: Effect::Write(Verb::Update, const { &[R::KIND] }),
            arguments: self.arguments,
            fields: None,
            output: Outcomes::schema(),
        }
    }

    fn required_field(&self) -> Option<(RecordKind, &'static str)> {
        Some((R::KIND, self.field))
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<R>(context.caller(), Verb::Update)?;
        let arguments = Arguments::read(self.arguments, arguments)?;
        let value = arguments.boolean(self.field).unwrap_or(true);
        let [verb, state] = [self.verbs, self.states].map(|[off, on]| if value { on } else { off });
        let mut directory = Directory::new(context);
        let mut outcomes = Outcomes::default();
        for id in arguments.ids() {
            let failed = |reason| Outcome::failed(id, reason);
            let of_lookup = |error| ToolError::of_lookup(error, R::KIND);
            if outcomes.skips(failed) {
                continue;
            }
            let marked = match self.mark(context, &records, id, value, state).await {
                Err(Error::NotFound) => match self.id_of(&mut directory, id, value).await {
                    Ok(id) => self.mark(context, &records, &id, value, state).await.map_err(of_lookup),
                    Err(error) => Err(error),
                },
                marked => marked.map_err(of_lookup),
            };
            outcomes.add(context, marked, failed, AGAIN)?;
        }
        outcomes.into_answer(&format!("{} {verb}", self.heading), verb, "")
    }
}

impl<R: ToolRecord> Mark<R> {
    /// Returns the id of the record with a name. One that must be changed comes before one that has the value already.
    async fn id_of(&self, directory: &mut Directory<'_>, name: &str, value: bool) -> Result<String, ToolError> {
        let Some([off, on]) = self.names else { return Err(ToolError::of_lookup(Error::NotFound, R::KIND)) };
        let [wanted, other] = if value { [on, off] } else { [off, on] };
        match directory.id("ids", wanted, name).await {
            Err(ToolError::Correctable(reason)) => {
                directory.any(other, name).await?.ok_or(ToolError::Correctable(reason))
            }
            found => found,
        }
    }

    /// Updates one record with the service that PATCH uses. `state` is the reason if it already had the value.
    async fn mark(
        &self,
        context: &ToolContext,
        records: &RecordService<'_, R>,
        id: &str,
        value: bool,
        state: &str,
    ) -> Result<Outcome, Error> {
        let updated = records.update(&id.into(), (self.update)(value), &Precondition::None).await?;
        if (self.value)(&updated.before) == value {
            return Ok(Outcome::unchanged(id, state));
        }
        if updated.before == updated.after
            && let Some(reason) = updated.after.repetition(context.zone())
        {
            return Ok(Outcome::unchanged(id, &reason));
        }
        let outcome = Outcome::written(&updated.after, OutcomeResult::Changed);
        // A recurring task stays open.
        let next = updated.after.when(context.zone()).filter(|_| (self.value)(&updated.after) != value);
        let before = updated.before.when(context.zone()).filter(|_| next.is_some());
        let before = before.map(|when| format!("was due {when}"));
        let next = next.map(|when| format!("due again {when}"));
        Ok(outcome.noting(&before.into_iter().chain(next).collect::<Vec<_>>()))
    }
}
