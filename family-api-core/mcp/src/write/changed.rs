//! Changes of records, and their answers.

use std::fmt::Write;
use std::future::ready;

use family_api_core::calendar::Zone;
use family_api_core::change::TimeNotice;
use family_api_core::validation::{Json, Reference};
use family_api_core::{EntityTag, Error, Precondition, RecordService, Updated};
use serde::Serialize;

use crate::arguments::{Arguments, Members};
use crate::context::ToolContext;
use crate::error::{ToolError, noun};
use crate::names::{self, Directory};
use crate::write::append::APPEND;
use crate::write::before::{Before, Values};
use crate::write::fields;
use crate::write::outcomes::{AGAIN, Outcome, OutcomeResult, Outcomes, READ_FIRST};
use crate::write::tool_record::ToolRecord;

/// How often a change is tried that depends on the record as it was read, while others change it.
const MAX_ATTEMPTS: u32 = 4;

/// A kind of record with a tool that changes single fields.
pub(crate) trait ChangeableRecord: ToolRecord {
    /// What the answer shows of the record.
    type Shown: Serialize + Send + Sync;

    /// Returns what the answer shows of the record.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the record cannot be serialized.
    fn shown(&self, zone: &Zone) -> Result<Self::Shown, ToolError>;

    /// Returns the whole values of the fields, as the arguments set them.
    fn replaceable(&self, zone: &Zone) -> Values;

    /// Returns the record as one line.
    fn line(shown: &Self::Shown) -> String;

    /// Returns the fields for the record with an index in the call.
    fn numbered(fields: Members, _index: i64) -> Members {
        fields
    }

    /// Returns the body of the PATCH that changes fields.
    fn update_body(fields: Members) -> Json {
        Json::Object(fields)
    }

    /// Adds what a change leaves out to its fields, as the record has it.
    ///
    /// # Errors
    /// The error of the read.
    fn complete(
        _: &ToolContext,
        _id: &str,
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

/// A record after a change.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Change<S> {
    /// False if no field has a new value.
    #[serde(skip)]
    pub(crate) is_changed: bool,
    #[serde(flatten)]
    pub(crate) shown: S,
    #[serde(flatten)]
    pub(crate) replaced: Before,
    /// What is special about the change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notices: Vec<String>,
}

impl<S: Serialize> Change<S> {
    /// Returns the outcome. The text has the line of the record, and then the notices and the values that were replaced.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the record cannot be serialized.
    pub(crate) fn outcome(&self, line: &str) -> Result<Outcome, ToolError> {
        let result = if self.is_changed { OutcomeResult::Changed } else { OutcomeResult::Unchanged };
        let mut lines = line.to_owned();
        for notice in &self.notices {
            let _ = writeln!(lines, "{notice}.");
        }
        Outcome::detailed(result, self, lines + &self.replaced.line())
    }
}

/// Updates the records with the argument `ids` in the same way, each with its own outcome.
///
/// # Errors
/// The faults of the arguments, or the fault of the service, if nothing was changed.
pub(crate) async fn change_all<R: ChangeableRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    arguments: &Arguments,
    given: &Members,
) -> Result<Outcomes, ToolError> {
    let if_match = arguments.if_match()?;
    // A recurring task is completed once more by each call, and a text may be appended once more.
    let adds_up = arguments.text(APPEND.name).is_some() || given.iter().any(|(name, _)| name == "completed");
    let advice = if adds_up { READ_FIRST } else { AGAIN };
    let mut directory = Directory::new(context);
    let mut outcomes = Outcomes::default();
    for (id, index) in arguments.ids().into_iter().zip(0..) {
        let failed = |reason| Outcome::failed(id, reason);
        if outcomes.skips(failed) {
            continue;
        }
        let numbered = R::numbered(given.clone(), index);
        let complete = || R::complete(context, id, arguments, numbered.clone());
        let parse = |fields| R::parse_update(R::update_body(fields)).map_err(Error::InvalidField);
        let of_change = |error| ToolError::of_change(error, R::KIND);
        let reference = (&id.into(), if_match);
        let updated = update_completed(&mut directory, records, reference, complete, parse, of_change).await;
        let changed = match outcomes.unless_argument(updated)? {
            Ok((updated, notices)) => outcome(context, updated, notices),
            Err(error) => Err(error),
        };
        outcomes.add(context, changed, failed, advice)?;
    }
    Ok(outcomes)
}

