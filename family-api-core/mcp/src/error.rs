//! The failures of tools.

use family_api_core::Error;
use family_api_core::resource::{InvalidQuery, RecordKind};
use family_api_core::validation::FieldFault;

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

/// The arguments of a write that name other records, if they are given. Each has the kind of the record, and the tool
/// that returns the ids.
const REFERENCES: [(&str, &str, &str); 4] = [
    ("columnId", "column", "get_overview returns the ids of columns"),
    ("column_id", "column", "get_overview returns the ids of columns"),
    ("list", "shopping list", "get_overview returns the ids of shopping lists"),
    ("categoryId", "category", "search_notes returns the category of each note"),
];

impl ToolError {
    /// Converts the error of an operation that finds a record by its id.
    pub(crate) fn of_lookup(error: Error, kind: RecordKind) -> Self {
        match error {
            Error::NotFound => Self::Correctable(unknown_id(kind)),
            other => Self::from(other),
        }
    }

    /// Converts the error of a creation. `given` are the names of the fields with a value.
    pub(crate) fn of_creation(error: Error, given: &[impl AsRef<str>], has_idempotency_key: bool) -> Self {
        let replayed = "an earlier call with this idempotency_key added the record, and it was deleted since";
        match (error, reference_faults(given)) {
            (Error::NotFound, Some(faults)) if has_idempotency_key => {
                Self::Correctable(format!("{faults}; or {replayed}"))
            }
            (Error::NotFound, Some(faults)) => Self::Correctable(faults),
            (Error::NotFound, None) if has_idempotency_key => Self::Correctable(replayed.to_owned()),
            (Error::InvalidField(faults), _) => {
                let listed: Vec<String> = faults.listed().iter().map(|fault| fault_text("", fault)).collect();
                Self::Correctable(listed.join("; "))
            }
            (other, _) => Self::from(other),
        }
    }

    /// Returns the error of a change that did not find its record, or another record that it names. `is_found` is true
    /// if the caller sees the record. `given` are the names of the arguments with a value.
    pub(crate) fn of_unknown(kind: RecordKind, is_found: bool, given: &[impl AsRef<str>]) -> Self {
        let reference = is_found.then(|| unknown_reference(kind, given)).flatten();
        Self::Correctable(reference.unwrap_or_else(|| unknown_id(kind)))
    }

    /// Converts the error of a change or deletion of a record.
    pub(crate) fn of_change(error: Error, kind: RecordKind) -> Self {
        match error {
            Error::NotFound => Self::Correctable(unknown_id(kind)),
            Error::PreconditionFailed => Self::Correctable(format!(
                "Nothing was changed: the {} was changed by someone else since you read it. Read it again with {} and \
                 repeat the call with the new etag as if_match.",
                noun(kind),
                get_tool(kind)
            )),
            other => Self::from(other),
        }
    }
}

/// Returns whether an argument that names another record is given.
pub(crate) fn names_a_record(given: &[impl AsRef<str>]) -> bool {
    reference_faults(given).is_some()
}

/// Returns the message for a change that names an unknown record. `None` if the change names no other record.
fn unknown_reference(kind: RecordKind, given: &[impl AsRef<str>]) -> Option<String> {
    let faults = reference_faults(given)?;
    Some(format!("Nothing was changed. The {} exists, but {faults}. A name is not an id.", noun(kind)))
}

/// Returns the possible faults of the arguments that name other records. `None` if no such argument is given.
fn reference_faults(given: &[impl AsRef<str>]) -> Option<String> {
    let is_given = |argument: &str| given.iter().any(|name| name.as_ref() == argument);
    let faults: Vec<String> = REFERENCES
        .iter()
        .filter(|(argument, ..)| is_given(argument))
        .map(|(argument, record, source)| format!("{argument} is not the id of a {record} that you can see ({source})"))
        .collect();
    (!faults.is_empty()).then(|| faults.join(", or "))
}

fn unknown_id(kind: RecordKind) -> String {
    let (name, list) = (noun(kind), list_tool(kind));
    format!("No {name} with this id is visible to you. Use an id that {list} returned; a title is not an id.")
}

/// Returns which tool returns the ids that an argument accepts.
fn id_hint(parameter: &str) -> &'static str {
    if parameter.ends_with("_id") || parameter == "assignee" {
        "get_overview returns the ids; a name is not an id."
    } else {
        ""
    }
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
                Self::of_arguments(std::iter::once(fault), 1, id_hint(parameter))
            }
            Error::InvalidJson(_) => Self::Correctable(format!("Nothing was done. {error}.")),
            Error::NotFound => Self::Correctable("No such record is visible to you.".to_owned()),
            Error::IdempotencyMismatch => Self::Correctable(
                "idempotency_key was already used to add something else: use a new key for a new record".to_owned(),
            ),
            Error::IdempotencyRunning => Self::Correctable(
                "a call with this idempotency_key is still running: repeat the call with the same key in a few seconds"
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
    let name = format!("{prefix}{}", fault.pointer);
    let name = name.trim_start_matches('/');
    let source = if fault.pointer == "/assigneeId" { " (get_overview returns the ids of members)" } else { "" };
    if name.is_empty() { fault.detail.clone() } else { format!("{name}: {}{source}", fault.detail) }
}

/// Returns the name of the kind in a sentence.
pub(crate) const fn noun(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "task",
        RecordKind::Note => "note",
        RecordKind::Event => "event",
        RecordKind::ShoppingItem => "shopping item",
        RecordKind::ShoppingList => "shopping list",
        _ => "record",
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
