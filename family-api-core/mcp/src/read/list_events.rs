//! `list_events`: finds occurrences of events.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::query::EventQuery;
use family_api_core::resource::ResourceKind;
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::read::{filters, page};
use crate::records::{EventItem, schema};

const ARGUMENTS: &[Argument] = &[
    Argument::optional("from", ArgumentType::Date, "First day. Default: today."),
    Argument::optional(
        "to",
        ArgumentType::Date,
        "Last day, at most 365 days after from. Default: 7 days after from; with text 365.",
    ),
    Argument::optional("text", ArgumentType::Text(200), "Words in the title, description or location."),
    Argument::optional("person", ArgumentType::Text(300), "me or a member: name or id. Includes events of all."),
    page::LIMIT,
    page::CURSOR,
];

const MAY_BE_INCOMPLETE: &str =
    "May be incomplete: more than 1,000 occurrences, or a rule with a long COUNT. Ask for fewer days.\n";

/// Finds occurrences of events.
pub(crate) struct ListEvents;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    from: String,
    to: String,
    events: Vec<EventItem>,
    total: usize,
    // True if events may be missing.
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[async_trait]
impl ToolHandler for ListEvents {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "list_events",
            title: "List events",
            description: "Returns the events that overlap a range of days. Each occurrence of a recurring event \
                          has its own id. start and end of an all-day event are days, both inclusive.",
            effect: Effect::Read(&[ResourceKind::Events]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let query = EventQuery {
            from: arguments.date("from"),
            to: arguments.date("to"),
            text: arguments.text("text").map(str::parse).transpose().map_err(Error::from)?,
            person: filters::member(context, &arguments, "person").await?,
        };
        let zone = context.caller().zone();
        let found = reads.find_occurrences(&query, &page::request(&arguments)?).await?;
        let (from, to) = (found.from.to_string(), found.to.to_string());
        let members = found.members;
        let mut page = found.page.map(|occurrence| EventItem::new(occurrence, &members, zone));
        let lines = page::fit(&mut page, EventItem::line)?;
        let mut text = format!("Events from {from} to {to}: {}. Times are in {}.\n", page.total, zone.as_str());
        text.push_str(&lines);
        text.push_str(&page::rest_line(&page));
        text.push_str(if found.is_cut { MAY_BE_INCOMPLETE } else { "" });
        let output = Output {
            time_zone: zone.as_str().to_owned(),
            from,
            to,
            events: page.items,
            total: page.total,
            cut: found.is_cut,
            next_cursor: page.next.map(|next| next.to_string()),
        };
        Answer::new(&output, text)
    }
}
