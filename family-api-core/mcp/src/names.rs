//! Columns, boards, lists, items, categories and members that arguments name: each by its id or by its name.
//!
//! A write is first tried with the arguments as they are, because an id needs no read. Only if it finds no record are
//! they compared with the names that the caller sees.

use std::iter;

use family_api_core::Error;
use family_api_core::calendar::Zone;
use family_api_core::query::{BoardOutline, ColumnOutline};
use family_api_core::resource::{Person, RecordKind, ShoppingList, fold_text};
use family_api_core::storage::StorageError;
use family_api_core::validation::Json;

use crate::answer::one_line;
use crate::arguments::Members;
use crate::context::ToolContext;
use crate::error::ToolError;

/// Maximum number of names in a message.
const MAX_LISTED: usize = 10;

/// Maximum length of a name in a message, in characters.
const MAX_NAME: usize = 40;

/// The name with which a caller means itself.
pub(crate) const ME: &str = "me";

/// What an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Board,
    Column,
    /// A column, or a board for its first column.
    Place,
    List,
    /// An item that is not checked.
    OpenItem,
    CheckedItem,
    Category,
    Member,
}

/// A field that names another record, or a list of them. A tool accepts names too, so the argument is not called an id.
pub(crate) struct NamedField {
    /// The field of the body.
    pub(crate) field: &'static str,
    pub(crate) argument: &'static str,
    target: Target,
}

const ASSIGNEE: NamedField = NamedField { field: "assigneeId", argument: "assignee", target: Target::Member };
const PARTICIPANTS: NamedField =
    NamedField { field: "participantIds", argument: "participants", target: Target::Member };
const COLUMN: NamedField = NamedField { field: "columnId", argument: "column", target: Target::Place };
const CATEGORY: NamedField = NamedField { field: "categoryId", argument: "category", target: Target::Category };
const LIST: NamedField = NamedField { field: "listId", argument: "list", target: Target::List };

/// The fields whose argument has another name, which is their name in answers: these contain local times.
const LOCAL_TIMES: [(&str, &str); 2] = [("startDate", "start"), ("endDate", "end")];

/// Returns the fields of a kind of record that name another record.
const fn references(kind: RecordKind) -> &'static [NamedField] {
    match kind {
        RecordKind::Task => &[COLUMN, ASSIGNEE],
        RecordKind::Event => &[ASSIGNEE, PARTICIPANTS],
        RecordKind::Note => &[CATEGORY],
        RecordKind::ShoppingItem => &[LIST],
        _ => &[],
    }
}

/// Returns the argument that sets a field of any kind of record.
pub(crate) fn argument(field: &str) -> &str {
    let all = [ASSIGNEE, PARTICIPANTS, COLUMN, CATEGORY, LIST];
    let references = all.into_iter().map(|reference| (reference.field, reference.argument));
    references.chain(LOCAL_TIMES).find(|(name, _)| *name == field).map_or(field, |(_, argument)| argument)
}

/// Returns the argument for a field if it has another name.
pub(crate) fn other_argument(field: &str) -> Option<&str> {
    Some(argument(field)).filter(|argument| *argument != field)
}

/// Replaces the names of fields in a message by those of their arguments.
pub(crate) fn in_words(message: &str) -> String {
    LOCAL_TIMES.into_iter().fold(message.to_owned(), |message, (field, argument)| message.replace(field, argument))
}

/// Returns the field of a kind of record that an argument sets.
pub(crate) fn field(kind: RecordKind, argument: &str) -> &str {
    match (kind, argument) {
        // The scope of a change of one occurrence, which is stored as an override.
        (RecordKind::Event, "scope") => return "overrides",
        (RecordKind::Note, "append") => return "content",
        _ => {}
    }
    let named = references(kind).iter().map(|reference| (reference.field, reference.argument));
    let times = LOCAL_TIMES.into_iter().filter(|_| kind == RecordKind::Event);
    named.chain(times).find(|(_, name)| *name == argument).map_or(argument, |(field, _)| field)
}

/// Returns whether an argument is a word with a meaning of its own, such as `me`, in any spelling of a name.
pub(crate) fn is_word(text: &str, word: &str) -> bool {
    fold_text(text).trim() == word
}

/// Returns the arguments as fields of a kind of record. `me` becomes the id of the caller.
pub(crate) fn fields(context: &ToolContext, kind: RecordKind, given: Members) -> Members {
    let convert = |(name, value): (String, Json)| {
        let Some(reference) = references(kind).iter().find(|reference| reference.argument == name) else {
            let time = LOCAL_TIMES.iter().find(|(_, argument)| kind == RecordKind::Event && *argument == name);
            return (time.map_or(name, |(field, _)| (*field).to_owned()), value);
        };
        let convert = |value: Json| {
            let is_caller = reference.target == Target::Member && value.as_str().is_some_and(|text| is_word(text, ME));
            if is_caller { Json::String(context.caller().user().to_string()) } else { value }
        };
        (reference.field.to_owned(), each_element(value, convert))
    };
    given.into_iter().map(convert).collect()
}

