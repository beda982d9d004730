//! `family column …`

use clap::Args;
use family_api_client::api::{ChangeOf, ReadApi, RecordsApi};
use family_api_client::change::ColumnChange;
use family_api_client::id::ColumnId;
use family_api_client::resource::{Board, Column};
use family_api_client::{Error, SessionClient};

use super::{Container, OrderCommand, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{Nameable, Named};

#[derive(Debug, Args)]
pub(crate) struct NewColumn {
    /// The name
    name: String,
    /// The board: its id, or its name if a key is set
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    board: String,
    /// The emoji
    #[arg(long)]
    emoji: Option<String>,
}

impl Nameable for Column {
    const NAME: &'static str = "column";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<ColumnId>>, Error> {
        let columns = api.tasks().wait()?.into_iter().flat_map(|board| board.columns);
        Ok(columns.map(|column| Named::new(column.id, column.name)).collect())
    }
}

impl Container for Column {
    type New = NewColumn;
    type Order = OrderCommand;

    const EXAMPLES: &'static str = "\
Examples:
  family column add \"To do\" --board Home --email ana@family.example
  family column delete \"To do\" --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.columns()
    }

    fn add(context: &Context, session: &SessionClient, new: &NewColumn) -> Result<(), Failure> {
        let column = new.emoji.iter().fold(ColumnChange::new().name(&new.name), ColumnChange::emoji);
        super::with_id::<Board, _>(context, &new.board, |board| {
            let call = session.columns().create(board, column.clone());
            context.output.print_versioned(call, session.profile().get())
        })
    }

    fn renamed(name: &str) -> ColumnChange {
        ColumnChange::new().name(name)
    }

    fn reordered(OrderCommand::Order { target, position }: &OrderCommand) -> (&Target, ChangeOf<Self>) {
        (target, ColumnChange::new().order(*position))
    }
}
