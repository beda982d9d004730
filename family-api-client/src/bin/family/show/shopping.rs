//! Shopping lists.

use family_api_client::resource::{ShoppingItem, ShoppingList};

use crate::show::{Show, person_name, with_emoji, yes_or_empty};
use crate::table::Table;
use crate::times::Times;

const ITEM: [&str; 6] = ["Item", "Quantity", "Category", "In the basket", "Added by", "Id"];

impl Show for Vec<ShoppingList> {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["List"].into_iter().chain(ITEM));
        for list in self {
            let name = with_emoji(list.emoji.as_deref(), &list.name);
            for item in &list.items {
                table.add_row([name.clone()].into_iter().chain(cells(item)));
            }
            if list.items.is_empty() {
                table.add_row([name]);
            }
        }
        table
    }
}

impl Show for Vec<ShoppingItem> {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(ITEM);
        for item in self {
            table.add_row(cells(item));
        }
        table
    }
}

impl Show for ShoppingList {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([
            ("List", with_emoji(self.emoji.as_deref(), &self.name)),
            ("Private", yes_or_empty(self.is_private)),
            ("Id", self.id.to_string()),
        ])
    }
}

/// Returns the cells of the columns [`ITEM`].
fn cells(item: &ShoppingItem) -> [String; 6] {
    [
        item.name.clone(),
        item.quantity.clone().unwrap_or_default(),
        item.category.clone().unwrap_or_default(),
        yes_or_empty(item.checked),
        person_name(item.added_by.as_ref()),
        item.id.to_string(),
    ]
}
