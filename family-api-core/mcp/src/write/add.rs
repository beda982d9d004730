//! `add_tasks`, `add_events`, `add_shopping_items`, `add_shopping_list` and `add_note`: add records, each with its own
//! outcome.

use std::marker::PhantomData;

use async_trait::async_trait;
use family_api_core::change::{Editable, New, TimeNotice};
use family_api_core::idempotency::{IdempotencyKey, IdempotentRequest};
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{CreateOutcome, Error};
use serde_json::Value;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments, Members};
use crate::context::ToolContext;
use crate::error::{ToolError, fault_text, noun};
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::records::schema;
use crate::write::addable_record::AddableRecord;
use crate::write::changed::sentences;
use crate::write::container::{Container, listed};
use crate::write::fields;
use crate::write::outcomes::{Outcome, Outcomes};

const IDEMPOTENCY_KEY: Argument = Argument::optional(
    "idempotency_key",
    ArgumentType::IdempotencyKey,
    "Your own text. Repeated with it within 24 hours, the call adds nothing twice.",
);

pub(crate) const ADD_TASKS: Add<Task> = Add {
    name: "add_tasks",
    title: "Add tasks",
    description: "Adds 1 to 20 tasks. Each has its own outcome.",
    arguments: &[
        Argument::required("tasks", ArgumentType::Records(20, element::<Task>), ""),
        Argument::optional(
            "column",
            ArgumentType::Text(300),
            "Id or name of a column or board, for tasks without columnId. Default: the first column.",
        ),
        IDEMPOTENCY_KEY,
    ],
    list: Some("tasks"),
    heading: "Tasks added",
    record: PhantomData,
};

pub(crate) const ADD_EVENTS: Add<Event> = Add {
    name: "add_events",
    title: "Add events",
    description: "Adds 1 to 20 events to the calendar. Each has its own outcome.",
    arguments: &[Argument::required("events", ArgumentType::Records(20, element::<Event>), ""), IDEMPOTENCY_KEY],
    list: Some("events"),
    heading: "Events added",
    record: PhantomData,
};

pub(crate) const ADD_SHOPPING_ITEMS: Add<ShoppingItem> = Add {
    name: "add_shopping_items",
    title: "Add shopping items",
    description: "Adds 1 to 50 items to a shopping list. Each has its own outcome.",
    arguments: &[
        Argument::required("items", ArgumentType::Records(50, element::<ShoppingItem>), ""),
        Argument::optional("list", ArgumentType::Text(300), "Id or name of the list. Default: the first list."),
        IDEMPOTENCY_KEY,
    ],
    list: Some("items"),
    heading: "Items added",
    record: PhantomData,
};

pub(crate) const ADD_SHOPPING_LIST: Add<ShoppingList> = Add {
    name: "add_shopping_list",
    title: "Add a shopping list",
    description: "Adds an empty shopping list, which the whole family sees.",
    arguments: &[IDEMPOTENCY_KEY],
    list: None,
    heading: "Lists added",
    record: PhantomData,
};

pub(crate) const ADD_NOTE: Add<Note> = Add {
    name: "add_note",
    title: "Add a note",
    description: "Adds a note, which the whole family can read.",
    arguments: &[IDEMPOTENCY_KEY],
    list: None,
    heading: "Notes added",
    record: PhantomData,
};

/// Adds records.
pub(crate) struct Add<R> {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    /// The argument that lists the records. `None` if the fields of one record are arguments themselves.
    list: Option<&'static str>,
    heading: &'static str,
    record: PhantomData<fn() -> R>,
}

/// Returns the schema of one new record.
fn element<R: AddableRecord>() -> Value {
    fields::short_schema(&R::new_schema(), R::DESCRIPTIONS)
}

/// A new record whose fields are valid.
struct Draft<R: Editable> {
    new: New<R::Update>,
    /// The names of the fields with a value.
    names: Vec<String>,
    /// The title, for messages.
    title: String,
}