fn outcome<R: ChangeableRecord>(
    context: &ToolContext,
    updated: Updated<R>,
    notices: Vec<String>,
) -> Result<Outcome, ToolError> {
    let Updated { before, after, .. } = updated;
    let zone = context.zone();
    let shown = after.shown(zone)?;
    let replaced = Before::of(before.replaceable(zone), &after.replaceable(zone));
    let line = R::line(&shown);
    Change { is_changed: has_new_value(before, &after), shown, replaced, notices }.outcome(&line)
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
    directory: &mut Directory<'_>,
    records: &RecordService<'_, R>,
    (id, if_match): (&Reference<R::Id>, Option<&str>),
    complete: impl Fn() -> F,
    parse: impl Fn(Members) -> Result<R::Update, Error>,
    failed: impl Fn(Error) -> ToolError,
) -> Result<(Updated<R>, Vec<String>), Failure>
where
    F: Future<Output = Result<Completed, ToolError>> + Send,
{
    for _ in 0..MAX_ATTEMPTS {
        let Completed { fields, mut notices, tag } = complete().await.map_err(Failure::Record)?;
        let wanted = fields::precondition(if_match);
        let precondition = match &tag {
            None => wanted,
            Some(tag) if holds(&wanted, tag) => Precondition::if_match([tag.as_str().as_bytes()]),
            Some(_) => return Err(Failure::Record(failed(Error::PreconditionFailed))),
        };
        // Fields that contain values of the record may be valid for the others.
        let parse = |fields| {
            parse(fields).map_err(|error| match tag {
                None => Failure::Argument(error.into()),
                Some(_) => Failure::Record(failed(error)),
            })
        };
        let (updated, of_times) = update(directory, records, id, &fields, &precondition, parse).await?;
        match updated {
            Ok(updated) => {
                notices.extend(of_times);
                return Ok((updated, notices));
            }
            Err(Error::PreconditionFailed) if tag.is_some() => {}
            Err(error) => return Err(Failure::Record(failed(error))),
        }
    }
    let noun = noun(R::KIND);
    let text = format!("others change the {noun} at this moment. Repeat the call");
    Err(Failure::Record(ToolError::Correctable(text)))
}

/// Returns whether the precondition of a call holds for the record that was read.
fn holds(wanted: &Precondition, tag: &EntityTag) -> bool {
    match wanted {
        Precondition::Match(tags) => tags.matches_strong(tag),
        _ => true,
    }
}

/// Why a record was not updated.
pub(crate) enum Failure {
    /// The fields are invalid, or name no record. Every other record of the call would fail too.
    Argument(ToolError),
    /// The record is unknown, or its update is refused, or the fields that it completed are invalid.
    Record(ToolError),
}

/// Updates a record, and returns the notices about times and the result. If a field contains no id, but the name of another record,
/// the update is repeated with its id.
async fn update<R: ToolRecord>(
    directory: &mut Directory<'_>,
    records: &RecordService<'_, R>,
    id: &Reference<R::Id>,
    fields: &Members,
    precondition: &Precondition,
    parse: impl Fn(Members) -> Result<R::Update, Failure>,
) -> Result<(Result<Updated<R>, Error>, Vec<String>), Failure> {
    let of_argument = |error| Failure::Argument(ToolError::of_argument(error));
    // The names that an earlier record of the call needed cost no further read.
    let known = if directory.is_read() { directory.resolve(R::KIND, fields).await.map_err(of_argument)? } else { None };
    let update = parse(known.unwrap_or_else(|| fields.clone()))?;
    let notices = sentences(&TimeNotice::of::<R>(&update, directory.zone()));
    let mut updated = records.update(id, update, precondition).await;
    if updated.as_ref().is_err_and(names::is_unknown_reference)
        && !directory.is_read()
        && let Some(resolved) = directory.resolve(R::KIND, fields).await.map_err(of_argument)?
    {
        updated = records.update(id, parse(resolved)?, precondition).await;
    }
    Ok((updated, notices))
}

/// Returns the notices about times as sentences.
pub(crate) fn sentences(notices: &[TimeNotice]) -> Vec<String> {
    notices.iter().map(|notice| names::in_words(&notice.sentence())).collect()
}
