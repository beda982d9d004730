//! `add_tasks`, `add_events`, `add_shopping_items` and `add_note`: add records, each with its own outcome.

use std::marker::PhantomData;

use async_trait::async_trait;
use family_api_core::change::{Editable, New, TimeNotice};
use family_api_core::idempotency::{IdempotencyKey, IdempotentRequest};
use family_api_core::query::ClashQuery;
use family_api_core::resource::{Event, Note, ShoppingItem, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{CreateOutcome, Error, RecordService};
use serde_json::Value;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments, Members};
use crate::context::ToolContext;
use crate::error::{ToolError, fault_text, noun};
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::names::{self, Directory, Named, listed};
use crate::write::addable_record::AddableRecord;
use crate::write::changed::sentences;
use crate::write::fields;
use crate::write::open_items::OpenItems;
use crate::write::outcomes::{Outcome, Outcomes};

pub(crate) const IDEMPOTENCY_KEY: Argument =
    Argument::optional("idempotencyKey", ArgumentType::IdempotencyKey, "Makes a repetition safe.");

pub(crate) const ADD_TASKS: Add<Task> = Add {
    name: "add_tasks",
    title: "Add tasks",
    description: "Adds 1 to 20 tasks.",
    arguments: &[
        Argument::required("tasks", ArgumentType::Records(20, element::<Task>), ""),
        Argument::optional(
            "column",
            ArgumentType::Text(300),
            "Name or id of a column or board, for tasks without column. Default: the first column.",
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
    description: "Adds 1 to 20 events to the calendar. The answer names what each overlaps with for the same people.",
    arguments: &[Argument::required("events", ArgumentType::Records(20, element::<Event>), ""), IDEMPOTENCY_KEY],
    list: Some("events"),
    heading: "Events added",
    record: PhantomData,
};

pub(crate) const ADD_SHOPPING_ITEMS: Add<ShoppingItem> = Add {
    name: "add_shopping_items",
    title: "Add shopping items",
    description: "Adds 1 to 50 items to a shopping list, if they are not on it.",
    arguments: &[
        Argument::required("items", ArgumentType::Records(50, element::<ShoppingItem>), ""),
        Argument::optional("list", ArgumentType::Text(300), "Name or id. Default: the first list."),
        Argument::optional("allowDuplicates", ArgumentType::Boolean, "true: also adds what is on the list."),
        IDEMPOTENCY_KEY,
    ],
    list: Some("items"),
    heading: "Items added",
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
    let mut schema = fields::short_schema(&R::new_schema(), R::DESCRIPTIONS);
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|name| !R::OPTIONAL.iter().any(|optional| name == optional));
    }
    schema
}

