//! `family list …`

use clap::Args;
use family_api_client::api::{ChangeOf, ReadApi, RecordsApi};
use family_api_client::change::ShoppingListChange;
use family_api_client::id::ListId;
use family_api_client::resource::ShoppingList;
use family_api_client::{Error, SessionClient};

use super::{Container, OrderCommand, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{Nameable, Named};

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

    const EXAMPLES: &'static str = "\
Examples:
  family list add Groceries --email ana@family.example
  family list rename Groceries \"Weekly shop\" --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.shopping_lists()
    }

    fn add(context: &Context, session: &SessionClient, new: &NewList) -> Result<(), Failure> {
        let list = new.emoji.iter().fold(ShoppingListChange::new().name(&new.name), ShoppingListChange::emoji);
        let list = if new.private { list.make_private() } else { list };
        context.output.print_versioned(session.shopping_lists().create(list), session.profile().get())
    }

    fn renamed(name: &str) -> ShoppingListChange {
        ShoppingListChange::new().name(name)
    }

    fn reordered(OrderCommand::Order { target, position }: &OrderCommand) -> (&Target, ChangeOf<Self>) {
        (target, ShoppingListChange::new().sort_order(*position))
    }
}