/// Converts a value, or each element if it is a list.
fn each_element(value: Json, convert: impl Fn(Json) -> Json) -> Json {
    match value {
        Json::Array(elements) => Json::Array(elements.into_iter().map(convert).collect()),
        other => convert(other),
    }
}

/// Returns the references among the fields of a record, with the texts that were given.
pub(crate) fn given(kind: RecordKind, fields: &[(String, Json)]) -> impl Iterator<Item = (&'static NamedField, &str)> {
    let texts = |reference: &'static NamedField| {
        let value = fields.iter().find(|(name, _)| name == reference.field).map(|(_, value)| value);
        let texts = match value {
            Some(Json::Array(elements)) => elements.as_slice(),
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        texts.iter().filter_map(move |text| Some((reference, text.as_str()?)))
    };
    references(kind).iter().flat_map(texts)
}

/// Returns whether a write can have failed because a field contains a name.
pub(crate) fn is_unknown_reference(error: &Error) -> bool {
    match error {
        Error::NotFound => true,
        Error::InvalidField(faults) => {
            let field = |pointer: &str| pointer.split('/').nth(1).map(str::to_owned);
            let names_member = |field: String| [ASSIGNEE.field, PARTICIPANTS.field].contains(&field.as_str());
            faults.listed().iter().any(|fault| field(&fault.pointer).is_some_and(names_member))
        }
        _ => false,
    }
}

/// A record that has a name.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) id: String,
    /// The name for messages.
    pub(crate) name: String,
    /// The other names by which the record is found.
    pub(crate) other_names: Vec<String>,
    /// Another id by which the record is found: that of the board whose first column this is.
    pub(crate) other_id: Option<String>,
    /// The board of a column.
    pub(crate) board: Option<String>,
}

/// The records that the caller sees, each kind read at most once.
pub(crate) struct Directory<'a> {
    context: &'a ToolContext,
    read: Vec<(Target, Vec<Named>)>,
}

impl<'a> Directory<'a> {
    pub(crate) const fn new(context: &'a ToolContext) -> Self {
        Self { context, read: Vec::new() }
    }

    /// Returns the zone of the caller.
    pub(crate) fn zone(&self) -> &Zone {
        self.context.zone()
    }

    /// Returns whether names were needed before.
    pub(crate) const fn is_read(&self) -> bool {
        !self.read.is_empty()
    }

    /// Returns the fields of a record with ids instead of names. `None` if every reference is an id already.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with only the reason for the first name that is unknown or ambiguous. The error of
    /// the read.
    pub(crate) async fn resolve(&mut self, kind: RecordKind, fields: &Members) -> Result<Option<Members>, ToolError> {
        let mut resolved = fields.clone();
        for (reference, text) in given(kind, fields) {
            if reference.target == Target::Member && text == self.context.caller().user().as_str() {
                continue;
            }
            let id = self.id(reference.argument, reference.target, text).await?;
            let with_id = |value: Json| if value.as_str() == Some(text) { Json::String(id.clone()) } else { value };
            for (_, value) in resolved.iter_mut().filter(|(name, _)| name == reference.field) {
                *value = each_element(std::mem::replace(value, Json::Null), with_id);
            }
        }
        Ok((resolved != *fields).then_some(resolved))
    }

    /// Returns the id of the record that an argument names.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with only the reason if the name is unknown or ambiguous. The error of the read.
    pub(crate) async fn id(&mut self, argument: &str, target: Target, wanted: &str) -> Result<String, ToolError> {
        self.id_by(argument, target, wanted, !target.is_item()).await
    }

    /// Does what [`id`](Self::id) does, but the beginning of a name is not enough.
    ///
    /// # Errors
    /// Those of [`id`](Self::id).
    pub(crate) async fn exact_id(&mut self, argument: &str, target: Target, wanted: &str) -> Result<String, ToolError> {
        self.id_by(argument, target, wanted, false).await
    }

    async fn id_by(
        &mut self,
        argument: &str,
        target: Target,
        wanted: &str,
        is_beginning_enough: bool,
    ) -> Result<String, ToolError> {
        let found = find_by(self.all(target).await?, wanted, is_beginning_enough).map(|named| named.id.clone());
        found.map_err(|reason| ToolError::Correctable(format!("{argument}: {reason}")))
    }

    /// Returns the id of a record with a name, if there is one.
    ///
    /// # Errors
    /// The error of the read.
    pub(crate) async fn any(&mut self, target: Target, name: &str) -> Result<Option<String>, Error> {
        let folded = fold_text(name);
        let found = self.all(target).await?.iter().find(|named| named.has_name(|name| name == folded.trim()));
        Ok(found.map(|named| named.id.clone()))
    }

    /// Returns the records that the caller sees.
    ///
    /// # Errors
    /// The error of the read.
    pub(crate) async fn all(&mut self, target: Target) -> Result<&[Named], Error> {
        if !self.read.iter().any(|(read, _)| *read == target) {
            self.read.push((target, target.read(self.context).await?));
        }
        let found = self.read.iter().find(|(read, _)| *read == target);
        Ok(found.map_or(&[], |(_, all)| all.as_slice()))
    }
}

