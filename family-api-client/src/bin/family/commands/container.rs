//! `family board …`, `family column …`, `family list …` and `family category …`: the records that contain others. Only a
//! session can write them.

use std::fmt::Debug;

use clap::{Args, Subcommand};
use family_api_client::api::{ChangeOf, ReadApi, RecordsApi};
use family_api_client::change::{BoardChange, ColumnChange, Editable, NoteCategoryChange, ShoppingListChange};
use family_api_client::id::{BoardId, CategoryId, ColumnId, ListId};
use family_api_client::resource::{Board, Column, NoteCategory, ShoppingList};
use family_api_client::{Call, Creation, Error, SessionClient, Versioned};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::commands::record::IfMatch;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::session::{self, SessionOptions};
use crate::show::Show;

#[derive(Debug, Args)]
#[command(after_help = R::EXAMPLES)]
pub(crate) struct ContainerArguments<R: Container> {
    #[command(flatten)]
    session: SessionOptions,
    #[command(subcommand)]
    command: ContainerCommand<R>,
}

#[derive(Debug, Subcommand)]
enum ContainerCommand<R: Container> {
    /// Add a new one
    Add(R::New),
    /// Give it another name
    Rename {
        #[command(flatten)]
        target: Target,
        /// The new name
        new_name: String,
        #[command(flatten)]
        if_match: IfMatch,
    },
    /// Delete it. It must be empty, and cannot be restored
    Delete {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        if_match: IfMatch,
    },
}

#[derive(Debug, Args)]
struct Target {
    /// The id. If a key is set too (see `family --help`), also the name
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    name: String,
}

/// A kind of record that contains others.
pub(crate) trait Container: Editable + Show {
    /// The arguments that describe a new one.
    type New: Args + Debug;

    /// The name of the kind in messages.
    const NAME: &'static str;
    const EXAMPLES: &'static str;

    fn api(session: &SessionClient) -> RecordsApi<Self>;

    fn create(
        context: &Context,
        session: &SessionClient,
        new: &Self::New,
    ) -> Result<Call<Versioned<Self>, Creation>, Failure>;

    fn renamed(name: &str) -> ChangeOf<Self>;

    /// Reads the ids and names.
    fn read_names(api: &ReadApi) -> Result<Vec<(Self::Id, String)>, Error>;
}

pub(crate) fn run<R: Container>(context: &Context, arguments: &ContainerArguments<R>) -> Result<(), Failure>
where
    R::Id: DeserializeOwned + Serialize,
{
    session::with_session(context, &arguments.session, |session| {
        let profile = || session.profile().get();
        match &arguments.command {
            ContainerCommand::Add(new) => context.output.print_versioned(R::create(context, session, new)?, profile()),
            ContainerCommand::Rename { target, new_name, if_match } => {
                let call = R::api(session).update(&find_id::<R>(context, &target.name)?, R::renamed(new_name));
                context.output.print_versioned(if_match.apply(call), profile())
            }
            ContainerCommand::Delete { target, if_match } => {
                let call = R::api(session).delete(&find_id::<R>(context, &target.name)?);
                context.output.print_response(if_match.apply(call), None)
            }
        }
    })
}

/// Returns the id of the record with this id or name. Names need a key, because a session has no read routes.
fn find_id<R: Container>(context: &Context, text: &str) -> Result<R::Id, Failure> {
    let client = match context.client() {
        Ok(client) => client,
        Err(Failure::NoKey { .. }) => return find::parse_id(R::NAME, text),
        Err(failure) => return Err(failure),
    };
    let names = R::read_names(&client.read())?;
    match find::by_id_or_name(R::NAME, text, &names, |(id, name)| (id, name)) {
        Ok((id, _)) => Ok(id.clone()),
        // A category without a note is in no read.
        Err(Failure::NotFound(_)) if text.parse::<R::Id>().is_ok() => find::parse_id(R::NAME, text),
        Err(failure) => Err(failure),
    }
}

#[derive(Debug, Args)]
pub(crate) struct NewBoard {
    /// The name
    name: String,
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

impl Container for Board {
    type New = NewBoard;

