//! `family board …`, `family column …`, `family list …` and `family category …`: the records that contain others. Only a
//! session can write them.

mod board;
mod category;
mod column;
mod list;

use std::fmt::Debug;

use clap::{Args, Subcommand};
use family_api_client::SessionClient;
use family_api_client::api::{ChangeOf, RecordsApi};

use crate::commands::record::{IfMatch, RecordName};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{self, Nameable, Prefer};
use crate::session::{self, SessionOptions};
use crate::show::Show;

#[derive(Debug, Args)]
#[command(after_help = R::EXAMPLES)]
pub(crate) struct ContainerArguments<R: Container> {
    #[command(flatten)]
    session: SessionOptions,
    #[command(subcommand)]
    command: ContainerCommand<R>,
}

#[derive(Debug, Subcommand)]
enum ContainerCommand<R: Container> {
    /// Add a new one
    Add(R::New),
    /// Give it another name
    Rename {
        #[command(flatten)]
        target: Target,
        /// The new name
        new_name: String,
    },
    #[command(flatten)]
    Order(R::Order),
    /// Delete it. It must be empty, and cannot be restored
    Delete(Target),
}

/// The record that an operation changes, and the version that it must have.
///
/// Names are read with a key, because a session has no routes that read. Without a key, only ids are known.
#[derive(Debug, Args)]
pub(crate) struct Target {
    #[command(flatten)]
    record: RecordName,
    #[command(flatten)]
    if_match: IfMatch,
}

/// The operation of records that have a position.
#[derive(Debug, Subcommand)]
pub(crate) enum OrderCommand {
    /// Give it another position
    Order {
        #[command(flatten)]
        target: Target,
        /// The position, 0 to 1,000,000. Those with a lower one come first
        #[arg(allow_negative_numbers = true)]
        position: i64,
    },
}

/// A kind of record that contains others.
pub(crate) trait Container: Nameable + Show {
    /// The arguments that describe a new one.
    type New: Args + Debug;
    /// [`OrderCommand`], or nothing if the records have no position.
    type Order: Subcommand + Debug;

    const EXAMPLES: &'static str;

    fn api(session: &SessionClient) -> RecordsApi<Self>;

    /// Creates and prints a new one.
    fn add(context: &Context, session: &SessionClient, new: &Self::New) -> Result<(), Failure>;

    fn renamed(name: &str) -> ChangeOf<Self>;

    /// Returns the record and its change.
    fn reordered(order: &Self::Order) -> (&Target, ChangeOf<Self>);
}

pub(crate) fn run<R: Container>(context: &Context, arguments: &ContainerArguments<R>) -> Result<(), Failure> {
    session::with_session(context, &arguments.session, |session| {
        let update = |target: &Target, change: ChangeOf<R>| {
            with_id::<R, _>(context, &target.record.name, |id| {
                let call = target.if_match.apply(R::api(session).update(id, change.clone()));
                context.output.print_versioned(call, session.profile().get())
            })
        };
        match &arguments.command {
            ContainerCommand::Add(new) => R::add(context, session, new),
            ContainerCommand::Rename { target, new_name } => update(target, R::renamed(new_name)),
            ContainerCommand::Order(order) => {
                let (target, change) = R::reordered(order);
                update(target, change)
            }
            ContainerCommand::Delete(target) => with_id::<R, _>(context, &target.record.name, |id| {
                context.output.print_response(target.if_match.apply(R::api(session).delete(id)), None)
            }),
        }
    })
}

/// Sends a request for the record with this id, or with this name if a key is set.
fn with_id<R: Container, T>(
    context: &Context,
    text: &str,
    send: impl FnMut(&R::Id) -> Result<T, Failure>,
) -> Result<T, Failure> {
    find::with_id::<R, T>(|| context.client(), text, Prefer::Neither, send)
}
