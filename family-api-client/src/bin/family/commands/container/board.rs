//! `family board …`

use clap::Args;
use family_api_client::api::{ChangeOf, ReadApi, RecordsApi};
use family_api_client::change::{BoardChange, ColumnChange};
use family_api_client::id::BoardId;
use family_api_client::resource::Board;
use family_api_client::{Error, SessionClient};

use super::{Container, OrderCommand, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{Nameable, Named};
use crate::messages::print_messages;

#[derive(Debug, Args)]
pub(crate) struct NewBoard {
    /// The name
    name: String,
    /// A column of the board. Can be repeated. A board needs a column for its tasks
    #[arg(long = "column", value_name = "NAME")]
    columns: Vec<String>,
    /// The emoji
    #[arg(long)]
    emoji: Option<String>,
    /// More about the board
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Only you can see the board
    #[arg(long)]
    private: bool,
}

impl Nameable for Board {
    const NAME: &'static str = "board";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<BoardId>>, Error> {
        Ok(api.tasks().wait()?.into_iter().map(|board| Named::new(board.id, board.name)).collect())
    }
}

impl Container for Board {
    type New = NewBoard;
    type Order = OrderCommand;

    const EXAMPLES: &'static str = "\
Examples:
  family board add Home --column \"To do\" --column Doing --column Done --email ana@family.example
  family board rename Home House --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.boards()
    }

    fn add(context: &Context, session: &SessionClient, new: &NewBoard) -> Result<(), Failure> {
        let board = new.emoji.iter().fold(BoardChange::new().name(&new.name), BoardChange::emoji);
        let board = new.description.iter().fold(board, BoardChange::description);
        let board = if new.private { board.make_private() } else { board };
        let call = session.boards().create(board);
        if new.columns.is_empty() {
            return context.output.print_versioned(call, session.profile().get());
        }
        let mut board = call.wait()?.into_record();
        for name in &new.columns {
            let column = session.columns().create(&board.id, ColumnChange::new().name(name)).wait();
            let column = column.inspect_err(|_| {
                print_messages(&[format!("the board {} was added, but not its column `{name}`", board.id)]);
            });
            board.columns.push(column?.into_record());
        }
        context.output.print_record(&board, None)
    }

    fn renamed(name: &str) -> BoardChange {
        BoardChange::new().name(name)
    }

    fn reordered(OrderCommand::Order { target, position }: &OrderCommand) -> (&Target, ChangeOf<Self>) {
        (target, BoardChange::new().order(*position))
    }
}
