//! `add_containers`, `update_container` and `delete_containers`: write boards, columns, shopping lists and categories of
//! notes, which contain other records.

use async_trait::async_trait;
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::resource::{Board, Column, NoteCategory, RecordKind, ShoppingList, Verb};
use family_api_core::validation::Json;
use family_api_core::{CreateOutcome, Error, Precondition, Updated};
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;

use crate::answer::{Answer, fault, one_line};
use crate::arguments::{Argument, ArgumentType, Arguments, ID, IDS, Members};
use crate::context::ToolContext;
use crate::error::{ToolError, noun};
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::instructions::capitalized;
use crate::names::{Directory, Target, listed};
use crate::records::{MAX_LINE, title};
use crate::write::add::{IDEMPOTENCY_KEY, advice, element_key};
use crate::write::before::{Before, Values};
use crate::write::changed::{Change, has_new_value};
use crate::write::outcomes::{AGAIN, Outcome, Outcomes};
use crate::write::tool_record::ToolRecord;

const CONTAINERS: [Container; 4] = [
    Container::of::<Board>(),
    Container::of::<Column>(),
    Container::of::<ShoppingList>(),
    Container::of::<NoteCategory>(),
];

const KINDS: [RecordKind; 4] = [CONTAINERS[0].kind, CONTAINERS[1].kind, CONTAINERS[2].kind, CONTAINERS[3].kind];

const KIND: Argument = Argument::required(
    "kind",
    ArgumentType::Choice(&[KINDS[0].as_str(), KINDS[1].as_str(), KINDS[2].as_str(), KINDS[3].as_str()]),
    "",
);

/// The arguments that are fields of the record.
const FIELDS: [&str; 5] = ["name", "emoji", "color", "order", "isPrivate"];

const NAME: Argument = Argument::optional("name", ArgumentType::Text(300), "");
const EMOJI: Argument = Argument::optional("emoji", ArgumentType::Text(100), "");
const COLOR: Argument = Argument::optional("color", ArgumentType::Text(100), "");

pub(crate) const ADD_CONTAINERS: Containers = Containers {
    name: "add_containers",
    title: "Add boards, lists or categories",
    description: "Adds 1 to 20 empty boards, columns of a board, shopping lists or note categories.",
    effect: Effect::Write(Verb::Create, &KINDS),
    arguments: &[
        KIND,
        Argument::required("names", ArgumentType::Names(20), ""),
        Argument::optional("board", ArgumentType::Text(300), "The board of the columns: name or id."),
        Argument::optional("isPrivate", ArgumentType::Boolean, "Of boards and lists."),
        EMOJI,
        COLOR,
        IDEMPOTENCY_KEY,
    ],
    call: |container| container.add,
};

pub(crate) const UPDATE_CONTAINER: Containers = Containers {
    name: "update_container",
    title: "Update a board, list or category",
    description: "Changes the given fields of a board, column, shopping list or note category.",
    effect: Effect::Write(Verb::Update, &KINDS),
    arguments: &[
        KIND,
        Argument { description: "Name or id.", ..ID },
        NAME,
        EMOJI,
        COLOR,
        Argument::optional("order", ArgumentType::Integer(0, 1_000_000), ""),
    ],
    call: |container| container.update,
};

pub(crate) const DELETE_CONTAINERS: Containers = Containers {
    name: "delete_containers",
    title: "Delete boards, lists or categories",
    description: "Deletes 1 to 20 empty boards (without columns), columns, shopping lists or note categories.",
    effect: Effect::Write(Verb::Delete, &KINDS),
    arguments: &[KIND, Argument { accepts: ArgumentType::Ids(20), description: "Names or ids.", ..IDS }],
    call: |container| container.delete,
};

/// A call of a tool for one kind of record.
type Call = for<'a> fn(&'a ToolContext, &'a Arguments) -> BoxFuture<'a, Result<Answer, ToolError>>;

/// A kind of record that contains others.
struct Container {
    kind: RecordKind,
    /// Checks whether the caller may perform an operation on records of the kind.
    check: fn(&ToolContext, Verb) -> Result<(), Error>,
    add: Call,
    update: Call,
    delete: Call,
}

impl Container {
    const fn of<R: ContainerRecord>() -> Self {
        Self {
            kind: R::KIND,
            check: |context, verb| context.api().records::<R>(context.caller(), verb).map(drop),
            add: |context, arguments| Box::pin(add::<R>(context, arguments)),
            update: |context, arguments| Box::pin(update::<R>(context, arguments)),
            delete: |context, arguments| Box::pin(delete::<R>(context, arguments)),
        }
    }
}

