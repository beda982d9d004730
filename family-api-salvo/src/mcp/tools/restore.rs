//! `restore`: restores a deleted record.

use std::iter;

use async_trait::async_trait;
use family_api_core::resource::{Event, Note, RecordKind, ShoppingItem, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, WriteOutcome};
use schemars::JsonSchema;
use serde::Serialize;

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, ID, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;
use crate::mcp::record_kind::noun;
use crate::mcp::records::{ToolRecord, schema, title};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const KINDS: [RecordKind; 4] = [RecordKind::Task, RecordKind::Note, RecordKind::Event, RecordKind::ShoppingItem];

const ARGUMENTS: &[Argument] = &[
    Argument::required(
        "kind",
        Kind::Choice(&[KINDS[0].as_str(), KINDS[1].as_str(), KINDS[2].as_str(), KINDS[3].as_str()]),
        "",
    ),
    ID,
];

/// Restores a deleted record.
pub(super) struct Restore;

#[derive(Serialize, JsonSchema)]
struct Output {
    kind: &'static str,
    id: String,
    title: String,
    // False if the record was not deleted.
    changed: bool,
}

#[async_trait]
impl Tool for Restore {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "restore",
            title: "Restore a deleted record",
            description: "Brings a record back as it was, if it was deleted within the last 30 days.",
            effect: Effect::Write(Verb::Restore, &KINDS),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let is_supported = |kind: &RecordKind| call.api().capabilities().supports(*kind, Verb::Restore);
        let kinds: Vec<RecordKind> = KINDS.into_iter().filter(is_supported).collect();
        if let Some(first) = kinds.first()
            && !kinds.iter().any(|kind| call.can_write(*kind, Verb::Restore))
        {
            check(call, *first)?;
        }
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let id = arguments.text("id").unwrap_or_default();
        match kinds.iter().find(|kind| Some(kind.as_str()) == arguments.text("kind")) {
            Some(RecordKind::Task) => restore::<Task>(call, id).await,
            Some(RecordKind::Note) => restore::<Note>(call, id).await,
            Some(RecordKind::Event) => restore::<Event>(call, id).await,
            Some(RecordKind::ShoppingItem) => restore::<ShoppingItem>(call, id).await,
            _ => {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
                let fault = format!("kind: expected one of {}", names.join(", "));
                Err(ToolError::of_arguments(iter::once(fault), 1, ""))
            }
        }
    }
}

/// Checks whether the caller may restore records of a kind.
fn check(call: &Call, kind: RecordKind) -> Result<(), Error> {
    let (api, caller) = (call.api(), call.caller());
    match kind {
        RecordKind::Note => api.records::<Note>(caller, Verb::Restore).map(drop),
        RecordKind::Event => api.records::<Event>(caller, Verb::Restore).map(drop),
        RecordKind::ShoppingItem => api.records::<ShoppingItem>(caller, Verb::Restore).map(drop),
        _ => api.records::<Task>(caller, Verb::Restore).map(drop),
    }
}

async fn restore<R: ToolRecord>(call: &Call, id: &str) -> Result<Answer, ToolError> {
    let records = call.api().records::<R>(call.caller(), Verb::Restore)?;
    let id = R::reference(id)?;
    let outcome = records.restore(&id).await.map_err(|error| match error {
        Error::NotFound => ToolError::Correctable(format!(
            "Nothing was restored: no deleted {} with this id is visible to you. It may have been deleted more than 30 \
             days ago, or the column or list that contained it may be gone.",
            noun(R::KIND)
        )),
        other => other.into(),
    })?;
    let changed = matches!(outcome, WriteOutcome::Written(_));
    let record = outcome.into_record();
    let output = Output { kind: R::KIND.as_str(), id: record.id().to_string(), title: title(record.title()), changed };
    let record = format!("the {} {} [{}]", noun(R::KIND), output.title, output.id);
    let text = if output.changed {
        format!("Restored {record}.\n")
    } else {
        format!("Nothing changed: {record} is not deleted.\n")
    };
    Answer::new(&output, text)
}
