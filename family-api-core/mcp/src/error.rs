//! The failures of tools.

use family_api_core::Error;
use family_api_core::resource::{InvalidQuery, RecordKind};
use family_api_core::validation::{Faults, FieldFault};

use crate::named_days::NamedDays;
use crate::names;

/// How a message describes the format of a date.
const DATE_FORMAT: &str = "YYYY-MM-DD";

/// Maximum number of faults in one message.
const MAX_FAULTS: usize = 8;

/// The failure of a tool.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The model can correct the call. Contains sentences that say how, for the model.
    #[error("{0}")]
    Correctable(String),
    /// The family has the maximum number of records of a kind. Like [`Correctable`](Self::Correctable), but every other
    /// creation of the call would fail too.
    #[error("{0}")]
    LimitReached(String),
    /// The model cannot correct the failure. Contains the error of the service, such as a missing scope.
    #[error(transparent)]
    Fault(Error),
}

impl ToolError {
    /// Converts the error of an operation that finds a record by its id.
    pub(crate) fn of_lookup(error: Error, kind: RecordKind) -> Self {
        match error {
            Error::NotFound => Self::Correctable(unknown_id(kind)),
            other => Self::from(other),
        }
    }

    /// Converts the error of a creation whose fields name only records that the caller sees.
    pub(crate) fn of_creation(error: Error, has_idempotency_key: bool) -> Self {
        match error {
            Error::NotFound if has_idempotency_key => Self::Correctable(
                "an earlier call with this idempotencyKey added the record, and it was deleted since".to_owned(),
            ),
            Error::InvalidField(faults) => Self::of_record(&faults),
            other => Self::from(other),
        }
    }

    /// Returns the reason why one of several records was not written.
    fn of_record(faults: &Faults) -> Self {
        let listed: Vec<String> = faults.listed().iter().map(|fault| fault_text("", fault)).collect();
        Self::Correctable(listed.join("; "))
    }

    /// Converts the error of a change or deletion of a record.
    pub(crate) fn of_change(error: Error, kind: RecordKind) -> Self {
        match error {
            Error::NotFound => Self::Correctable(unknown_id(kind)),
            Error::InvalidField(faults) => Self::of_record(&faults),
            Error::PreconditionFailed => Self::Correctable(format!(
                "the {} was changed by someone else since you read it. Read it again with {} and repeat the call with the \
                 new etag as ifMatch",
                noun(kind),
                get_tool(kind)
            )),
            other => Self::from(other),
        }
    }
}

fn unknown_id(kind: RecordKind) -> String {
    let (name, list) = (noun(kind), list_tool(kind));
    format!("No {name} with this id is visible to you. Use an id that {list} returned; a title is not an id.")
}

/// The errors that depend on the arguments are correctable. Every other error is a fault.
impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidField(faults) => {
                let listed = faults.listed().iter().map(|fault| fault_text("", fault));
                Self::of_arguments(listed, faults.count(), "")
            }
            Error::InvalidQuery(InvalidQuery { parameter, expected }) => {
                let fault = format!("{parameter}: expected {expected}");
                Self::of_arguments(std::iter::once(fault), 1, "")
            }
            Error::InvalidJson(_) => Self::Correctable(format!("Nothing was done. {error}.")),
            Error::NotFound => Self::Correctable("No such record is visible to you.".to_owned()),
            Error::IdempotencyMismatch => Self::Correctable(
                "idempotencyKey was already used to add something else: use a new key for a new record".to_owned(),
            ),
            Error::IdempotencyRunning => Self::Correctable(
                "a call with this idempotencyKey is still running: repeat the call with the same key in a few seconds"
                    .to_owned(),
            ),
            Error::RecordLimitReached { .. } => {
                Self::LimitReached(format!("{error}. Delete records that are no longer needed."))
            }
            other => Self::Fault(other),
        }
    }
}

impl ToolError {
    /// Says which dates the days are that the arguments name in words, if the message asks for a date.
    pub(crate) fn naming_days(self, days: &NamedDays) -> Self {
        match self {
            Self::Correctable(text) if text.contains(DATE_FORMAT) => Self::Correctable(text + &days.sentences()),
            other => other,
        }
    }

    /// Returns the message for a call in which one argument is wrong. Contains only the reason before.
    pub(crate) fn of_argument(self) -> Self {
        match self {
            Self::Correctable(reason) => Self::of_arguments(std::iter::once(reason), 1, ""),
            other => other,
        }
    }

    /// Returns one message for the faults of the arguments.
    pub(crate) fn of_arguments(listed: impl Iterator<Item = String>, count: usize, hint: &str) -> Self {
        let listed: Vec<String> = listed.take(MAX_FAULTS).collect();
        let more = count.saturating_sub(listed.len());
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        let mut text = format!("Nothing was done. Correct these arguments: {}{more}.", listed.join("; "));
        if !hint.is_empty() {
            text.push(' ');
            text.push_str(hint);
        }
        Self::Correctable(text)
    }
}

/// Returns one fault for a message. `prefix` is the path of the object that has the fault.
pub(crate) fn fault_text(prefix: &str, fault: &FieldFault) -> String {
    let pointer = fault.pointer.trim_start_matches('/');
    let (field, element) = pointer.split_once('/').unwrap_or((pointer, ""));
    let name = format!("{prefix}/{}/{element}", names::argument(field));
    let name = name.trim_matches('/');
    let detail = names::in_words(&fault.detail);
    if name.is_empty() { detail } else { format!("{name}: {detail}") }
}

/// Returns the name of the kind in a sentence.
pub(crate) const fn noun(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "task",
        RecordKind::Note => "note",
        RecordKind::Event => "event",
        RecordKind::ShoppingItem => "shopping item",
        RecordKind::ShoppingList => "shopping list",
        RecordKind::Board => "board",
        RecordKind::Column => "column",
        RecordKind::NoteCategory => "note category",
    }
}

/// Returns the tool whose answer contains the ids of such records.
const fn list_tool(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "list_tasks",
        RecordKind::Note => "search_notes",
        RecordKind::Event => "list_events",
        RecordKind::ShoppingItem | RecordKind::ShoppingList => "list_shopping",
        _ => "get_overview",
    }
}

/// Returns the tool whose answer contains the entity tag of such a record.
const fn get_tool(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "get_task",
        RecordKind::Note => "get_note",
        _ => list_tool(kind),
    }
}