/// A tool that writes records which contain others.
pub(crate) struct Containers {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: Effect,
    arguments: &'static [Argument],
    call: fn(&Container) -> Call,
}

/// A kind of record that contains others.
trait ContainerRecord: ToolRecord {
    /// How an argument names such a record.
    const TARGET: Target;

    /// The field for the position.
    const ORDER: &'static str = "order";
}

impl ContainerRecord for Board {
    const TARGET: Target = Target::Board;
}

impl ContainerRecord for Column {
    const TARGET: Target = Target::Column;
}

impl ContainerRecord for ShoppingList {
    const TARGET: Target = Target::List;
    const ORDER: &'static str = "sortOrder";
}

impl ContainerRecord for NoteCategory {
    const TARGET: Target = Target::Category;
}

#[async_trait]
impl ToolHandler for Containers {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: self.name,
            title: self.title,
            description: self.description,
            effect: self.effect,
            arguments: self.arguments,
            fields: None,
            output: Outcomes::schema(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let Effect::Write(verb, _) = self.effect else { return Err(ToolError::Fault(Error::NotFound)) };
        let supports = |container: &Container| context.api().capabilities().supports(container.kind, verb);
        let supported: Vec<Container> = CONTAINERS.into_iter().filter(supports).collect();
        let allowed = self.effect.kinds(context);
        if let Some(first) = supported.first()
            && allowed.is_empty()
        {
            (first.check)(context, verb)?;
        }
        let arguments = Arguments::read(self.arguments, arguments)?;
        let Some(container) = supported.iter().find(|found| Some(found.kind.as_str()) == arguments.text(KIND.name))
        else {
            let names: Vec<&str> = allowed.into_iter().map(RecordKind::as_str).collect();
            return Err(faulty(format!("kind: expected one of {}", names.join(", "))));
        };
        (container.check)(context, verb)?;
        (self.call)(container)(context, &arguments).await
    }
}

/// Returns the given fields of a record, beside those in `more`.
fn fields<R: ContainerRecord>(arguments: &Arguments, more: Members) -> Members {
    let field = |name: &str| if name == "order" { R::ORDER.to_owned() } else { name.to_owned() };
    let given = FIELDS.iter().filter_map(|name| Some((field(name), arguments.value(name)?.clone())));
    more.into_iter().chain(given).collect()
}

async fn add<R: ContainerRecord>(context: &ToolContext, arguments: &Arguments) -> Result<Answer, ToolError> {
    let records = context.api().records::<R>(context.caller(), Verb::Create)?;
    let names: Vec<&str> = arguments.texts("names").collect();
    let key = arguments.text(IDEMPOTENCY_KEY.name);
    let wanted = arguments.text("board");
    let body = |name: &&str| {
        let name = vec![("name".to_owned(), Json::String((*name).to_owned()))];
        Json::Object(fields::<R>(arguments, name))
    };
    // Nothing is added if one of the names is invalid.
    let parse = |board: Option<&str>, name: &&str| R::parse_new(board, body(name)).map_err(Error::InvalidField);
    let board = board_of::<R>(context, wanted).await?;
    let drafts: Vec<_> = names.iter().map(|name| parse(board.as_deref(), name)).collect::<Result<_, _>>()?;
    let mut outcomes = Outcomes::default();
    for (index, (name, new)) in names.into_iter().zip(drafts).enumerate() {
        let failed = |reason| Outcome::not_added(name, reason);
        if outcomes.skips(failed) {
            continue;
        }
        let request = |key| IdempotentRequest::of::<R>(&key, &(wanted, &new));
        let idempotency = key.map(|key| element_key(key, index)).transpose()?.map(request);
        let created = records.create(new, idempotency).await;
        let added =
            created.map_err(|error| ToolError::of_creation(error, key.is_some())).map(|created| match created {
                CreateOutcome::New(record) => Outcome::added(&record, context),
                CreateOutcome::Existing(record) => Outcome::replayed(&record, context),
            });
        outcomes.add(context, added, failed, advice(key.is_some()))?;
    }
    outcomes.into_answer("Added", "added", "")
}

