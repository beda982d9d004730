//! Changes of a record, and their answers.

use std::fmt::Write;
use std::future::ready;

use family_api_core::calendar::Zone;
use family_api_core::change::TimeNotice;
use family_api_core::validation::{Json, Reference};
use family_api_core::{EntityTag, Error, Precondition, RecordService, Updated};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::arguments::{Arguments, Members};
use crate::context::ToolContext;
use crate::error::{ToolError, noun};
use crate::names::{self, Directory};
use crate::write::before::{Before, Values};
use crate::write::fields;
use crate::write::tool_record::ToolRecord;

/// How often a change is tried that depends on the record as it was read, while others change it.
const MAX_ATTEMPTS: u32 = 4;

/// The first line of the text if no field has a new value.
pub(crate) const NO_NEW_VALUE: &str = "No field has a new value.\n";

/// A kind of record with a tool that changes single fields.
pub(crate) trait ChangeableRecord: ToolRecord {
    /// What the answer shows of the record.
    type Shown: Serialize + JsonSchema + Send + Sync;

    /// Returns what the answer shows of the record.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the record cannot be serialized.
    fn shown(&self, zone: &Zone) -> Result<Self::Shown, ToolError>;

    /// Returns the whole values of the fields, as the arguments set them.
    fn replaceable(&self, zone: &Zone) -> Values;

    /// Returns the record as one line.
    fn line(shown: &Self::Shown) -> String;

    /// Returns the body of the PATCH that changes fields.
    fn update_body(fields: Members) -> Json {
        Json::Object(fields)
    }

    /// Adds what a change leaves out to its fields, as the record has it.
    ///
    /// # Errors
    /// The faults of the arguments. The error of the read.
    fn complete(
        _: &ToolContext,
        _arguments: &Arguments,
        fields: Members,
    ) -> impl Future<Output = Result<Completed, ToolError>> + Send {
        ready(Ok(fields.into()))
    }
}

/// The fields of a change with what it left out.
pub(crate) struct Completed {
    pub(crate) fields: Members,
    /// What is special about them.
    pub(crate) notices: Vec<String>,
    /// The tag of the record that was read. The change must be made only if the record still has it.
    pub(crate) tag: Option<EntityTag>,
}

/// The change leaves nothing out.
impl From<Members> for Completed {
    fn from(fields: Members) -> Self {
        Self { fields, notices: Vec::new(), tag: None }
    }
}

// A record after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangeOutput<S> {
    // False if no field has a new value.
    pub(crate) changed: bool,
    #[serde(flatten)]
    pub(crate) shown: S,
    #[serde(flatten)]
    pub(crate) replaced: Before,
    // What is special about the change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notices: Vec<String>,
}

impl<S: Serialize> ChangeOutput<S> {
    /// Returns the answer. The text has the line of the record, and then the values that were replaced.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the record cannot be serialized.
    pub(crate) fn into_answer(self, line: &str, last_line: &str) -> Result<Answer, ToolError> {
        let mut text = if self.changed { String::new() } else { NO_NEW_VALUE.to_owned() };
        for notice in &self.notices {
            let _ = writeln!(text, "{notice}.");
        }
        text = text + line + &self.replaced.line() + last_line;
        Answer::new(&self, text)
    }
}

/// Updates the record with the argument `id`, and returns the answer.
///
/// # Errors
/// The failure of the update.
pub(crate) async fn change<R: ChangeableRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    arguments: &Arguments,
    given: Members,
) -> Result<Answer, ToolError> {
    let id = arguments.text("id").unwrap_or_default().into();
    let complete = || R::complete(context, arguments, given.clone());
    let parse = |fields| R::parse_update(R::update_body(fields)).map_err(Error::InvalidField);
    let failed = |error| ToolError::of_change(error, R::KIND);
    let if_match = arguments.text("ifMatch");
    let (updated, notices) = update_completed(context, records, (&id, if_match), complete, parse, failed).await?;
    let Updated { before, after, .. } = updated;
    let zone = context.zone();
    let shown = after.shown(zone)?;
    let replaced = Before::of(before.replaceable(zone), &after.replaceable(zone));
    let line = R::line(&shown);
    ChangeOutput { changed: has_new_value(before, &after), shown, replaced, notices }.into_answer(&line, "")
}

