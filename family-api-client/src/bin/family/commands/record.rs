//! Arguments and operations that all kinds of records share.

use clap::Args;
use family_api_client::api::{ChangeOf, RecordsApi, Restorable};
use family_api_client::id::Id;
use family_api_client::{Call, Condition, Conditional, EntityTag, FamilyClient, RawJson, Versioned};

use crate::context::Context;
use crate::failure::Failure;
use crate::find::{self, Nameable, Prefer};
use crate::output::{Output, print_line};
use crate::show::Show;

/// The id of a record that cannot be named, because it is deleted.
#[derive(Debug, Args)]
pub(crate) struct RecordId<I: Id> {
    /// The id of the record, as printed by the deletion
    #[arg(allow_hyphen_values = true)]
    pub(crate) id: I,
}

/// The record that an operation names.
#[derive(Debug, Args)]
pub(crate) struct RecordName {
    /// The name or title, in upper or lower case, or the id, from the last column of a list
    #[arg(id = "record", value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) name: String,
}

/// The version that the record must have.
#[derive(Debug, Args)]
pub(crate) struct IfMatch {
    /// Write only if the record still has this entity tag (with its quotes)
    ///
    /// `family task etag`, `family event etag` and `family note etag` print the tag of a record. Every change of a
    /// record prints the new tag.
    #[arg(long = "if-match", value_name = "TAG")]
    etag: Option<EntityTag>,
}

impl IfMatch {
    /// Makes the call conditional if `--if-match` is set.
    pub(crate) fn apply<T>(&self, call: Call<T, Conditional>) -> Call<T, Conditional> {
        match &self.etag {
            Some(etag) => call.if_match(etag),
            None => call,
        }
    }
}

/// The record that an operation changes, and the version that it must have.
#[derive(Debug, Args)]
pub(crate) struct Target {
    #[command(flatten)]
    pub(crate) record: RecordName,
    #[command(flatten)]
    pub(crate) if_match: IfMatch,
}

/// The operations that tasks, events and notes have in common.
pub(crate) struct Records<'a, R> {
    pub(crate) context: &'a Context,
    pub(crate) client: FamilyClient,
    pub(crate) api: RecordsApi<R>,
}

impl<'a, R> Records<'a, R>
where
    R: Nameable + Restorable + Show,
{
    pub(crate) fn new(context: &'a Context, api: impl FnOnce(&FamilyClient) -> RecordsApi<R>) -> Result<Self, Failure> {
        let client = context.client()?;
        Ok(Self { context, api: api(&client), client })
    }

    /// Updates the record and prints it.
    pub(crate) fn update(&self, target: &Target, change: &ChangeOf<R>) -> Result<(), Failure> {
        self.write(target, Prefer::Open, |id| self.api.update(id, change.clone()))
    }

    /// Sends the call for the id of the record, and prints the record.
    pub(crate) fn write(
        &self,
        target: &Target,
        prefer: Prefer,
        call: impl Fn(&R::Id) -> Call<Versioned<R>, Conditional>,
    ) -> Result<(), Failure> {
        self.with_id(&target.record, prefer, |id| self.print(target.if_match.apply(call(id))))
    }

    /// Prints the record with its entity tag.
    ///
    /// The API returns the tag of a single record only after an update, so this update changes no field.
    pub(crate) fn print_etag(&self, record: &RecordName) -> Result<(), Failure>
    where
        ChangeOf<R>: Default,
    {
        self.with_id(record, Prefer::Open, |id| self.print(self.api.update(id, ChangeOf::<R>::default())))
    }

    /// Deletes the record. Prints its id, and to people the command that restores it.
    pub(crate) fn delete(&self, target: &Target) -> Result<(), Failure> {
        self.with_id(&target.record, Prefer::Neither, |id| {
            self.context.output.print_response(target.if_match.apply(self.api.delete(id)), None)?;
            if self.context.output == Output::Table {
                print_line(&format!("Restore  family {} restore {id}", R::NAME))?;
            }
            Ok(())
        })
    }

    /// Restores the record and prints it.
    pub(crate) fn restore(&self, record: &RecordId<R::Id>) -> Result<(), Failure> {
        self.print(self.api.restore(&record.id))
    }

    /// Sends the call and prints the record with its entity tag.
    pub(crate) fn print<C: Condition<Raw = RawJson>>(&self, call: Call<Versioned<R>, C>) -> Result<(), Failure> {
        self.context.output.print_versioned(call, self.client.profile().get())
    }

    /// Sends the call for the id of the record.
    pub(crate) fn with_id(
        &self,
        record: &RecordName,
        prefer: Prefer,
        send: impl FnMut(&R::Id) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        find::with_id::<R, _>(|| Ok(self.client.clone()), &record.name, prefer, send)
    }
}
