//! `family api on|off`

use clap::{Args, ValueEnum};
use family_api_client::change::ProfileChange;

use crate::context::Context;
use crate::failure::Failure;
use crate::session::{self, SessionOptions};

#[derive(Debug, Args)]
pub(crate) struct ApiArguments {
    /// What it shall be
    switch: Switch,
    #[command(flatten)]
    session: SessionOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Switch {
    /// Keys open what their modes say, and v1 keys can be made
    On,
    /// Keys open the read path only, and are kept
    Off,
}

pub(crate) fn run(context: &Context, arguments: &ApiArguments) -> Result<(), Failure> {
    let change = match arguments.switch {
        Switch::On => ProfileChange::new().enable_personal_api(),
        Switch::Off => ProfileChange::new().disable_personal_api(),
    };
    session::within(context, &arguments.session, |session| {
        context.output.answer(session.profile().update(change), None)
    })
}
