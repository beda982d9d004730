//! `family shopping …`

mod new_item;

use std::iter;

use clap::{Args, Subcommand};
use family_api_client::FamilyClient;
use family_api_client::api::ReadApi;
use family_api_client::change::ShoppingItemChange;
use family_api_client::id::ItemId;
use family_api_client::resource::{DeletedItems, ShoppingList};

use new_item::NewItem;

use crate::commands::record::RecordName;
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{self, Named, Prefer};
use crate::show::NamedDeletions;

/// The name of an item in messages.
const ITEM: &str = "item";

#[derive(Debug, Args)]
pub(crate) struct ShoppingArguments {
    #[command(subcommand)]
    command: Option<ShoppingCommand>,
}

#[derive(Debug, Subcommand)]
enum ShoppingCommand {
    /// Add items to a list
    #[command(after_help = "\
Examples:
  family shopping add milk \"bread x2\" \"500 g flour\" --list Groceries
  family shopping add \"Vitamin B 12x\" --quantity \"1 box\"")]
    Add {
        /// What to buy. The first or last words are the quantity if they are a count, such as `x2`, or a number with a
        /// unit, such as `500 g` or `2 bottles`
        #[arg(required = true, value_name = "ITEM")]
        items: Vec<NewItem>,
        /// The quantity of each item. The items are then names without a quantity
        #[arg(long, value_name = "TEXT")]
        quantity: Option<String>,
        /// The category of each item, such as Dairy
        #[arg(long, value_name = "TEXT")]
        category: Option<String>,
        /// The list, by name or id. Default: the first list
        #[arg(long, value_name = "NAME")]
        list: Option<String>,
    },
    /// Mark items as bought
    #[command(after_help = "Example: family shopping check milk bread")]
    Check(Items),
    /// Mark items as not bought
    #[command(after_help = "Example: family shopping uncheck milk")]
    Uncheck(Items),
    /// Change an item, or move it to another list
    #[command(after_help = "Example: family shopping change mlik --name milk --quantity \"2 l\"")]
    Change(Change),
    /// Delete items. They can be restored for 30 days
    #[command(after_help = "Example: family shopping delete milk")]
    Delete(Items),
    /// Restore deleted items
    #[command(after_help = "Example: family shopping restore 0197…")]
    Restore {
        /// The ids of the items, as printed by `family shopping delete` and `family shopping clear`
        #[arg(required = true, value_name = "ID")]
        ids: Vec<ItemId>,
    },
    /// Delete the items that are marked as bought, of all lists or of one. They can be restored for 30 days
    #[command(after_help = "Example: family shopping clear --list Groceries")]
    Clear {
        /// The list, by name or id. Default: all lists
        #[arg(long, value_name = "NAME")]
        list: Option<String>,
    },
}

#[derive(Debug, Args)]
struct Change {
    #[command(flatten)]
    item: RecordName,
    /// What to buy
    #[arg(long)]
    name: Option<String>,
    /// How much to buy. An empty text removes the quantity
    #[arg(long, value_name = "TEXT")]
    quantity: Option<String>,
    /// The category. An empty text removes it
    #[arg(long, value_name = "TEXT")]
    category: Option<String>,
    /// The list to which the item moves, by name or id
    #[arg(long, value_name = "NAME")]
    to: Option<String>,
    /// The list of the item, by name or id. Default: all lists
    #[arg(long, value_name = "NAME")]
    list: Option<String>,
}

#[derive(Debug, Args)]
struct Items {
    /// The items, by name or id
    #[arg(required = true, value_name = "NAME")]
    items: Vec<String>,
    /// The list of the items, by name or id. Default: all lists
    #[arg(long, value_name = "NAME")]
    list: Option<String>,
}

pub(crate) fn run(context: &Context, arguments: &ShoppingArguments) -> Result<(), Failure> {
    let client = context.client()?;
    let Some(command) = &arguments.command else {
        return context.output.print_response(client.read().shopping(), None);
    };
    let api = client.shopping_items();
    match command {
        ShoppingCommand::Add { items, quantity, category, list } => {
            let lists = named_lists(&client.read(), list.as_deref())?;
            let list = lists.first().ok_or_else(no_list)?;
            let add = |item: &NewItem| {
                let change = match quantity {
                    Some(quantity) => ShoppingItemChange::new().name(&item.text).quantity(quantity),
                    None => item
                        .quantity
                        .iter()
                        .fold(ShoppingItemChange::new().name(&item.name), ShoppingItemChange::quantity),
                };
                let change = category.iter().fold(change, ShoppingItemChange::category);
                Ok(api.create(&list.id, change).wait()?.into_record())
            };
            print_each(items.iter().map(add), |added| context.output.print_record(&added, None))
        }
        ShoppingCommand::Change(arguments) => change(context, &client, arguments),
        ShoppingCommand::Check(items) => set_checked(context, &client, items, true),
        ShoppingCommand::Uncheck(items) => set_checked(context, &client, items, false),
        ShoppingCommand::Delete(items) => {
            let found = items.find(&client.read(), Prefer::Neither)?;
            let delete = |item: &Named<ItemId>| Ok(api.delete(&item.id).wait()?.id);
            print_each(found.iter().map(delete), |deleted| print_deleted(context, deleted, &found))
        }
        ShoppingCommand::Restore { ids } => {
            let restore = |id: &ItemId| Ok(api.restore(id).wait()?.into_record());
            print_each(ids.iter().map(restore), |restored| context.output.print_record(&restored, None))
        }
        ShoppingCommand::Clear { list } => {
            let lists = named_lists(&client.read(), list.as_deref())?;
            let batches = lists.iter().flat_map(|list| clear(&client, list));
            print_each(batches, |batches| print_deleted(context, batches.concat(), &items_of(&lists)))
        }
    }
}

