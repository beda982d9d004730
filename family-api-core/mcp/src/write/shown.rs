//! The tasks, notes and shopping items in the answers to changes.

use std::fmt::Write;

use family_api_core::calendar::Zone;
use family_api_core::id::CategoryId;
use family_api_core::resource::{Note, ShoppingItem, Task};
use family_api_core::validation::Json;
use serde::Serialize;
use serde_json::json;

use crate::answer::one_line;
use crate::arguments::{Arguments, Members};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::instant::{local_time, weekday};
use crate::records::{MAX_LINE, due_text, labels, name, person, title};
use crate::write::append::append;
use crate::write::before::Values;
use crate::write::changed::{ChangeableRecord, Completed};
use crate::write::fields::etag;
use crate::write::kept_time;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownTask {
    id: String,
    title: String,
    column: String,
    order: i64,
    priority: &'static str,
    completed: bool,
    is_private: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_weekday: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_completed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<String>,
    etag: String,
}

impl ChangeableRecord for Task {
    type Shown = ShownTask;

    fn shown(&self, zone: &Zone) -> Result<ShownTask, ToolError> {
        Ok(ShownTask {
            id: self.id.to_string(),
            title: title(&self.title),
            column: self.column_id.to_string(),
            order: self.order,
            priority: self.priority.as_str(),
            completed: self.completed,
            is_private: self.is_private,
            due_date: self.due_date.map(|due| due_text(due, zone)),
            due_weekday: self.due_date.map(|due| weekday(zone.day_of(due))),
            recurrence: self.rule().map(title),
            last_completed_at: self.last_completed_at.map(|at| local_time(at, zone)),
            assignee: person(self.assignee.clone(), self.assignee_id.clone()),
            labels: labels(&self.labels),
            etag: etag(self)?,
        })
    }

    fn replaceable(&self, zone: &Zone) -> Values {
        vec![
            ("title", json!(self.title)),
            ("description", json!(self.description)),
            ("column", json!(self.column_id.as_str())),
            ("order", json!(self.order)),
            ("priority", json!(self.priority.as_str())),
            ("completed", json!(self.completed)),
            ("isPrivate", json!(self.is_private)),
            ("dueDate", json!(self.due_date.map(|due| due_text(due, zone)))),
            ("recurrence", json!(self.rule())),
            ("assignee", json!(person(self.assignee.clone(), self.assignee_id.clone()))),
            ("labels", json!(self.labels)),
        ]
    }

    fn line(shown: &ShownTask) -> String {
        let state = if shown.completed { "done" } else { "open" };
        let title = one_line(&shown.title, MAX_LINE);
        let mut line = format!("Task {title} [{}]: {state}, {}", shown.id, shown.priority);
        if shown.is_private {
            line.push_str(", private");
        }
        if let Some((due, weekday)) = shown.due_date.as_ref().zip(shown.due_weekday.as_ref()) {
            let _ = write!(line, ", due {weekday} {due}");
        }
        if let Some(rule) = &shown.recurrence {
            let _ = write!(line, ", repeated by {}", one_line(rule, MAX_LINE));
        }
        if let Some(at) = &shown.last_completed_at {
            let _ = write!(line, ", last done {at}");
        }
        if let Some(assignee) = &shown.assignee {
            let _ = write!(line, ", for {}", one_line(assignee, MAX_LINE));
        }
        if !shown.labels.is_empty() {
            let _ = write!(line, ", labels {}", one_line(&shown.labels.join(", "), MAX_LINE));
        }
        let _ = writeln!(line, ", in column [{}] at {}. etag {}", shown.column, shown.order, shown.etag);
        line
    }

    /// The tasks stand one after the other from the position on.
    fn numbered(mut fields: Members, index: i64) -> Members {
        for (_, value) in fields.iter_mut().filter(|(name, _)| name == "order") {
            if let Json::Integer(order) = value {
                *order = order.saturating_add(index);
            }
        }
        fields
    }

