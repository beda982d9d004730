//! The open items of a shopping list, so that nothing is added that is on the list already.

use std::collections::BTreeMap;

use family_api_core::resource::{ShoppingItem, ShoppingList, fold_text};

use crate::write::outcomes::Outcome;

/// The reason why an item is not added.
const PRESENT: &str = "is on the list already";

/// The open items of a list by their names, which are compared without case, hyphens and accents.
#[derive(Default)]
pub(crate) struct OpenItems(BTreeMap<String, OpenItem>);

struct OpenItem {
    id: String,
    name: String,
    quantity: Option<String>,
}

impl OpenItems {
    /// Returns the items of the list with an id.
    pub(crate) fn of(lists: Vec<ShoppingList>, id: &str) -> Self {
        let items = lists.into_iter().filter(|list| list.id.as_str() == id).flat_map(|list| list.items);
        let mut open = Self::default();
        items.filter(|item| !item.checked).for_each(|item| open.insert(item));
        open
    }

    /// Adds an item that was added to the list.
    pub(crate) fn insert(&mut self, item: ShoppingItem) {
        let open = OpenItem { id: item.id.into(), quantity: item.quantity, name: item.name };
        self.0.entry(folded(&open.name)).or_insert(open);
    }

    /// Returns the outcome of a new item if the list has an open one with its name.
    pub(crate) fn find(&self, name: &str, quantity: Option<&str>) -> Option<Outcome> {
        let OpenItem { id, name, quantity: present } = self.0.get(&folded(name))?;
        let title = present.as_ref().map_or_else(|| name.clone(), |quantity| format!("{name} ({quantity})"));
        let is_other_quantity = quantity.is_some() && quantity != present.as_deref();
        let advice = if is_other_quantity { "; update_shopping_items changes its quantity" } else { "" };
        Some(Outcome::present(id, &title, &format!("{PRESENT}{advice}")))
    }
}

fn folded(name: &str) -> String {
    fold_text(name).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use family_api_core::Timestamp;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_open_item_is_found_by_its_name() {
        let item = |id: &str, name: &str, checked| {
            let item = ShoppingItem::new(id.parse().unwrap(), name, Timestamp::MIN);
            ShoppingItem { checked, quantity: Some("2 l".to_owned()), ..item }
        };
        let mut open = OpenItems::default();
        open.insert(item("1", "Crème", false));
        open.insert(item("2", "CREME", false));
        let shown = |name: &str, quantity| open.find(name, quantity).map(|found| json!(found));
        let found = json!({ "id": "1", "result": "unchanged", "title": "Crème (2 l)", "reason": PRESENT });
        assert_eq!(shown(" creme ", Some("2 l")), Some(found.clone()));
        assert_eq!(shown("creme", None), Some(found));
        assert!(shown("creme", Some("3 l")).unwrap()["reason"].as_str().unwrap().contains("update_shopping_items"));
        assert_eq!(shown("cream", None), None);
    }
}
