//! When a task is due, by which rule it recurs, and whether it is done (HTTP reference, "Recurring tasks").

use jiff::civil::Time;
use serde_json::json;

use crate::change::{TaskChange, WriteContext};
use crate::occurrences::spans::local_boundary;
use crate::occurrences::{InvalidRecurrence, MAX_TASK_RECURRENCE_LENGTH, TaskRecurrence, TooManySteps};
use crate::resource::Task;
use crate::timestamp::Timestamp;
use crate::validation::rules::ValueRule;
use crate::validation::{Field, FieldErrors, FieldFault, Json};

/// The rule for the recurrence of a task, with or without its start.
pub(super) const TASK_RECURRENCE: ValueRule<String> =
    ValueRule { read, schema: || json!({ "type": "string", "minLength": 1, "maxLength": MAX_TASK_RECURRENCE_LENGTH }) };

fn read(value: &Json) -> Result<String, FieldErrors> {
    let text = value.as_str().ok_or("expected an RRULE, such as FREQ=WEEKLY;BYDAY=MO, or null")?;
    TaskRecurrence::check(text).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

impl TaskChange {
    /// Sets the due time and the recurrence of a task. Then completes or reopens it.
    pub(super) fn schedule(&self, task: &mut Task, context: &WriteContext<'_>) -> Result<(), FieldFault> {
        let due = match self.due_date {
            Field::Keep => task.due_date,
            Field::Clear => None,
            Field::Set(due) => Some(due.in_zone(context.zone)),
        };
        match &self.recurrence {
            Field::Keep if self.due_date == Field::Clear && task.recurrence.is_some() => {
                let detail = "a task that recurs is due at some time: send `recurrence` as null too";
                return Err(FieldFault::of_field("dueDate", detail));
            }
            Field::Keep => task.due_date = due,
            Field::Clear => {
                task.recurrence = None;
                task.due_date = due;
            }
            Field::Set(text) => self.recur(task, text, due, context)?,
        }
        match self.completed {
            None => Ok(()),
            Some(true) => complete(task, context.now),
            Some(false) => {
                task.completed_at = None;
                task.completed = false;
                Ok(())
            }
        }
    }

    /// Sets the recurrence of a task, and when it is due first.
    fn recur(
        &self,
        task: &mut Task,
        text: &str,
        due: Option<Timestamp>,
        context: &WriteContext<'_>,
    ) -> Result<(), FieldFault> {
        let fault = |detail: &str| FieldFault::of_field("recurrence", detail);
        let invalid = |error: InvalidRecurrence| fault(&error.to_string());
        let ended = || fault("ends before the task would be due: send a rule that ends later, or an earlier `dueDate`");
        let (recurrence, from) = if TaskRecurrence::has_start(text) {
            let recurrence = TaskRecurrence::parse(text).map_err(invalid)?;
            let stored = task.recurrence.as_deref().and_then(|stored| TaskRecurrence::parse(stored).ok());
            if due.is_some() && stored.as_ref() == Some(&recurrence) {
                task.due_date = due;
                return Ok(());
            }
            (recurrence, due.filter(|_| self.due_date != Field::Keep).unwrap_or(context.now))
        } else {
            let start = match due {
                Some(due) => local_boundary(context.zone, due),
                None => context.zone.day_of(context.now).to_datetime(Time::midnight()),
            };
            let recurrence = TaskRecurrence::starting(context.zone, start, text).map_err(invalid)?;
            (recurrence.ok_or_else(ended)?, Timestamp::MIN)
        };
        let first = recurrence.first_from(from);
        let first = first.map_err(|TooManySteps| fault("takes too much work to expand: send a simpler rule"))?;
        let first = first.ok_or_else(ended)?;
        // The due time can be the second of two equal local times, and the rule resolves to the first one.
        let is_same_time = |due: &Timestamp| context.zone.local(*due) == context.zone.local(first);
        task.due_date = Some(due.filter(is_same_time).unwrap_or(first));
        task.recurrence = Some(recurrence.to_string());
        Ok(())
    }
}

/// Completes a task. One that recurs stays open and is due again, unless its rule ends.
fn complete(task: &mut Task, now: Timestamp) -> Result<(), FieldFault> {
    if let (false, Some(text)) = (task.completed, &task.recurrence) {
        let fault = |problem: &str| {
            let detail = format!("the `recurrence` of the task {problem}: send another one or null too");
            FieldFault::of_field("completed", &detail)
        };
        let recurrence = TaskRecurrence::parse(text).map_err(|_| fault("is not valid"))?;
        let after = task.due_date.map_or(now, |due| due.max(now));
        let next = recurrence.first_after(after).map_err(|TooManySteps| fault("takes too much work"))?;
        task.last_completed_at = Some(now);
        if next.is_some() {
            task.due_date = next;
            return Ok(());
        }
    }
    task.completed_at = Some(task.completed_at.unwrap_or(now));
    task.completed = true;
    Ok(())
}
