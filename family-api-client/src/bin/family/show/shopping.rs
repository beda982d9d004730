//! Shopping lists.

use family_api_client::resource::ShoppingList;

use crate::show::{Show, person_name, with_emoji, yes_or_empty};
use crate::table::Table;
use crate::times::Times;

impl Show for Vec<ShoppingList> {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["List", "Item", "Quantity", "Category", "In the basket", "Added by", "Id"]);
        for list in self {
            for item in &list.items {
                table.add_row([
                    with_emoji(list.emoji.as_deref(), &list.name),
                    item.name.clone(),
                    item.quantity.clone().unwrap_or_default(),
                    item.category.clone().unwrap_or_default(),
                    yes_or_empty(item.checked),
                    person_name(item.added_by.as_ref()),
                    item.id.to_string(),
                ]);
            }
        }
        table
    }
}
