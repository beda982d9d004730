//! Arguments and operations that all kinds of records share.

use clap::Args;
use family_api_client::api::{ChangeOf, RecordsApi, Restorable};
use family_api_client::id::Id;
use family_api_client::{Call, Conditional, EntityTag, FamilyClient, Versioned};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::Context;
use crate::failure::Failure;
use crate::show::Show;

/// The id of the record.
#[derive(Debug, Args)]
pub(crate) struct RecordId<I: Id> {
    /// The id of the record, from the last column of a list
    #[arg(allow_hyphen_values = true)]
    pub(crate) id: I,
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
pub(crate) struct Target<I: Id> {
    #[command(flatten)]
    pub(crate) record: RecordId<I>,
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
    R: Restorable + Show,
    R::Id: DeserializeOwned + Serialize,
{
    pub(crate) fn new(context: &'a Context, api: impl FnOnce(&FamilyClient) -> RecordsApi<R>) -> Result<Self, Failure> {
        let client = context.client()?;
        Ok(Self { context, api: api(&client), client })
    }

    /// Updates the record and prints it.
    pub(crate) fn update(&self, target: &Target<R::Id>, change: ChangeOf<R>) -> Result<(), Failure> {
        self.print(target.if_match.apply(self.api.update(&target.record.id, change)))
    }

    /// Prints the record with its entity tag.
    ///
    /// The API returns the tag of a single record only after an update, so this update changes no field.
    pub(crate) fn print_etag(&self, record: &RecordId<R::Id>) -> Result<(), Failure>
    where
        ChangeOf<R>: Default,
    {
        self.print(self.api.update(&record.id, ChangeOf::<R>::default()))
    }

    /// Deletes the record and prints its id.
    pub(crate) fn delete(&self, target: &Target<R::Id>) -> Result<(), Failure> {
        self.context.output.print_response(target.if_match.apply(self.api.delete(&target.record.id)), None)
    }

    /// Restores the record and prints it.
    pub(crate) fn restore(&self, record: &RecordId<R::Id>) -> Result<(), Failure> {
        self.print(self.api.restore(&record.id))
    }

    /// Sends the call and prints the record with its entity tag.
    pub(crate) fn print<C: 'static>(&self, call: Call<Versioned<R>, C>) -> Result<(), Failure> {
        self.context.output.print_versioned(call, self.client.profile().get())
    }
}