/// Returns whether a field of a record has a new value. A move to the position of the task has none.
pub(crate) fn has_new_value<R: ToolRecord>(before: R, after: &R) -> bool {
    before.with_version_of(after) != *after
}

/// Updates a record, and returns the notices too. `complete` returns the fields, and `failed` converts the error of the
/// update. A change that depends on the record as it was read is repeated if another one came between.
///
/// # Errors
/// The failure of the update.
pub(crate) async fn update_completed<R: ToolRecord, F>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    (id, if_match): (&Reference<R::Id>, Option<&str>),
    complete: impl Fn() -> F,
    parse: impl Fn(Members) -> Result<R::Update, Error>,
    failed: impl Fn(Error) -> ToolError,
) -> Result<(Updated<R>, Vec<String>), ToolError>
where
    F: Future<Output = Result<Completed, ToolError>> + Send,
{
    for _ in 0..MAX_ATTEMPTS {
        let Completed { fields, mut notices, tag } = complete().await?;
        let wanted = fields::precondition(if_match);
        let precondition = match &tag {
            None => wanted,
            Some(tag) if holds(&wanted, tag) => Precondition::if_match([tag.as_str().as_bytes()]),
            Some(_) => return Err(failed(Error::PreconditionFailed)),
        };
        match update(context, records, id, &fields, &precondition, &parse).await {
            Ok((updated, of_times)) => {
                notices.extend(of_times);
                return Ok((updated, notices));
            }
            Err(Failure::Update(Error::PreconditionFailed)) if tag.is_some() => {}
            Err(Failure::Update(error)) => return Err(failed(error)),
            Err(Failure::Argument(error)) => return Err(error),
        }
    }
    let noun = noun(R::KIND);
    let text = format!("Nothing was changed: others change the {noun} at this moment. Repeat the call.");
    Err(ToolError::Correctable(text))
}

/// Returns whether the precondition of a call holds for the record that was read.
fn holds(wanted: &Precondition, tag: &EntityTag) -> bool {
    match wanted {
        Precondition::Match(tags) => tags.matches_strong(tag),
        _ => true,
    }
}

/// Why a record was not updated.
enum Failure {
    /// The fields are invalid, or name no record.
    Argument(ToolError),
    Update(Error),
}

/// Updates a record, and returns the notices about times too. If a field contains no id, but the name of another record,
/// the update is repeated with its id.
async fn update<R: ToolRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    id: &Reference<R::Id>,
    fields: &Members,
    precondition: &Precondition,
    parse: impl Fn(Members) -> Result<R::Update, Error>,
) -> Result<(Updated<R>, Vec<String>), Failure> {
    let parse = |fields| parse(fields).map_err(|error| Failure::Argument(error.into()));
    let update = parse(fields.clone())?;
    let notices = sentences(&TimeNotice::of::<R>(&update, context.zone()));
    let mut updated = records.update(id, update, precondition).await;
    if updated.as_ref().is_err_and(names::is_unknown_reference) {
        let resolved = Directory::new(context).resolve(R::KIND, fields).await;
        if let Some(resolved) = resolved.map_err(|error| Failure::Argument(ToolError::of_argument(error)))? {
            updated = records.update(id, parse(resolved)?, precondition).await;
        }
    }
    Ok((updated.map_err(Failure::Update)?, notices))
}

/// Returns the notices about times as sentences.
pub(crate) fn sentences(notices: &[TimeNotice]) -> Vec<String> {
    notices.iter().map(|notice| names::in_words(&notice.sentence())).collect()
}
