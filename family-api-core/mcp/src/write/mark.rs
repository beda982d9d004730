//! `complete_tasks` and `check_shopping_items`: mark several records, each with its own outcome.

use std::collections::BTreeSet;

use async_trait::async_trait;
use family_api_core::change::{Editable, ShoppingItemUpdate, TaskUpdate};
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{RecordKind, ShoppingItem, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{Precondition, RecordService};

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::records::schema;
use crate::write::outcomes::{Outcome, OutcomeResult, Outcomes};
use crate::write::tool_record::ToolRecord;

pub(crate) const COMPLETE_TASKS: Mark<Task> = Mark {
    name: "complete_tasks",
    title: "Complete tasks",
    description: "Completes or reopens 1 to 50 tasks. A recurring task is then due again.",
    field: "completed",
    arguments: &[
        Argument::required("ids", ArgumentType::Ids(50), ""),
        Argument::optional("completed", ArgumentType::Boolean, "false reopens them. Default: true."),
    ],
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
        Argument::required("ids", ArgumentType::Ids(50), ""),
        Argument::optional("checked", ArgumentType::Boolean, "false: to buy again. Default: true."),
    ],
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
            output: schema::<Outcomes>(),
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
        let mut outcomes = Outcomes::default();
        let mut seen = BTreeSet::new();
        for id in arguments.ids("ids").filter(|id| seen.insert(*id)) {
            let failed = |reason| Outcome::failed(id, reason);
            if outcomes.skips(failed) {
                continue;
            }
            let marked = self.mark(context, &records, id, value, state).await;
            outcomes.add(context, marked, failed, "repeat the call with this id")?;
        }
        outcomes.into_answer(&format!("{} {verb}", self.heading), verb, "")
    }
}

impl<R: ToolRecord> Mark<R> {
    /// Updates one record with the service that PATCH uses. `state` is the reason if it already had the value.
    async fn mark(
        &self,
        context: &ToolContext,
        records: &RecordService<'_, R>,
        id: &str,
        value: bool,
        state: &str,
    ) -> Result<Outcome, ToolError> {
        let changed = records.update(&id.into(), (self.update)(value), &Precondition::None).await;
        let updated = changed.map_err(|error| ToolError::of_lookup(error, R::KIND))?;
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
