//! `family board …`, `family column …`, `family list …` and `family category …`: the records that contain others.

use std::convert::Infallible;
use std::fmt::Debug;

use clap::{Args, Subcommand};
use family_api_client::api::{ChangeOf, ReadApi, RecordsApi};
use family_api_client::change::{BoardChange, ColumnChange, NoteCategoryChange, ShoppingListChange};
use family_api_client::id::{BoardId, CategoryId, ColumnId, ListId};
use family_api_client::resource::{Board, Column, NoteCategory, Profile, ShoppingList};
use family_api_client::{Call, Error, FamilyClient, SessionClient};

use crate::commands::record::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{self, Nameable, Named, Prefer};
use crate::messages::print_messages;
use crate::show::Show;

#[derive(Debug, Subcommand)]
pub(crate) enum ContainerCommand<R: Container> {
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

/// The calls that write: in a session if one is given, and otherwise with the key.
pub(crate) enum Writer<'a> {
    Key(FamilyClient),
    Session(&'a SessionClient),
}

impl Writer<'_> {
    fn profile(&self) -> Call<Profile> {
        match self {
            Self::Key(client) => client.profile().get(),
            Self::Session(session) => session.profile().get(),
        }
    }
}

/// A kind of record that contains others.
pub(crate) trait Container: Nameable + Show {
    /// The arguments that describe a new one.
    type New: Args + Debug;
    /// [`OrderCommand`], or nothing if the records have no position.
    type Order: Subcommand + Debug;

    fn api(writer: &Writer<'_>) -> RecordsApi<Self>;

    /// Creates and prints a new one.
    fn add(context: &Context, writer: &Writer<'_>, new: &Self::New) -> Result<(), Failure>;

    fn renamed(name: &str) -> ChangeOf<Self>;

    /// Returns the record and its change.
    fn reordered(order: &Self::Order) -> (&Target, ChangeOf<Self>);
}

pub(crate) fn run<R: Container>(
    context: &Context,
    writer: &Writer<'_>,
    command: &ContainerCommand<R>,
) -> Result<(), Failure> {
    let update = |target: &Target, change: ChangeOf<R>| {
        with_id::<R, _>(context, &target.record.name, |id| {
            let call = target.if_match.apply(R::api(writer).update(id, change.clone()));
            context.output.print_versioned(call, writer.profile())
        })
    };
    match command {
        ContainerCommand::Add(new) => R::add(context, writer, new),
        ContainerCommand::Rename { target, new_name } => update(target, R::renamed(new_name)),
        ContainerCommand::Order(order) => {
            let (target, change) = R::reordered(order);
            update(target, change)
        }
        ContainerCommand::Delete(target) => with_id::<R, _>(context, &target.record.name, |id| {
            context.output.print_response(target.if_match.apply(R::api(writer).delete(id)), None)
        }),
    }
}

/// Sends a request for the record with this id, or with this name if a key is set.
///
/// Names are read with a key, because a session has no routes that read. Without a key, only ids are known.
fn with_id<R: Container, T>(
    context: &Context,
    text: &str,
    send: impl FnMut(&R::Id) -> Result<T, Failure>,
) -> Result<T, Failure> {
    find::with_id::<R, T>(|| context.client(), text, Prefer::Neither, send)
}

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

    fn api(writer: &Writer<'_>) -> RecordsApi<Self> {
        match writer {
            Writer::Key(client) => client.boards(),
            Writer::Session(session) => session.boards(),
        }
    }

    fn add(context: &Context, writer: &Writer<'_>, new: &NewBoard) -> Result<(), Failure> {
        let board = new.emoji.iter().fold(BoardChange::new().name(&new.name), BoardChange::emoji);
        let board = new.description.iter().fold(board, BoardChange::description);
        let board = if new.private { board.make_private() } else { board };
        let call = Self::api(writer).create(board);
        if new.columns.is_empty() {
            return context.output.print_versioned(call, writer.profile());
        }
        let mut board = call.wait()?.into_record();
        for name in &new.columns {
            let column = Column::api(writer).create(&board.id, ColumnChange::new().name(name)).wait();
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

    fn reordered(OrderCommand::Order { target, position }: &OrderCommand) -> (&Target, BoardChange) {
        (target, BoardChange::new().order(*position))
    }
}

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

    fn api(writer: &Writer<'_>) -> RecordsApi<Self> {
        match writer {
            Writer::Key(client) => client.columns(),
            Writer::Session(session) => session.columns(),
        }
    }

    fn add(context: &Context, writer: &Writer<'_>, new: &NewColumn) -> Result<(), Failure> {
        let column = new.emoji.iter().fold(ColumnChange::new().name(&new.name), ColumnChange::emoji);
        with_id::<Board, _>(context, &new.board, |board| {
            let call = Self::api(writer).create(board, column.clone());
            context.output.print_versioned(call, writer.profile())
        })
    }

    fn renamed(name: &str) -> ColumnChange {
        ColumnChange::new().name(name)
    }

    fn reordered(OrderCommand::Order { target, position }: &OrderCommand) -> (&Target, ColumnChange) {
        (target, ColumnChange::new().order(*position))
    }
}

#[derive(Debug, Args)]
pub(crate) struct NewList {
    /// The name
    name: String,
    /// The emoji
    #[arg(long)]
    emoji: Option<String>,
    /// Only you can see the list
    #[arg(long)]
    private: bool,
}

impl Nameable for ShoppingList {
    const NAME: &'static str = "list";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<ListId>>, Error> {
        Ok(api.shopping().wait()?.into_iter().map(|list| Named::new(list.id, list.name)).collect())
    }
}

impl Container for ShoppingList {
    type New = NewList;
    type Order = OrderCommand;

