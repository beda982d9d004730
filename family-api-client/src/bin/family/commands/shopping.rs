//! `family shopping …`

use std::convert::Infallible;
use std::str::FromStr;

use clap::{Args, Subcommand};
use family_api_client::FamilyClient;
use family_api_client::api::ReadApi;
use family_api_client::change::ShoppingItemChange;
use family_api_client::id::ItemId;
use family_api_client::resource::{DeletedItems, ShoppingItem, ShoppingList};

use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::messages::print_messages;

#[derive(Debug, Args)]
pub(crate) struct ShoppingArguments {
    #[command(subcommand)]
    command: Option<ShoppingCommand>,
}

#[derive(Debug, Subcommand)]
enum ShoppingCommand {
    /// Add items to a list
    #[command(after_help = "Example: family shopping add milk \"bread x2\" --list Groceries")]
    Add {
        /// What to buy. A last word such as `x2` is the quantity
        #[arg(required = true, value_name = "ITEM")]
        items: Vec<NewItem>,
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
struct Items {
    /// The items, by name or id
    #[arg(required = true, value_name = "NAME")]
    items: Vec<String>,
    /// The list of the items, by name or id. Default: all lists
    #[arg(long, value_name = "NAME")]
    list: Option<String>,
}

/// An item in an argument: `milk` or `bread x2`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NewItem {
    name: String,
    quantity: Option<String>,
}

impl FromStr for NewItem {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_count = |count: &&str| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        let counted = text.trim_end().rsplit_once(' ').and_then(|(name, last)| {
            let count = last.strip_prefix(['x', 'X', '×']).filter(is_count)?;
            Some(Self { name: name.trim_end().to_owned(), quantity: Some(count.to_owned()) })
        });
        let counted = counted.filter(|item| !item.name.is_empty());
        Ok(counted.unwrap_or_else(|| Self { name: text.to_owned(), quantity: None }))
    }
}

pub(crate) fn run(context: &Context, arguments: &ShoppingArguments) -> Result<(), Failure> {
    let client = context.client()?;
    let Some(command) = &arguments.command else {
        return context.output.print_response(client.read().shopping(), None);
    };
    let api = client.shopping_items();
    match command {
        ShoppingCommand::Add { items, list } => {
            let lists = named_lists(&client.read(), list.as_deref())?;
            let list = lists.first().ok_or_else(no_list)?;
            let added = for_each(
                items,
                |item| &item.name,
                |item| {
                    let change = ShoppingItemChange::new().name(&item.name);
                    let change = item.quantity.iter().fold(change, ShoppingItemChange::quantity);
                    Ok(api.create(&list.id, change).wait()?.into_record())
                },
            );
            context.output.print_record(&added?, None)
        }
        ShoppingCommand::Check(items) => set_checked(context, &client, items, true),
        ShoppingCommand::Uncheck(items) => set_checked(context, &client, items, false),
        ShoppingCommand::Delete(items) => {
            let found = items.find(&client.read(), |_| true)?;
            let deleted = for_each(&found, |item| &item.name, |item| Ok(api.delete(&item.id).wait()?.id));
            context.output.print_record(&DeletedItems::new(deleted?), None)
        }
        ShoppingCommand::Restore { ids } => {
            let restored = for_each(ids, ItemId::as_str, |id| Ok(api.restore(id).wait()?.into_record()));
            context.output.print_record(&restored?, None)
        }
        ShoppingCommand::Clear { list } => {
            let lists = named_lists(&client.read(), list.as_deref())?;
            let cleared = for_each(&lists, |list| &list.name, |list| clear(&client, list));
            context.output.print_record(&DeletedItems::new(cleared?.concat()), None)
        }
    }
}

fn set_checked(context: &Context, client: &FamilyClient, items: &Items, checked: bool) -> Result<(), Failure> {
    let found = items.find(&client.read(), |item| item.checked != checked)?;
    let change = ShoppingItemChange::new();
    let change = if checked { change.check() } else { change.uncheck() };
    let api = client.shopping_items();
    let updated =
        for_each(&found, |item| &item.name, |item| Ok(api.update(&item.id, change.clone()).wait()?.into_record()));
    context.output.print_record(&updated?, None)
}

impl Items {
    /// Returns the items with these ids or names. If items have the same name, those that `is_preferred` come first.
    fn find(&self, api: &ReadApi, is_preferred: impl Fn(&ShoppingItem) -> bool) -> Result<Vec<ShoppingItem>, Failure> {
        let lists = named_lists(api, self.list.as_deref())?;
        let items = || lists.iter().flat_map(|list| &list.items);
        let find = |text: &String| {
            let by_text = |items: Vec<&ShoppingItem>| {
                find::by_id_or_name("item", text, items, |item| (&item.id, &item.name)).cloned()
            };
            match by_text(items().filter(|item| is_preferred(item)).collect()) {
                Err(Failure::NotFound(_)) => by_text(items().collect()),
                found => found,
            }
        };
        self.items.iter().map(find).collect()
    }
}

/// Deletes the checked items of a list. Each call deletes a limited number of them.
fn clear(client: &FamilyClient, list: &ShoppingList) -> Result<Vec<ItemId>, Failure> {
    let mut deleted = Vec::new();
    let mut remaining = list.items.iter().filter(|item| item.checked).count();
    while remaining > 0 {
        let ids = client.shopping_items().delete_checked(&list.id).wait()?.ids;
        if ids.is_empty() {
            break;
        }
        remaining = remaining.saturating_sub(ids.len());
        deleted.extend(ids);
    }
    Ok(deleted)
}

/// Returns the list with this name or id, or all lists.
fn named_lists(api: &ReadApi, name: Option<&str>) -> Result<Vec<ShoppingList>, Failure> {
    let lists = api.shopping().wait()?;
    match name {
        Some(text) => Ok(vec![find::by_id_or_name("list", text, &lists, |list| (&list.id, &list.name))?.clone()]),
        None => Ok(lists),
    }
}

fn no_list() -> Failure {
    Failure::NotFound("there is no shopping list yet: add one with `family list add`".to_owned())
}

/// Writes the records in turn. After a failure, prints which of them were written.
fn for_each<'a, T, R>(
    records: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
    mut write: impl FnMut(&'a T) -> Result<R, Failure>,
) -> Result<Vec<R>, Failure> {
    let mut written = Vec::new();
    for record in records {
        match write(record) {
            Ok(result) => written.push(result),
            Err(failure) => {
                let done: Vec<&str> = records[..written.len()].iter().map(name).collect();
                if !done.is_empty() {
                    print_messages(&[format!("done before the failure: {}", done.join(", "))]);
                }
                return Err(failure);
            }
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_word_with_a_count_is_the_quantity() {
        for (text, name, quantity) in [
            ("milk", "milk", None),
            ("bread x2", "bread", Some("2")),
            ("oat milk  X12 ", "oat milk", Some("12")),
            ("eggs ×6", "eggs", Some("6")),
            ("x2", "x2", None),
            (" x2", " x2", None),
            ("size x", "size x", None),
            ("vitamin xd", "vitamin xd", None),
            ("2 l milk", "2 l milk", None),
        ] {
            let item: NewItem = text.parse().unwrap();
            assert_eq!((item.name.as_str(), item.quantity.as_deref()), (name, quantity), "{text:?}");
        }
    }
}