fn set_checked(context: &Context, client: &FamilyClient, items: &Items, checked: bool) -> Result<(), Failure> {
    let found = items.find(&client.read(), if checked { Prefer::Open } else { Prefer::Done })?;
    let change = ShoppingItemChange::new();
    let change = if checked { change.check() } else { change.uncheck() };
    let api = client.shopping_items();
    let update = |item: &Named<ItemId>| Ok(api.update(&item.id, change.clone()).wait()?.into_record());
    print_each(found.iter().map(update), |updated| context.output.print_record(&updated, None))
}

fn change(context: &Context, client: &FamilyClient, arguments: &Change) -> Result<(), Failure> {
    let lists = client.read().shopping().wait()?;
    let named = |name: Option<&str>| name.map(|text| find_list(&lists, text)).transpose();
    let to = named(arguments.to.as_deref())?;
    let items = match named(arguments.list.as_deref())? {
        Some(list) => items_of([list]),
        None => items_of(&lists),
    };
    let item = find::preferred(ITEM, &arguments.item.name, &items, Prefer::Open)?;

    let change = arguments.name.iter().fold(ShoppingItemChange::new(), ShoppingItemChange::name);
    let change = match arguments.quantity.as_deref() {
        None => change,
        Some("") => change.clear_quantity(),
        Some(quantity) => change.quantity(quantity),
    };
    let change = match arguments.category.as_deref() {
        None => change,
        Some("") => change.clear_category(),
        Some(category) => change.category(category),
    };
    let change = to.into_iter().fold(change, |change, list| change.list(&list.id));
    let changed = client.shopping_items().update(&item.id, change).wait()?.into_record();
    context.output.print_record(&vec![changed], None)
}

/// Prints deleted items. `read` has the names of those that were read before.
fn print_deleted(context: &Context, ids: Vec<ItemId>, read: &[Named<ItemId>]) -> Result<(), Failure> {
    let name = |id: &ItemId| read.iter().find(|item| item.id == *id).map(|item| item.name.clone()).unwrap_or_default();
    let names = ids.iter().map(name).collect();
    context.output.print_record(&NamedDeletions { deleted: DeletedItems::new(ids), names }, None)
}

impl Items {
    /// Returns the items with these ids or names, each once. A name must not be ambiguous.
    fn find(&self, api: &ReadApi, prefer: Prefer) -> Result<Vec<Named<ItemId>>, Failure> {
        let items = items_of(&named_lists(api, self.list.as_deref())?);
        let mut found = Vec::new();
        for text in &self.items {
            let item = find::preferred(ITEM, text, &items, prefer)?;
            if !found.contains(item) {
                found.push(item.clone());
            }
        }
        Ok(found)
    }
}

fn items_of<'a>(lists: impl IntoIterator<Item = &'a ShoppingList>) -> Vec<Named<ItemId>> {
    let items = lists.into_iter().flat_map(|list| list.items.iter().map(move |item| (list, item)));
    let named = items.map(|(list, item)| Named {
        id: item.id.clone(),
        name: item.name.clone(),
        is_done: item.checked,
        list: Some(list.name.clone()),
    });
    named.collect()
}

/// Deletes the checked items of a list. Each call deletes a limited number of them, and returns their ids.
fn clear(client: &FamilyClient, list: &ShoppingList) -> impl Iterator<Item = Result<Vec<ItemId>, Failure>> {
    let mut remaining = list.items.iter().filter(|item| item.checked).count();
    iter::from_fn(move || {
        if remaining == 0 {
            return None;
        }
        let deleted = client.shopping_items().delete_checked(&list.id).wait().map(|deleted| deleted.ids);
        remaining = match &deleted {
            Ok(ids) if !ids.is_empty() => remaining.saturating_sub(ids.len()),
            // The call failed, or other clients have deleted the other items.
            _ => 0,
        };
        Some(deleted.map_err(Failure::from))
    })
}

/// Returns the list with this name or id, or all lists.
fn named_lists(api: &ReadApi, name: Option<&str>) -> Result<Vec<ShoppingList>, Failure> {
    let lists = api.shopping().wait()?;
    match name {
        Some(text) => Ok(vec![find_list(&lists, text)?.clone()]),
        None => Ok(lists),
    }
}

fn find_list<'a>(lists: &'a [ShoppingList], text: &str) -> Result<&'a ShoppingList, Failure> {
    find::by_id_or_name("list", text, lists, |list| (&list.id, &list.name))
}

fn no_list() -> Failure {
    Failure::NotFound("there is no shopping list yet: add one with `family list add`".to_owned())
}

/// Writes in turn until a write fails, and prints what was written, even if a later write failed.
fn print_each<R>(
    mut writes: impl Iterator<Item = Result<R, Failure>>,
    print: impl FnOnce(Vec<R>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut written = Vec::new();
    let outcome = writes.try_for_each(|write| write.map(|record| written.push(record)));
    if outcome.is_err() && written.is_empty() {
        return outcome;
    }
    let printed = print(written);
    outcome.and(printed)
}
