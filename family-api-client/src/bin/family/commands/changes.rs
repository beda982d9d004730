//! `family changes`

use clap::{Args, ValueEnum};
use family_api_client::resource::RecordKind;

use crate::context::Context;
use crate::failure::Failure;

#[derive(Debug, Args)]
pub(crate) struct ChangesArguments {
    /// Show the changes since this state, the last row of an earlier output (with `--json`: `newState`). Default: show
    /// only the current state
    #[arg(long)]
    since: Option<String>,
    /// Show only changes of this kind of record. Can be repeated. Default: the kinds of the state
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<Kind>,
    /// The number of changes after which no further write is shown, 1 to 500. Default: 500
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: Option<u32>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Task,
    Note,
    Event,
    Item,
    Board,
    Column,
    List,
    Category,
}

impl From<Kind> for RecordKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Task => Self::Task,
            Kind::Note => Self::Note,
            Kind::Event => Self::Event,
            Kind::Item => Self::ShoppingItem,
            Kind::Board => Self::Board,
            Kind::Column => Self::Column,
            Kind::List => Self::ShoppingList,
            Kind::Category => Self::NoteCategory,
        }
    }
}

pub(crate) fn run(context: &Context, arguments: &ChangesArguments) -> Result<(), Failure> {
    let kinds: Vec<RecordKind> = arguments.kinds.iter().copied().map(RecordKind::from).collect();
    let mut call = context.client()?.read().changes();
    if let Some(state) = &arguments.since {
        call = call.since(state);
    }
    if !kinds.is_empty() {
        call = call.kinds(&kinds);
    }
    if let Some(limit) = arguments.limit {
        call = call.limit(limit);
    }
    context.output.print_response(call, None)
}
