//! The "To buy" section: shopping lists.

use family_api_client::resource::{ShoppingItem, ShoppingList};

use crate::text::{non_empty, sanitize, with_emoji};

/// Returns one line for each list with unchecked items, for example `Groceries: Milk (2 l), Bread`.
pub(crate) fn to_buy(lists: &[ShoppingList]) -> Vec<String> {
    let unchecked_items =
        |list: &ShoppingList| list.items.iter().filter(|item| !item.checked).map(item_text).collect::<Vec<_>>();
    let lists = lists.iter().map(|list| (with_emoji(list.emoji.as_deref(), &list.name), unchecked_items(list)));
    lists.filter(|(_, items)| !items.is_empty()).map(|(name, items)| format!("{name}: {}", items.join(", "))).collect()
}

fn item_text(item: &ShoppingItem) -> String {
    let quantity = non_empty(item.quantity.as_deref()).map(|quantity| format!(" ({quantity})")).unwrap_or_default();
    format!("{}{quantity}", sanitize(&item.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str, quantity: Option<&str>, checked: bool) -> ShoppingItem {
        ShoppingItem {
            id: "i".parse().unwrap(),
            list_id: "l".parse().unwrap(),
            name: name.to_owned(),
            quantity: quantity.map(str::to_owned),
            category: None,
            checked,
            is_private: false,
            added_by_id: None,
            added_by: None,
            created_at: "2026-11-01T00:00:00Z".parse().unwrap(),
        }
    }

    fn list(name: &str, items: Vec<ShoppingItem>) -> ShoppingList {
        ShoppingList {
            id: "l".parse().unwrap(),
            name: name.to_owned(),
            emoji: Some("🛒".to_owned()),
            sort_order: 0,
            is_private: false,
            owner_user_id: None,
            created_at: "2026-11-01T00:00:00Z".parse().unwrap(),
            updated_at: "2026-11-01T00:00:00Z".parse().unwrap(),
            items,
        }
    }

    #[test]
    fn checked_items_and_completed_lists_are_omitted() {
        let lists = [
            list(
                "Groceries",
                vec![item("Milk", Some("2 l"), false), item("Bread", Some(" "), false), item("Tea", None, true)],
            ),
            list("Hardware", vec![item("Paint", None, true)]),
            list("Gifts", vec![]),
        ];
        assert_eq!(to_buy(&lists), ["🛒 Groceries: Milk (2 l), Bread"]);
    }
}
