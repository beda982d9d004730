//! `find_free_time`: when people are free at the same time.

use std::fmt::Write;
use std::ops::Range;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::id::UserId;
use family_api_core::query::{BusyOccurrence, DayHours, FreeTimeQuery};
use family_api_core::resource::{Occurrence, ResourceKind};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, MAX_BYTES, one_line};
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::instant::{local_time, weekday};
use crate::names::{Directory, ME, Named, Target, find, is_word};
use crate::read::part::Part;
use crate::records::{MAX_LINE, Span, When, name, schema};

/// Minimum length of a free span, in minutes, if the call names none.
const MINUTES: u32 = 30;

const MAY_BE_WRONG: &str = "May be wrong: there are more events than could be read. Ask for fewer days.\n";

/// Maximum number of people.
const MAX_PEOPLE: usize = 30;

const ARGUMENTS: &[Argument] = &[
    Argument::optional("people", ArgumentType::Names(MAX_PEOPLE), "Names or ids. Default: all members."),
    Argument::optional("from", ArgumentType::Date, "First day. Default: today."),
    Argument::optional("to", ArgumentType::Date, "At most 13 days after from. Default: from."),
    Argument::optional("dayStart", ArgumentType::Time, "Default: 08:00."),
    Argument::optional("dayEnd", ArgumentType::Time, "Default: 22:00."),
    Argument::optional("minMinutes", ArgumentType::Integer(1, 1_440), "Default: 30."),
];

/// Finds when people are free at the same time.
pub(crate) struct FindFreeTime;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    from: String,
    to: String,
    // Whose time was compared: at most 30 of all members.
    people: Vec<String>,
    min_minutes: u32,
    free: Part<Free>,
    busy: Part<Busy>,
    // The all-day events without people, which take no time.
    same_days: Part<SameDay>,
    // True if the people may be busy in the free spans.
    cut: bool,
}

// A span in which all people are free.
#[derive(Serialize, JsonSchema)]
struct Free {
    // The weekday of the start.
    weekday: String,
    start: String,
    end: String,
    minutes: i64,
}

// An event, with its times.
#[derive(Serialize, JsonSchema)]
struct SameDay {
    id: String,
    title: String,
    #[serde(flatten)]
    span: Span,
}

// What takes the time of people.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Busy {
    #[serde(flatten)]
    event: SameDay,
    // Empty if it concerns the whole family.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    people: Vec<String>,
}

#[async_trait]
impl ToolHandler for FindFreeTime {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "find_free_time",
            title: "Find free time",
            description: "Returns when all of these people are free, and what makes them busy.",
            effect: Effect::Read(&[ResourceKind::Events]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let hours = hours(&arguments)?;
        let people = people(context, &arguments).await?;
        let minutes = arguments.integer("minMinutes").and_then(|minutes| minutes.try_into().ok()).unwrap_or(MINUTES);
        let query = FreeTimeQuery {
            people: people.iter().filter_map(|person| person.id.parse().ok()).collect(),
            from: arguments.date("from"),
            to: arguments.date("to"),
            hours,
            minutes,
        };
        let found = reads.find_free_time(&query).await?;
        let zone = context.zone();
        let mut output = Output {
            time_zone: zone.as_str().to_owned(),
            from: found.from.to_string(),
            to: found.to.to_string(),
            people: people.iter().take(MAX_PEOPLE).map(|person| name(&person.name)).collect(),
            min_minutes: minutes,
            free: Part::new(found.free, |span| Free::new(&span, zone)),
            busy: Part::new(found.busy, |busy| Busy::new(busy, &people, zone)),
            same_days: Part::new(found.same_days, |occurrence| SameDay::new(&occurrence, zone)),
            cut: found.is_cut,
        };
        let mut max = output.busy.items.len();
        loop {
            let answer = Answer::new(&output, output.text())?;
            if answer.size() <= MAX_BYTES || max == 0 {
                return Ok(answer);
            }
            max /= 2;
            output.busy.items.truncate(max);
        }
    }
}