/// Returns the id of the board of columns.
async fn board_of<R: ContainerRecord>(
    context: &ToolContext,
    wanted: Option<&str>,
) -> Result<Option<String>, ToolError> {
    let mut directory = Directory::new(context);
    match (R::KIND, wanted) {
        (RecordKind::Column, Some(wanted)) => {
            directory.id("board", Target::Board, wanted).await.map(Some).map_err(ToolError::of_argument)
        }
        (RecordKind::Column, None) => {
            let boards = directory.all(Target::Board).await?;
            Err(faulty(format!("board: is required for columns; there are {}", listed(boards.iter()))))
        }
        (_, Some(_)) => Err(faulty("board: only columns have a board".to_owned())),
        (_, None) => Ok(None),
    }
}

// A record after a change.
#[derive(Serialize)]
struct Shown {
    id: String,
    name: String,
}

async fn update<R: ContainerRecord>(context: &ToolContext, arguments: &Arguments) -> Result<Answer, ToolError> {
    let records = context.api().records::<R>(context.caller(), Verb::Update)?;
    let given = fields::<R>(arguments, Vec::new());
    if given.is_empty() {
        return Err(ToolError::Correctable("Nothing was changed: give at least one field to change.".to_owned()));
    }
    let update = R::parse_update(Json::Object(given)).map_err(Error::InvalidField)?;
    let id = arguments.text(ID.name).unwrap_or_default();
    let mut updated = records.update(&id.into(), update.clone(), &Precondition::None).await;
    if matches!(updated, Err(Error::NotFound)) {
        let id = Directory::new(context).exact_id(ID.name, R::TARGET, id).await.map_err(ToolError::of_argument)?;
        updated = records.update(&id.as_str().into(), update, &Precondition::None).await;
    }
    let updated = updated.map_err(|error| ToolError::of_change(error, R::KIND));
    let changed = updated.and_then(changed);
    let mut outcomes = Outcomes::default();
    outcomes.add(context, changed, |reason| Outcome::failed(id, reason), AGAIN)?;
    outcomes.into_answer("Changed", "changed", "")
}

fn changed<R: ContainerRecord>(updated: Updated<R>) -> Result<Outcome, ToolError> {
    let Updated { before, after, .. } = updated;
    let replaced = Before::of(values(&before)?, &values(&after)?);
    let shown = Shown { id: after.id().to_string(), name: title(after.title()) };
    let line = format!("{} {} [{}]\n", capitalized(noun(R::KIND)), one_line(&shown.name, MAX_LINE), shown.id);
    Change { is_changed: has_new_value(before, &after), shown, replaced, notices: Vec::new() }.outcome(&line)
}

/// Returns the values of the fields, as the arguments set them.
fn values<R: ContainerRecord>(record: &R) -> Result<Values, ToolError> {
    let record = serde_json::to_value(record).map_err(fault)?;
    let value = |field: &str| record.get(field).cloned().unwrap_or(Value::Null);
    Ok(["name", "emoji", "color"]
        .into_iter()
        .map(|name| (name, value(name)))
        .chain([("order", value(R::ORDER))])
        .collect())
}

async fn delete<R: ContainerRecord>(context: &ToolContext, arguments: &Arguments) -> Result<Answer, ToolError> {
    let records = context.api().records::<R>(context.caller(), Verb::Delete)?;
    let mut directory = Directory::new(context);
    let mut outcomes = Outcomes::default();
    for id in arguments.ids() {
        let failed = |reason| Outcome::failed(id, reason);
        if outcomes.skips(failed) {
            continue;
        }
        let mut deleted = records.take(&id.into(), &Precondition::None).await;
        if matches!(deleted, Err(Error::NotFound)) {
            deleted = match directory.exact_id(IDS.name, R::TARGET, id).await {
                Ok(id) => records.take(&id.as_str().into(), &Precondition::None).await,
                Err(error) => {
                    outcomes.add(context, Err(error), failed, AGAIN)?;
                    continue;
                }
            };
        }
        let deleted = deleted.map(|record| Outcome::deleted(&record)).map_err(|error| match error {
            Error::NotEmpty => ToolError::Correctable("is not empty: move or delete what it contains first".to_owned()),
            other => ToolError::of_change(other, R::KIND),
        });
        outcomes.add(context, deleted, failed, AGAIN)?;
    }
    outcomes.into_answer("Deleted", "deleted", "")
}

fn faulty(fault: String) -> ToolError {
    ToolError::of_arguments(std::iter::once(fault), 1, "")
}
