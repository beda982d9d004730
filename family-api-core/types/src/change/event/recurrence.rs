//! The rule for the recurrence of an event.

use serde_json::json;

use crate::occurrences::{InvalidRecurrence, MAX_RECURRENCE_LENGTH, Recurrence};
use crate::validation::rules::ValueRule;
use crate::validation::{FieldErrors, Json};

/// The rule for a recurrence that matches at least one day. The text is stored unchanged.
pub(super) const RECURRENCE: ValueRule<String> =
    ValueRule { read, schema: || json!({ "type": "string", "minLength": 1, "maxLength": MAX_RECURRENCE_LENGTH }) };

fn read(value: &Json) -> Result<String, FieldErrors> {
    let text = value.as_str().ok_or("expected an RRULE, such as FREQ=WEEKLY;BYDAY=MO, or null")?;
    let invalid = |error: InvalidRecurrence| error.to_string();
    Recurrence::parse(text).map_err(invalid)?.check_satisfiable().map_err(invalid)?;
    Ok(text.to_owned())
}
