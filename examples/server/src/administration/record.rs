//! Adds a family or user, with the checks of an import.

use std::fmt;

use family_api_core::id::Id;
use family_api_core::storage::{BulkLoad, LoadError, LoadFault, Record};
use family_api_core::{Clock, SystemClock, Timestamp};
use serde_json::Value;

use crate::error::CommandError;

/// The record of a command is not valid, or conflicts with a stored record.
#[derive(Debug)]
pub(crate) struct RefusedRecord(LoadFault);

impl fmt::Display for RefusedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(fault) = self;
        let name = match fault.field.as_str() {
            "id" => "--id",
            "email" => "the e-mail address",
            "familyId" => "--family",
            "timeZone" => "--time-zone",
            "displayCurrency" => "--currency",
            field => field,
        };
        if *fault == LoadFault::exists(&fault.field) {
            write!(f, "{name} exists already")
        } else if *fault == LoadFault::no_parent(&fault.field) {
            write!(f, "{name} does not exist")
        } else {
            write!(f, "{name}: {}", fault.expected)
        }
    }
}

/// Returns the current instant, and the given id or a new one.
pub(super) fn id_at_now<I: Id>(id: Option<I>) -> Result<(I, Timestamp), CommandError> {
    let now = SystemClock.now();
    Ok((id.map_or_else(|| new_id(now), Ok)?, now))
}

/// Returns a new unique id.
pub(super) fn new_id<I: Id>(now: Timestamp) -> Result<I, CommandError> {
    let mut random = [0; 10];
    getrandom::fill(&mut random).map_err(CommandError::RandomBytes)?;
    Ok(I::new_v7(now, random))
}

/// Adds records in the import format, in one transaction.
pub(super) async fn insert(load: &dyn BulkLoad, records: &[Value]) -> Result<(), CommandError> {
    let refused = |fault| CommandError::RefusedRecord(RefusedRecord(fault));
    let load_error = |error| match error {
        LoadError::Refused { fault, .. } => refused(fault),
        LoadError::Storage(error) => error.into(),
    };
    let mut loader = load.begin_load().await?;
    for record in records {
        let record = Record::from_json(record.to_string().as_bytes()).map_err(refused)?;
        loader.insert(record).await.map_err(load_error)?;
    }
    loader.commit().await.map_err(load_error)
}