    /// A change with a position is a move, which makes room for the task at this position.
    fn update_body(mut fields: Members) -> Json {
        if fields.iter().any(|(name, value)| name == "order" && *value != Json::Null) {
            fields.push(("type".to_owned(), Json::String("move-task".to_owned())));
        }
        Json::Object(fields)
    }

    async fn complete(context: &ToolContext, id: &str, _: &Arguments, fields: Members) -> Result<Completed, ToolError> {
        kept_time::of_task(context, id, fields).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownNote {
    id: String,
    title: String,
    content_length: usize,
    pinned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    etag: String,
}

impl ChangeableRecord for Note {
    type Shown = ShownNote;

    fn shown(&self, _: &Zone) -> Result<ShownNote, ToolError> {
        let category = self.category.as_ref().map(|category| name(&category.name));
        Ok(ShownNote {
            id: self.id.to_string(),
            title: title(&self.title),
            content_length: self.content.chars().count(),
            pinned: self.pinned,
            category: category.or_else(|| self.category_id.as_ref().map(ToString::to_string)),
            tags: labels(&self.tags),
            etag: etag(self)?,
        })
    }

    fn replaceable(&self, _: &Zone) -> Values {
        let category = self.category.as_ref().map(|category| category.name.as_str());
        vec![
            ("title", json!(self.title)),
            ("content", json!(self.content)),
            ("pinned", json!(self.pinned)),
            ("category", json!(category.or_else(|| self.category_id.as_ref().map(CategoryId::as_str)))),
            ("tags", json!(self.tags)),
            ("emoji", json!(self.emoji)),
            ("color", json!(self.color)),
        ]
    }

    fn line(shown: &ShownNote) -> String {
        let (title, length) = (one_line(&shown.title, MAX_LINE), shown.content_length);
        let mut line = format!("Note {title} [{}]: {length} characters of content", shown.id);
        if shown.pinned {
            line.push_str(", pinned");
        }
        if let Some(category) = &shown.category {
            let _ = write!(line, ", in category {}", one_line(category, MAX_LINE));
        }
        if !shown.tags.is_empty() {
            let _ = write!(line, ", tags {}", one_line(&shown.tags.join(", "), MAX_LINE));
        }
        let _ = writeln!(line, ". etag {}", shown.etag);
        line
    }

    async fn complete(
        context: &ToolContext,
        id: &str,
        arguments: &Arguments,
        fields: Members,
    ) -> Result<Completed, ToolError> {
        append(context, id, arguments, fields).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownItem {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    checked: bool,
    list: String,
}

impl ChangeableRecord for ShoppingItem {
    type Shown = ShownItem;

    fn shown(&self, _: &Zone) -> Result<ShownItem, ToolError> {
        Ok(ShownItem {
            id: self.id.to_string(),
            name: name(&self.name),
            quantity: self.quantity.as_deref().map(name),
            category: self.category.as_deref().map(name),
            checked: self.checked,
            list: self.list_id.to_string(),
        })
    }

    fn replaceable(&self, _: &Zone) -> Values {
        vec![
            ("name", json!(self.name)),
            ("quantity", json!(self.quantity)),
            ("category", json!(self.category)),
            ("checked", json!(self.checked)),
            ("list", json!(self.list_id.as_str())),
        ]
    }

    fn line(shown: &ShownItem) -> String {
        let mut line = format!("Item {}", one_line(&shown.name, MAX_LINE));
        if let Some(quantity) = &shown.quantity {
            let _ = write!(line, " ({})", one_line(quantity, MAX_LINE));
        }
        let state = if shown.checked { "checked" } else { "open" };
        let _ = write!(line, " [{}]: {state}, in list [{}]", shown.id, shown.list);
        if let Some(category) = &shown.category {
            let _ = write!(line, ", category {}", one_line(category, MAX_LINE));
        }
        line.push('\n');
        line
    }
}