/// Returns the hours of the day.
///
/// # Errors
/// [`ToolError::Correctable`] if they do not end after they start.
fn hours(arguments: &Arguments) -> Result<DayHours, ToolError> {
    let start = arguments.time("dayStart").unwrap_or(DayHours::DEFAULT.start());
    let end = arguments.time("dayEnd").unwrap_or(DayHours::DEFAULT.end());
    DayHours::new(start, end).map_err(|_| {
        let fault = "dayEnd: expected a time after dayStart, at most 24:00".to_owned();
        ToolError::of_arguments(std::iter::once(fault), 1, "")
    })
}

/// Returns the people whose time is compared, each once.
///
/// # Errors
/// [`ToolError::Correctable`] with the possible members if a name is unknown or ambiguous. The error of the read.
async fn people(context: &ToolContext, arguments: &Arguments) -> Result<Vec<Named>, ToolError> {
    let members = Directory::new(context).all(Target::Member).await?.to_vec();
    let mut people: Vec<Named> = Vec::new();
    for wanted in arguments.texts("people") {
        let wanted = if is_word(wanted, ME) { context.caller().user().as_str() } else { wanted };
        let found = find(&members, wanted).map_err(|reason| format!("people: {reason}"));
        let found = found.map_err(|fault| ToolError::of_arguments(std::iter::once(fault), 1, ""))?;
        if people.iter().all(|person| person.id != found.id) {
            people.push(found.clone());
        }
    }
    Ok(if people.is_empty() { members } else { people })
}

impl Free {
    fn new(span: &Range<Timestamp>, zone: &Zone) -> Self {
        let millis = span.end.as_millis().saturating_sub(span.start.as_millis());
        Self {
            weekday: weekday(zone.day_of(span.start)),
            start: local_time(span.start, zone),
            end: local_time(span.end, zone),
            minutes: millis / 60_000,
        }
    }
}

impl SameDay {
    fn new(occurrence: &Occurrence, zone: &Zone) -> Self {
        let (id, title) = (occurrence.id.to_string(), one_line(&occurrence.title, MAX_LINE));
        Self { id, title, span: When::from(occurrence).span(zone) }
    }

    fn line(&self) -> String {
        format!("- {}: {} [{}]", self.span.words(), self.title, self.id)
    }
}

impl Busy {
    fn new(busy: BusyOccurrence, people: &[Named], zone: &Zone) -> Self {
        let BusyOccurrence { occurrence, people: busy_people, .. } = busy;
        let shown = |id: &UserId| people.iter().find(|person| person.id == id.as_str());
        Self {
            event: SameDay::new(&occurrence, zone),
            people: busy_people.iter().filter_map(shown).map(|person| one_line(&person.name, MAX_LINE)).collect(),
        }
    }

    fn line(&self) -> String {
        let people = if self.people.is_empty() { "everyone".to_owned() } else { self.people.join(", ") };
        format!("{} for {people}\n", self.event.line())
    }
}

impl Output {
    fn text(&self) -> String {
        let Self { time_zone, from, to, people, min_minutes, free, busy, same_days, cut } = self;
        let people = one_line(&people.join(", "), MAX_LINE);
        let mut text =
            format!("Free time of {people} from {from} to {to}, at least {min_minutes} minutes: {}. ", free.shown());
        let _ = writeln!(text, "Times are in {time_zone}.");
        for Free { weekday, start, end, minutes } in &free.items {
            let _ = writeln!(text, "- {weekday} {start} to {end}: {minutes} minutes");
        }
        let _ = writeln!(text, "Busy: {}", busy.shown());
        text.extend(busy.items.iter().map(Busy::line));
        if same_days.total > 0 {
            let _ = writeln!(text, "All-day events of everyone, which take no time: {}", same_days.shown());
            text.extend(same_days.items.iter().map(|event| format!("{}\n", event.line())));
        }
        text.push_str(if *cut { MAY_BE_WRONG } else { "" });
        text
    }
}
