//! `family deleted …`

use clap::{Args, ValueEnum};
use family_api_client::resource::RecordKind;

use crate::context::Context;
use crate::failure::Failure;
use crate::session::{self, SessionOptions};

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

pub(crate) fn run(context: &Context, arguments: &DeletedArguments) -> Result<(), Failure> {
    session::with_session(context, &arguments.session, |session| {
        let deleted = session.deleted(arguments.kind.map(RecordKind::from), arguments.cursor.as_deref());
        context.output.print_response(deleted, Some(session.profile().get()))
    })
}