    fn api(writer: &Writer<'_>) -> RecordsApi<Self> {
        match writer {
            Writer::Key(client) => client.shopping_lists(),
            Writer::Session(session) => session.shopping_lists(),
        }
    }

    fn add(context: &Context, writer: &Writer<'_>, new: &NewList) -> Result<(), Failure> {
        let list = new.emoji.iter().fold(ShoppingListChange::new().name(&new.name), ShoppingListChange::emoji);
        let list = if new.private { list.make_private() } else { list };
        context.output.print_versioned(Self::api(writer).create(list), writer.profile())
    }

    fn renamed(name: &str) -> ShoppingListChange {
        ShoppingListChange::new().name(name)
    }

    fn reordered(OrderCommand::Order { target, position }: &OrderCommand) -> (&Target, ShoppingListChange) {
        (target, ShoppingListChange::new().sort_order(*position))
    }
}

#[derive(Debug, Args)]
pub(crate) struct NewCategory {
    /// The name
    name: String,
    /// The emoji
    #[arg(long)]
    emoji: Option<String>,
}

/// Only the categories that a note has can be named: the others are in no read.
impl Nameable for NoteCategory {
    const NAME: &'static str = "category";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<CategoryId>>, Error> {
        let categories = api.notes().wait()?.into_iter().filter_map(|note| note.category);
        let mut names: Vec<_> = categories.map(|category| Named::new(category.id, category.name)).collect();
        names.sort_by(|a, b| a.id.cmp(&b.id));
        names.dedup_by(|a, b| a.id == b.id);
        Ok(names)
    }
}

impl Container for NoteCategory {
    type New = NewCategory;
    /// Categories have no position.
    type Order = Infallible;

    fn api(writer: &Writer<'_>) -> RecordsApi<Self> {
        match writer {
            Writer::Key(client) => client.note_categories(),
            Writer::Session(session) => session.note_categories(),
        }
    }

    fn add(context: &Context, writer: &Writer<'_>, new: &NewCategory) -> Result<(), Failure> {
        let category = new.emoji.iter().fold(NoteCategoryChange::new().name(&new.name), NoteCategoryChange::emoji);
        context.output.print_versioned(Self::api(writer).create(category), writer.profile())
    }

    fn renamed(name: &str) -> NoteCategoryChange {
        NoteCategoryChange::new().name(name)
    }

    fn reordered(order: &Infallible) -> (&Target, NoteCategoryChange) {
        match *order {}
    }
}
