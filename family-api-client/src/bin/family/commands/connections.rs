//! `family connection …`

use clap::{Args, Subcommand};
use family_api_client::id::GrantId;

use crate::context::Context;
use crate::failure::Failure;
use crate::session::{self, SessionOptions};

#[derive(Debug, Args)]
pub(crate) struct ConnectionsArguments {
    #[command(flatten)]
    session: SessionOptions,
    #[command(subcommand)]
    command: ConnectionsCommand,
}

#[derive(Debug, Subcommand)]
enum ConnectionsCommand {
    /// List the connections, newest first. The client's name is what the client claims
    List,
    /// End a connection. The service then refuses its tokens
    Revoke {
        /// The connection's id, as listed by `family connection list`
        #[arg(allow_hyphen_values = true)]
        id: GrantId,
    },
}

pub(crate) fn run(context: &Context, arguments: &ConnectionsArguments) -> Result<(), Failure> {
    session::with_session(context, &arguments.session, |session| {
        let profile = Some(session.profile().get());
        match &arguments.command {
            ConnectionsCommand::List => context.output.print_response(session.connections().list(), profile),
            ConnectionsCommand::Revoke { id } => {
                context.output.print_response(session.connections().revoke(id), profile)
            }
        }
    })
}
