//! `family access …`

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::failure::Failure;
use crate::session::{self, SessionOptions};

#[derive(Debug, Args)]
pub(crate) struct AccessArguments {
    #[command(flatten)]
    session: SessionOptions,
    #[command(subcommand)]
    command: AccessCommand,
}

#[derive(Debug, Subcommand)]
enum AccessCommand {
    /// Revoke all keys, end all connections, and switch the personal API off. The service then refuses all of them
    RevokeAll,
}

pub(crate) fn run(context: &Context, arguments: &AccessArguments) -> Result<(), Failure> {
    session::with_session(context, &arguments.session, |session| match &arguments.command {
        AccessCommand::RevokeAll => {
            context.output.print_response(session.keys().revoke_access(), Some(session.profile().get()))
        }
    })
}
