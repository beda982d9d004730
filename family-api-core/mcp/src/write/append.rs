//! The text that a change of a note adds to its end.

use family_api_core::Error;
use family_api_core::resource::RecordKind;
use family_api_core::validation::Json;

use crate::arguments::{Argument, ArgumentType, Arguments, Members};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::write::changed::Completed;

/// The argument, and the field that it changes.
pub(crate) const APPEND: Argument =
    Argument::optional("append", ArgumentType::Text(200_000), "Lines for the end of the content.");
const CONTENT: &str = "content";

/// Checks the text of [`APPEND`] beside the fields of a change.
///
/// # Errors
/// [`ToolError::Correctable`] if it is empty or beside another content.
pub(crate) fn check(arguments: &Arguments, fields: &Members) -> Result<(), ToolError> {
    let fault = match arguments.text(APPEND.name) {
        Some(text) if text.trim().is_empty() => "expected a text that is not empty",
        Some(_) if fields.iter().any(|(name, _)| name == CONTENT) => {
            "is given, and also content, which replaces the whole content"
        }
        _ => return Ok(()),
    };
    Err(ToolError::of_arguments(std::iter::once(format!("append: {fault}")), 1, ""))
}

/// Sets the content of a note to the stored one with the text of [`APPEND`]. A note that ends with the text stays as it
/// is, because the call is probably a repetition. Adds a notice about it.
///
/// # Errors
/// [`ToolError::Correctable`] if the note is unknown. The error of the read.
pub(crate) async fn append(
    context: &ToolContext,
    id: &str,
    arguments: &Arguments,
    mut fields: Members,
) -> Result<Completed, ToolError> {
    let Some(text) = arguments.text(APPEND.name) else { return Ok(fields.into()) };
    let found = context.api().read(context.caller())?.get_note(&id.into()).await;
    let found = found.map_err(|error: Error| ToolError::of_lookup(error, RecordKind::Note))?;
    let mut notices = Vec::new();
    if ends_with(&found.record.content, text) {
        notices.push("the content ends with this text already, so it was not added again".to_owned());
    } else {
        fields.push((CONTENT.to_owned(), Json::String(joined(&found.record.content, text))));
    }
    Ok(Completed { fields, notices, tag: Some(found.tag) })
}

/// Returns whether the last lines of a content are a text.
fn ends_with(content: &str, text: &str) -> bool {
    let before = content.trim_end().strip_suffix(text.trim());
    before.is_some_and(|before| before.trim_end_matches([' ', '\t']).is_empty() || before.ends_with('\n'))
}

fn joined(content: &str, text: &str) -> String {
    let end = if content.is_empty() || content.ends_with('\n') { "" } else { "\n" };
    format!("{content}{end}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_begins_a_line_at_the_end() {
        for (content, text, expected) in [("", "b", "b"), ("a", "b", "a\nb"), ("a\n", "b\nc\n", "a\nb\nc\n")] {
            assert!(!ends_with(content, text));
            assert_eq!(joined(content, text), expected);
            assert!(ends_with(expected, text), "{expected:?}");
        }
        for (content, text) in [("ab", "b"), ("b\nc", "b"), ("a\nb c", "c"), ("", "b")] {
            assert!(!ends_with(content, text), "{content:?}");
        }
        assert!(ends_with("a\nb\n\n", " b\n"));
    }
}