/// A new record whose fields are valid.
struct Draft<R: Editable> {
    new: New<R::Update>,
    /// The fields, which can contain names of other records.
    fields: Members,
    /// The title, for messages.
    title: String,
    /// The defaults that were added, in words.
    completed: Option<String>,
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
            output: if R::CONTAINER.is_some() { Outcomes::schema_with_notices() } else { Outcomes::schema() },
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<R>(context.caller(), Verb::Create)?;
        let (arguments, elements) = self.elements(arguments)?;
        // Before the first wait, because the elements can take many times the bytes of the body.
        let drafts = self.drafts(context, elements)?;
        let wanted = R::CONTAINER.and_then(|(container, _)| arguments.text(container));
        let key = arguments.text("idempotencyKey");
        let mut directory = Directory::new(context);
        let lists = R::lists(context).await?;
        let containers = match (&lists, R::CONTAINER.filter(|_| wanted.is_some())) {
            (Some(lists), _) => lists.iter().map(Named::from).collect(),
            (None, Some((_, target))) => directory.all(target).await?.to_vec(),
            (None, None) => Vec::new(),
        };
        let container = requested_container::<R>(context, &containers, lists.is_some(), wanted)?;
        let allows_duplicates = arguments.boolean("allowDuplicates").unwrap_or_default();
        let mut open_items = match (lists, &container) {
            (Some(lists), Some(container)) if !allows_duplicates => Some(OpenItems::of(lists, &container.id)),
            _ => None,
        };
        let advice = advice(key.is_some());
        let mut outcomes = Outcomes::default();
        let mut events: Vec<(usize, ClashQuery)> = Vec::new();
        for (index, draft) in drafts.into_iter().enumerate() {
            let title = draft.title.clone();
            let failed = |reason| Outcome::not_added(&title, reason);
            if outcomes.skips(failed) {
                continue;
            }
            let quantity = text_of(&draft.fields, "quantity");
            if let Some(present) = open_items.as_ref().and_then(|open| open.find(&title, quantity)) {
                outcomes.add(context, Ok(present), failed, advice)?;
                continue;
            }
            // The request does not contain the default container, which may be another one if the call is repeated. It
            // contains the names as they are given, because they may then lead to other records.
            let references: Vec<&str> = names::given(R::KIND, &draft.fields).map(|(_, text)| text).collect();
            let request = |key| IdempotentRequest::of::<R>(&key, &(wanted, &references, &draft.new));
            let idempotency = key.map(|key| self.element_key(key, index)).transpose()?.map(request);
            let mut notices = Vec::from_iter(draft.completed.clone());
            notices.extend(sentences(&TimeNotice::of::<R>(draft.new.fields(), context.zone())));
            let created = create(&records, &mut directory, draft, container.as_ref(), idempotency).await;
            if let Ok(CreateOutcome::New(record) | CreateOutcome::Existing(record)) = &created {
                let query = |event: &Event| ClashQuery { event: event.clone(), occurrence: None };
                events.extend(record.as_event().map(|event| (outcomes.len(), query(event))));
            }
            let added = match created {
                Ok(CreateOutcome::New(record)) => {
                    let added = Outcome::added(&record, context).noting(&notices);
                    if let Some((open, item)) = open_items.as_mut().zip(record.into_item().filter(|item| !item.checked))
                    {
                        open.insert(item);
                    }
                    Ok(added)
                }
                Ok(CreateOutcome::Existing(record)) => {
                    let replayed = Outcome::replayed(&record, context);
                    // Also if it is checked now: the first call added no later element with the same name.
                    if let Some((open, item)) = open_items.as_mut().zip(record.into_item()) {
                        open.insert(item);
                    }
                    Ok(replayed)
                }
                Err(error) => Err(error),
            };
            outcomes.add(context, added, failed, advice)?;
        }
        outcomes.check_clashes(context, events).await;
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
    fn drafts(&self, context: &ToolContext, elements: Vec<Members>) -> Result<Vec<Draft<R>>, ToolError> {
        let (mut drafts, mut faults, mut count) = (Vec::new(), Vec::new(), 0);
        for (index, element) in elements.into_iter().enumerate() {
            let given = fields::without_nulls(element);
            let title = text_of(&given, "title").or_else(|| text_of(&given, "name")).unwrap_or_default().to_owned();
            let prefix = self.list.map(|list| format!("{list}/{index}")).unwrap_or_default();
            for (name, argument) in given.iter().filter_map(|(name, _)| Some((name, names::other_argument(name)?))) {
                count += 1;
                faults.push(
                    format!("{prefix}/{name}: is not a field, use {argument}").trim_start_matches('/').to_owned(),
                );
            }
            let mut fields = names::fields(context, R::KIND, given);
            let completed = R::complete(&mut fields, context.zone());
            match R::parse_new(None, Json::Object(fields.clone())) {
                Ok(new) => drafts.push(Draft { new, fields, title, completed }),
                Err(found) => {
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
        if self.list.is_some() { element_key(key, index) } else { parse_key(key) }
    }
}

/// Returns the advice after a fault of the service.
pub(crate) const fn advice(has_key: bool) -> &'static str {
    if has_key {
        "repeat the call with the same idempotencyKey"
    } else {
        "it may have been added: look before you add it again"
    }
}

/// Returns the key of one of several records.
pub(crate) fn element_key(key: &str, index: usize) -> Result<IdempotencyKey, ToolError> {
    parse_key(&format!("{key}#{index}"))
}

fn parse_key(key: &str) -> Result<IdempotencyKey, ToolError> {
    key.parse().map_err(|_| ToolError::from(Error::InvalidIdempotencyKey))
}

/// Returns a field that is a text.
fn text_of<'a>(fields: &'a [(String, Json)], name: &str) -> Option<&'a str> {
    fields.iter().find(|(field, _)| field == name).and_then(|(_, value)| value.as_str())
}

/// Creates a record. If a field contains no id, but the name of another record, the creation is repeated with its id.
async fn create<R: AddableRecord>(
    records: &RecordService<'_, R>,
    directory: &mut Directory<'_>,
    draft: Draft<R>,
    container: Option<&Named>,
    idempotency: Option<IdempotentRequest>,
) -> Result<CreateOutcome<R>, ToolError> {
    let has_key = idempotency.is_some();
    let placed = |new| match container {
        Some(container) => R::put_in(new, &container.id),
        None => new,
    };
    let mut created = records.create(placed(draft.new), idempotency.clone()).await;
    if created.as_ref().is_err_and(names::is_unknown_reference)
        && let Some(fields) = directory.resolve(R::KIND, &draft.fields).await?
    {
        let new = R::parse_new(None, Json::Object(fields)).map_err(Error::InvalidField)?;
        created = records.create(placed(new), idempotency).await;
    }
    created.map_err(|error| ToolError::of_creation(error, has_key))
}

/// Returns the container that the caller names. If a container is needed and none is named, it is the first one.
fn requested_container<R: AddableRecord>(
    context: &ToolContext,
    containers: &[Named],
    is_needed: bool,
    wanted: Option<&str>,
) -> Result<Option<Named>, ToolError> {
    match (R::CONTAINER, wanted) {
        (Some(_), _) if is_needed && containers.is_empty() => {
            let hint = context.first_list_hint().unwrap_or("A member must create one.");
            Err(ToolError::Correctable(format!("Nothing was added: there is no shopping list. {hint}")))
        }
        (Some((argument, _)), Some(wanted)) => {
            let found = names::find(containers, wanted).map_err(|reason| format!("{argument}: {reason}"));
            let found = found.map_err(|fault| ToolError::of_arguments(std::iter::once(fault), 1, ""));
            found.map(|named| Some(named.clone()))
        }
        _ if is_needed => Ok(containers.first().cloned()),
        _ => Ok(None),
    }
}

/// Returns the last line of the text: the container, and the others if the caller named none.
fn container_line(containers: &[Named], container: Option<&Named>, wanted: Option<&str>) -> String {
    let Some(container) = container else {
        return String::new();
    };
    let others: Vec<&Named> = containers.iter().filter(|other| other.id != container.id).collect();
    if wanted.is_some() || others.is_empty() {
        return format!("In {}.\n", container.shown());
    }
    format!("In {}, because no other was named. The others: {}.\n", container.shown(), listed(others.into_iter()))
}
