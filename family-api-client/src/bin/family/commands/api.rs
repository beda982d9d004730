//! `family api on|off`

use clap::{Args, ValueEnum};
use family_api_client::change::ProfileChange;

use crate::context::Context;
use crate::failure::Failure;
use crate::session::{self, SessionOptions};

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

pub(crate) fn run(context: &Context, arguments: &ApiArguments) -> Result<(), Failure> {
    let change = match arguments.state {
        State::On => ProfileChange::new().enable_personal_api(),
        State::Off => ProfileChange::new().disable_personal_api(),
    };
    session::with_session(context, &arguments.session, |session| {
        context.output.print_response(session.profile().update(change), None)
    })
}