impl Target {
    /// Returns whether the beginning of a name is not enough: an item "milk chocolate" may be left when "milk" is not.
    fn is_item(self) -> bool {
        matches!(self, Self::OpenItem | Self::CheckedItem)
    }

    async fn read(self, context: &ToolContext) -> Result<Vec<Named>, Error> {
        let reads = context.api().read(context.caller())?;
        let named = |id: String, name: String| Named { id, name, other_names: Vec::new(), other_id: None, board: None };
        Ok(match self {
            Self::Member => {
                let members: Vec<Person> = reads.members().await?.parse().map_err(StorageError::from)?;
                members.into_iter().map(|member| named(member.id.into(), member.name)).collect()
            }
            Self::Board => {
                let boards = reads.board_outlines().await?;
                boards.into_iter().map(|board| named(board.id.into(), board.name)).collect()
            }
            Self::Column | Self::Place => {
                let boards = reads.board_outlines().await?;
                boards.iter().flat_map(|board| columns(board, self == Self::Place)).collect()
            }
            Self::List => {
                let lists = reads.list_outlines().await?;
                lists.into_iter().map(|list| named(list.id.into(), list.name)).collect()
            }
            Self::OpenItem | Self::CheckedItem => {
                let items = reads.shopping_lists().await?.into_iter().flat_map(|list| list.items);
                let items = items.filter(|item| item.checked == (self == Self::CheckedItem));
                items.map(|item| named(item.id.into(), item.name)).collect()
            }
            Self::Category => {
                let categories = reads.note_categories().await?;
                categories.into_iter().map(|category| named(category.id.into(), category.name)).collect()
            }
        })
    }
}

/// Returns the columns of a board. Each is found by its own name, and with the name of the board before it. If
/// `is_place`, the first one is also found by the name of the board.
fn columns(board: &BoardOutline, is_place: bool) -> impl Iterator<Item = Named> {
    let column = move |(index, column): (usize, &ColumnOutline)| Named {
        id: column.id.to_string(),
        name: format!("{} / {}", board.name, column.name),
        other_names: (is_place && index == 0)
            .then(|| board.name.clone())
            .into_iter()
            .chain([column.name.clone()])
            .collect(),
        other_id: (is_place && index == 0).then(|| board.id.to_string()),
        board: Some(board.id.to_string()),
    };
    board.columns.iter().enumerate().map(column)
}

impl From<&ShoppingList> for Named {
    fn from(list: &ShoppingList) -> Self {
        Self { id: list.id.to_string(), name: list.name.clone(), other_names: Vec::new(), other_id: None, board: None }
    }
}

impl Named {
    /// Returns the name with the id.
    pub(crate) fn shown(&self) -> String {
        format!("{} [{}]", one_line(&self.name, MAX_NAME), self.id)
    }

    fn has_name(&self, matches: impl Fn(&str) -> bool) -> bool {
        iter::once(&self.name).chain(&self.other_names).any(|name| matches(fold_text(name).trim()))
    }
}

/// Returns the only record with an id or a name, or else the only one whose name begins with the text. Names are
/// compared without case, hyphens and accents.
///
/// # Errors
/// The reason, with the possible records, if none or several are meant.
pub(crate) fn find<'a>(all: &'a [Named], wanted: &str) -> Result<&'a Named, String> {
    find_by(all, wanted, true)
}

/// Does what [`find`] does. `is_beginning_enough` is whether the text can be the beginning of a name.
fn find_by<'a>(all: &'a [Named], wanted: &str, is_beginning_enough: bool) -> Result<&'a Named, String> {
    let has_id = |named: &&Named| named.id == wanted || named.other_id.as_deref() == Some(wanted);
    if let Some(named) = all.iter().find(has_id) {
        return Ok(named);
    }
    let folded = fold_text(wanted);
    let folded = folded.trim();
    let only = |found: Vec<&'a Named>, fault: &str| match found.as_slice() {
        [] => None,
        [named] => Some(Ok(*named)),
        several => Some(Err(format!("{fault}: {}", listed(several.iter().copied())))),
    };
    let equal = all.iter().filter(|named| named.has_name(|name| name == folded)).collect();
    let can_begin = is_beginning_enough && !folded.is_empty();
    let begin = || all.iter().filter(|named| can_begin && named.has_name(|name| name.starts_with(folded)));
    only(equal, "several have this name, so use an id of")
        .or_else(|| only(begin().collect(), "several names begin like this"))
        .unwrap_or_else(|| {
            let fault = "no such name or id";
            Err(if all.is_empty() {
                format!("{fault}, and you see none")
            } else {
                format!("{fault}; there are {}", listed(all.iter()))
            })
        })
}

/// Returns the names of the first records for a message.
pub(crate) fn listed<'a>(all: impl ExactSizeIterator<Item = &'a Named>) -> String {
    let more = all.len().saturating_sub(MAX_LISTED);
    let names: Vec<String> = all.take(MAX_LISTED).map(Named::shown).collect();
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    names.join(", ") + &more
}

#[cfg(test)]
mod tests;
