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

/// The first line of the text if no field has a new value. The update still sets `updatedAt`, as a PATCH does.
pub(crate) const NO_NEW_VALUE: &str = "No field has a new value.\n";

/// A kind of record with a tool that changes single fields.
pub(crate) trait ChangeableRecord: ToolRecord {
    /// What the answer shows of the record.
    type Shown: Serialize + JsonSchema + Send + Sync;

    /// The first line of the text if no field has a new value.
    const NO_NEW_VALUE: &'static str = NO_NEW_VALUE;

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

    /// Adds what a change leaves out to its fields, as the record has it. Adds notices about it. Returns the tag of the
    /// record if the fields are right only for this version.
    ///
    /// # Errors
    /// The faults of the arguments. The error of the read.
    fn complete(
        _: &ToolContext,
        _arguments: &Arguments,
        _fields: &mut Members,
        _notices: &mut Vec<String>,
    ) -> impl Future<Output = Result<Option<EntityTag>, ToolError>> + Send {
        ready(Ok(None))
    }

    /// Returns whether a record after a change has the same values. The time of the change does not count.
    fn equals(self, after: &Self) -> bool;
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
    pub(crate) fn into_answer(self, no_new_value: &str, line: &str, last_line: &str) -> Result<Answer, ToolError> {
        let unchanged = if self.changed { "" } else { no_new_value };
        let mut text = unchanged.to_owned();
        for notice in &self.notices {
            let _ = writeln!(text, "{notice}.");
        }
        text = text + line + &self.replaced.line() + last_line;
        Answer::new(&self, text)
    }
}

/// Updates the record with the argument `id`, and returns the answer. A change that depends on the record as it was read
/// is repeated if another one came between.
///
/// # Errors
/// The failure of the update.
pub(crate) async fn change<R: ChangeableRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    arguments: &Arguments,
    given: Members,
) -> Result<Answer, ToolError> {
    let (id, if_match) = (arguments.text("id").unwrap_or_default(), arguments.text("ifMatch"));
    let parse = |fields| R::parse_update(R::update_body(fields)).map_err(Error::InvalidField);
    let mut attempts = 0;
    let (Updated { before, after, .. }, notices, no_new_value) = loop {
        attempts += 1;
        let (mut fields, mut notices) = (given.clone(), Vec::new());
        let tag = R::complete(context, arguments, &mut fields, &mut notices).await?;
        let wanted = fields::precondition(if_match);
        let precondition = match &tag {
            None => wanted,
            Some(tag) if holds(&wanted, tag) => Precondition::if_match([tag.as_str().as_bytes()]),
            Some(_) => return Err(ToolError::of_change(Error::PreconditionFailed, R::KIND)),
        };
        let mut is_outdated = false;
        let failed = |error| {
            is_outdated = tag.is_some() && matches!(error, Error::PreconditionFailed);
            ToolError::of_change(error, R::KIND)
        };
        let updated = update(context, records, &id.into(), &fields, &precondition, parse, failed).await;
        match updated {
            Err(_) if is_outdated && attempts < MAX_ATTEMPTS => {}
            Err(_) if is_outdated => {
                let noun = noun(R::KIND);
                let text = format!("Nothing was changed: others change the {noun} at this moment. Repeat the call.");
                return Err(ToolError::Correctable(text));
            }
            updated => {
                let (updated, of_times) = updated?;
                notices.extend(of_times);
                // Without a field, the update has not even set the time of the change.
                break (updated, notices, if fields.is_empty() { NO_NEW_VALUE } else { R::NO_NEW_VALUE });
            }
        }
    };
    let zone = context.zone();
    let shown = after.shown(zone)?;
    let replaced = Before::of(before.replaceable(zone), &after.replaceable(zone));
    let line = R::line(&shown);
    let changed = !before.equals(&after);
    ChangeOutput { changed, shown, replaced, notices }.into_answer(no_new_value, &line, "")
}

/// Returns whether the precondition of a call holds for the record that was read.
fn holds(wanted: &Precondition, tag: &EntityTag) -> bool {
    match wanted {
        Precondition::Match(tags) => tags.matches_strong(tag),
        _ => true,
    }
}

/// Updates a record, and returns the notices about times too. If a field contains no id, but the name of another record,
/// the update is repeated with its id. `failed` converts the error of the update.
///
/// # Errors
/// The failure of the update.
pub(crate) async fn update<R: ToolRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    id: &Reference<R::Id>,
    fields: &Members,
    precondition: &Precondition,
    parse: impl Fn(Members) -> Result<R::Update, Error>,
    failed: impl FnOnce(Error) -> ToolError,
) -> Result<(Updated<R>, Vec<String>), ToolError> {
    let update = parse(fields.clone())?;
    let notices = sentences(&TimeNotice::of::<R>(&update, context.zone()));
    let mut updated = records.update(id, update, precondition).await;
    if updated.as_ref().is_err_and(names::is_unknown_reference) {
        let resolved = Directory::new(context).resolve(R::KIND, fields).await;
        if let Some(resolved) = resolved.map_err(ToolError::of_argument)? {
            updated = records.update(id, parse(resolved)?, precondition).await;
        }
    }
    Ok((updated.map_err(failed)?, notices))
}

/// Returns the notices about times as sentences.
pub(crate) fn sentences(notices: &[TimeNotice]) -> Vec<String> {
    notices.iter().map(|notice| names::in_words(&notice.sentence())).collect()
}
