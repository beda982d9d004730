//! The failures of tools.

use family_api_core::Error;
use family_api_core::resource::InvalidQuery;
use family_api_core::validation::Faults;

/// Maximum number of faults in one message.
const MAX_FAULTS: usize = 8;

/// The failure of a tool.
#[derive(Debug)]
pub(super) enum ToolError {
    /// The model can correct the call. The text is a sentence that says what to do.
    Correctable(String),
    /// The model cannot correct the failure. The endpoint answers the HTTP problem of this error.
    Fault(Error),
}

/// The kind of a record, for messages about it.
#[derive(Debug, Clone, Copy)]
pub(super) enum RecordKind {
    /// A task.
    Task,
    /// A note.
    Note,
}

impl RecordKind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Note => "note",
        }
    }

    /// The tools that return ids of such records.
    const fn list_tool(self) -> &'static str {
        match self {
            Self::Task => "list_tasks",
            Self::Note => "search_notes",
        }
    }

    const fn get_tool(self) -> &'static str {
        match self {
            Self::Task => "get_task",
            Self::Note => "get_note",
        }
    }
}

/// The arguments of a change that name other records, if they are given. Each has the kind of the record, and the tool
/// that returns the ids.
const REFERENCES: [(&str, &str, &str); 4] = [
    ("columnId", "column", "get_overview returns the ids of columns"),
    ("column_id", "column", "get_overview returns the ids of columns"),
    ("assigneeId", "member of the family", "get_overview returns the ids of members"),
    ("categoryId", "category", "search_notes returns the category of each note"),
];

impl ToolError {
    /// Converts the error of a read of a record.
    pub(super) fn of_read(error: Error, kind: RecordKind) -> Self {
        match error {
            Error::NotFound => Self::Correctable(unknown_id(kind)),
            other => Self::from(other),
        }
    }

    /// Converts the error of a deletion of a record.
    pub(super) fn of_deletion(error: Error, kind: RecordKind) -> Self {
        Self::of_change(error, kind, None::<&()>, &[""; 0])
    }

    /// Converts the error of a change of a record. `before` is the record before the change, if it was found. `given` are
    /// the names of the arguments with a value: a record that is found needs another record that is not.
    pub(super) fn of_change<T>(error: Error, kind: RecordKind, before: Option<&T>, given: &[impl AsRef<str>]) -> Self {
        match error {
            Error::NotFound => Self::Correctable(
                before.and_then(|_| unknown_reference(kind, given)).unwrap_or_else(|| unknown_id(kind)),
            ),
            Error::PreconditionFailed => Self::Correctable(format!(
                "Nothing was changed: the {} was changed by someone else since you read it. Read it again with {} and \
                 repeat the call with the new etag as if_match.",
                kind.name(),
                kind.get_tool()
            )),
            other => Self::from(other),
        }
    }
}

/// Returns the message for a change that names an unknown record. `None` if the change names no other record.
fn unknown_reference(kind: RecordKind, given: &[impl AsRef<str>]) -> Option<String> {
    let is_given = |argument: &str| given.iter().any(|name| name.as_ref() == argument);
    let faults: Vec<String> = REFERENCES
        .iter()
        .filter(|(argument, ..)| is_given(argument))
        .map(|(argument, record, source)| format!("{argument} is not the id of a {record} that you can see ({source})"))
        .collect();
    (!faults.is_empty()).then(|| {
        format!("Nothing was changed. The {} exists, but {}. A name is not an id.", kind.name(), faults.join(", or "))
    })
}

fn unknown_id(kind: RecordKind) -> String {
    let (name, list) = (kind.name(), kind.list_tool());
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
            Error::InvalidField(faults) => Self::from(&faults),
            Error::InvalidQuery(InvalidQuery { parameter, expected }) => {
                let fault = format!("{parameter}: expected {expected}");
                Self::of_arguments(std::iter::once(fault), 1, id_hint(parameter))
            }
            Error::InvalidJson(_) => Self::Correctable(format!("Nothing was done. {error}.")),
            Error::NotFound => Self::Correctable("No such record is visible to you.".to_owned()),
            other => Self::Fault(other),
        }
    }
}

impl From<&Faults> for ToolError {
    fn from(faults: &Faults) -> Self {
        let listed = faults.listed().iter().map(|fault| {
            let name = fault.pointer.trim_start_matches('/');
            if name.is_empty() { fault.detail.clone() } else { format!("{name}: {}", fault.detail) }
        });
        Self::of_arguments(listed, faults.count(), "")
    }
}

impl ToolError {
    /// Returns one message for the faults of the arguments.
    pub(super) fn of_arguments(listed: impl Iterator<Item = String>, count: usize, hint: &str) -> Self {
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