#[async_trait]
impl<R: AddableRecord> ToolHandler for Add<R> {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: self.name,
            title: self.title,
            description: self.description,
            effect: Effect::Write(Verb::Create, const { &[R::KIND] }),
            arguments: self.arguments,
            fields: self.list.is_none().then(element::<R>),
            output: schema::<Outcomes>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<R>(context.caller(), Verb::Create)?;
        let (arguments, elements) = self.elements(arguments)?;
        let wanted = R::CONTAINER.and_then(|container| arguments.text(container));
        let key = arguments.text("idempotency_key");
        let needs_containers = wanted.is_some() || R::NEEDS_CONTAINER;
        let containers = if needs_containers { R::containers(context).await? } else { Vec::new() };
        let container = requested_container::<R>(context, &containers, wanted)?;
        let drafts = self.drafts(elements)?;
        let advice = if key.is_some() {
            "repeat the call with the same idempotency_key"
        } else {
            "it may have been added: look before you add it again"
        };
        let mut outcomes = Outcomes::default();
        for (index, Draft { mut new, mut names, title }) in drafts.into_iter().enumerate() {
            let failed = |reason| Outcome::not_added(&title, reason);
            if outcomes.skips(failed) {
                continue;
            }
            // The request does not contain the default container, which may be another one if the call is repeated.
            let request = |key| IdempotentRequest::of::<R>(&key, &(wanted, &new));
            let idempotency = key.map(|key| self.element_key(key, index)).transpose()?.map(request);
            if let Some(container) = &container {
                new = R::put_in(new, &container.id);
                names.extend(R::CONTAINER_REFERENCE.map(str::to_owned));
            }
            let notices = sentences(&TimeNotice::of::<R>(new.fields(), context.zone()), context.zone());
            let added = match records.create(new, idempotency).await {
                Ok(CreateOutcome::New(record)) => Ok(Outcome::added(&record, context).noting(&notices)),
                Ok(CreateOutcome::Existing(record)) => Ok(Outcome::replayed(&record, context)),
                Err(error) => Err(ToolError::of_creation(error, &names, key.is_some())),
            };
            outcomes.add(context, added, failed, advice)?;
        }
        // An earlier call may have added the records in another container. Their lines name it.
        let container = container.filter(|_| outcomes.has_changes());
        outcomes.into_answer(self.heading, "added", &container_line(&containers, container.as_ref(), wanted))
    }
}

impl<R: AddableRecord> Add<R> {
    /// Returns the checked arguments, and the fields of each record.
    fn elements(&self, arguments: Json) -> Result<(Arguments, Vec<Members>), ToolError> {
        if let Some(list) = self.list {
            let mut arguments = Arguments::read(self.arguments, arguments)?;
            let elements = arguments.take_records(list);
            return Ok((arguments, elements));
        }
        let (arguments, element) = Arguments::read_some(self.arguments, arguments)?;
        Ok((arguments, vec![element]))
    }

    /// Parses the records. Nothing is added if one of them has a fault.
    fn drafts(&self, elements: Vec<Members>) -> Result<Vec<Draft<R>>, ToolError> {
        let (mut drafts, mut faults, mut count) = (Vec::new(), Vec::new(), 0);
        for (index, element) in elements.into_iter().enumerate() {
            let given = fields::without_nulls(element);
            let names = fields::with_value(&given);
            let is_title = |name: &str| name == "title" || name == "name";
            let title = given.iter().find(|(name, _)| is_title(name)).and_then(|(_, title)| title.as_str());
            let title = title.unwrap_or_default().to_owned();
            match R::parse_new(None, Json::Object(given)) {
                Ok(new) => drafts.push(Draft { new, names, title }),
                Err(found) => {
                    let prefix = self.list.map(|list| format!("{list}/{index}")).unwrap_or_default();
                    count += found.count();
                    faults.extend(found.listed().iter().map(|fault| fault_text(&prefix, fault)));
                }
            }
        }
        if faults.is_empty() {
            return Ok(drafts);
        }
        let names = fields::names(&R::new_schema()).join(", ");
        let hint = format!("A new {} has these fields: {names}.", noun(R::KIND));
        Err(ToolError::of_arguments(faults.into_iter(), count, &hint))
    }

    /// Returns the key of one record. Records of one call have different keys.
    fn element_key(&self, key: &str, index: usize) -> Result<IdempotencyKey, ToolError> {
        let key = if self.list.is_some() { format!("{key}#{index}") } else { key.to_owned() };
        key.parse().map_err(|_| ToolError::from(Error::InvalidIdempotencyKey))
    }
}

/// Returns the container that the caller names. If a container is needed and none is named, it is the first one.
fn requested_container<R: AddableRecord>(
    context: &ToolContext,
    containers: &[Container],
    wanted: Option<&str>,
) -> Result<Option<Container>, ToolError> {
    match (R::CONTAINER, wanted) {
        (Some(_), _) if R::NEEDS_CONTAINER && containers.is_empty() => {
            let hint = context.first_list_hint().unwrap_or("A member must create one.");
            Err(ToolError::Correctable(format!("Nothing was added: there is no shopping list. {hint}")))
        }
        (Some(argument), Some(wanted)) => Container::find(containers, wanted, argument).map(Some),
        _ if R::NEEDS_CONTAINER => Ok(containers.first().cloned()),
        _ => Ok(None),
    }
}

/// Returns the last line of the text: the container, and the others if the caller named none.
fn container_line(containers: &[Container], container: Option<&Container>, wanted: Option<&str>) -> String {
    let Some(container) = container else {
        return String::new();
    };
    let others: Vec<&Container> = containers.iter().filter(|other| other.id != container.id).collect();
    if wanted.is_some() || others.is_empty() {
        return format!("In {}.\n", container.shown());
    }
    format!("In {}, because no other was named. The others: {}.\n", container.shown(), listed(others.into_iter()))
}
