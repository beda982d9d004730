//! `family access …`, `family api on|off`, `family connection …` and `family deleted …`. They need a session.

use clap::{Args, Subcommand, ValueEnum};
use family_api_client::SessionClient;
use family_api_client::change::ProfileChange;
use family_api_client::id::GrantId;
use family_api_client::resource::RecordKind;

use crate::context::Context;
use crate::failure::Failure;
use crate::session::{self, SessionOptions};

#[derive(Debug, Subcommand)]
pub(crate) enum AccessCommand {
    /// Revoke all keys, end all connections, and switch the personal API off. The service then refuses all of them
    RevokeAll,
}

pub(crate) fn run_access(context: &Context, session: &SessionClient, command: &AccessCommand) -> Result<(), Failure> {
    match command {
        AccessCommand::RevokeAll => {
            context.output.print_response(session.keys().revoke_access(), Some(session.profile().get()))
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ApiArguments {
    /// The new state
    state: State,
    #[command(flatten)]
    session: SessionOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum State {
    /// Keys can do all that their modes permit, and v1 keys can be created
    On,
    /// Keys can only read over `/api/mcp` (--read-path). No key is revoked
    Off,
}

pub(crate) fn run_api(context: &Context, arguments: &ApiArguments) -> Result<(), Failure> {
    let change = match arguments.state {
        State::On => ProfileChange::new().enable_personal_api(),
        State::Off => ProfileChange::new().disable_personal_api(),
    };
    session::with_session(context, &arguments.session, |session| {
        context.output.print_response(session.profile().update(change), None)
    })
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConnectionsCommand {
    /// List the connections, newest first. The client's name is what the client claims
    List,
    /// End a connection. The service then refuses its tokens
    Revoke {
        /// The connection's id, as listed by `family connection list`
        #[arg(allow_hyphen_values = true)]
        id: GrantId,
    },
}

pub(crate) fn run_connections(
    context: &Context,
    session: &SessionClient,
    command: &ConnectionsCommand,
) -> Result<(), Failure> {
    let profile = Some(session.profile().get());
    match command {
        ConnectionsCommand::List => context.output.print_response(session.connections().list(), profile),
        ConnectionsCommand::Revoke { id } => context.output.print_response(session.connections().revoke(id), profile),
    }
}

#[derive(Debug, Args)]
pub(crate) struct DeletedArguments {
    #[command(flatten)]
    session: SessionOptions,
    /// List only records of this kind
    #[arg(long)]
    kind: Option<Kind>,
    /// Continue after the page with this `nextCursor` (from `--json`)
    #[arg(long)]
    cursor: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Task,
    Note,
    Event,
    Item,
}

impl From<Kind> for RecordKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Task => Self::Task,
            Kind::Note => Self::Note,
            Kind::Event => Self::Event,
            Kind::Item => Self::ShoppingItem,
        }
    }
}

pub(crate) fn run_deleted(context: &Context, arguments: &DeletedArguments) -> Result<(), Failure> {
    session::with_session(context, &arguments.session, |session| {
        let deleted = session.deleted(arguments.kind.map(RecordKind::from), arguments.cursor.as_deref());
        context.output.print_response(deleted, Some(session.profile().get()))
    })
}