    const NAME: &'static str = "board";
    const EXAMPLES: &'static str = "\
Examples:
  family board add Home --email ana@family.example
  family board rename 0197… House --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.boards()
    }

    fn create(
        _: &Context,
        session: &SessionClient,
        new: &NewBoard,
    ) -> Result<Call<Versioned<Self>, Creation>, Failure> {
        let board = new.emoji.iter().fold(BoardChange::new().name(&new.name), BoardChange::emoji);
        let board = new.description.iter().fold(board, BoardChange::description);
        Ok(session.boards().create(if new.private { board.make_private() } else { board }))
    }

    fn renamed(name: &str) -> BoardChange {
        BoardChange::new().name(name)
    }

    fn read_names(api: &ReadApi) -> Result<Vec<(BoardId, String)>, Error> {
        Ok(api.tasks().wait()?.into_iter().map(|board| (board.id, board.name)).collect())
    }
}

#[derive(Debug, Args)]
pub(crate) struct NewColumn {
    /// The name
    name: String,
    /// The id of the board. If a key is set too, also its name
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    board: String,
    /// The emoji
    #[arg(long)]
    emoji: Option<String>,
}

impl Container for Column {
    type New = NewColumn;

    const NAME: &'static str = "column";
    const EXAMPLES: &'static str = "\
Examples:
  family column add \"To do\" --board 0197… --email ana@family.example
  family column delete 0197… --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.columns()
    }

    fn create(
        context: &Context,
        session: &SessionClient,
        new: &NewColumn,
    ) -> Result<Call<Versioned<Self>, Creation>, Failure> {
        let column = new.emoji.iter().fold(ColumnChange::new().name(&new.name), ColumnChange::emoji);
        Ok(session.columns().create(&find_id::<Board>(context, &new.board)?, column))
    }

    fn renamed(name: &str) -> ColumnChange {
        ColumnChange::new().name(name)
    }

    fn read_names(api: &ReadApi) -> Result<Vec<(ColumnId, String)>, Error> {
        let columns = api.tasks().wait()?.into_iter().flat_map(|board| board.columns);
        Ok(columns.map(|column| (column.id, column.name)).collect())
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

impl Container for ShoppingList {
    type New = NewList;

    const NAME: &'static str = "list";
    const EXAMPLES: &'static str = "\
Examples:
  family list add Groceries --email ana@family.example
  family list rename 0197… \"Weekly shop\" --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.shopping_lists()
    }

    fn create(_: &Context, session: &SessionClient, new: &NewList) -> Result<Call<Versioned<Self>, Creation>, Failure> {
        let list = new.emoji.iter().fold(ShoppingListChange::new().name(&new.name), ShoppingListChange::emoji);
        Ok(session.shopping_lists().create(if new.private { list.make_private() } else { list }))
    }

    fn renamed(name: &str) -> ShoppingListChange {
        ShoppingListChange::new().name(name)
    }

    fn read_names(api: &ReadApi) -> Result<Vec<(ListId, String)>, Error> {
        Ok(api.shopping().wait()?.into_iter().map(|list| (list.id, list.name)).collect())
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

impl Container for NoteCategory {
    type New = NewCategory;

    const NAME: &'static str = "category";
    const EXAMPLES: &'static str = "\
Examples:
  family category add Recipes --email ana@family.example
  family category delete 0197… --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.note_categories()
    }

    fn create(
        _: &Context,
        session: &SessionClient,
        new: &NewCategory,
    ) -> Result<Call<Versioned<Self>, Creation>, Failure> {
        let category = new.emoji.iter().fold(NoteCategoryChange::new().name(&new.name), NoteCategoryChange::emoji);
        Ok(session.note_categories().create(category))
    }

    fn renamed(name: &str) -> NoteCategoryChange {
        NoteCategoryChange::new().name(name)
    }

    fn read_names(api: &ReadApi) -> Result<Vec<(CategoryId, String)>, Error> {
        let categories = api.notes().wait()?.into_iter().filter_map(|note| note.category);
        let mut names: Vec<_> = categories.map(|category| (category.id, category.name)).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}
