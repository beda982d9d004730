//! The query for shopping lists.

use crate::id::ListId;
use crate::resource::{InvalidQuery, ShoppingItem, ShoppingList};

/// Maximum number of items in an answer, over all lists.
const MAX_ITEMS: usize = 500;

/// Selects shopping lists and their items. The default selects every list with its open items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShoppingQuery {
    /// The only list to return.
    pub list: Option<ListId>,
    /// Whether the answer contains checked items too.
    pub include_checked: bool,
}

/// Shopping lists, in the order of the HTTP reference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundShopping {
    /// The lists.
    pub lists: Vec<FoundList>,
    /// Whether items were left out, because there are more than 500.
    pub is_cut: bool,
}

/// A shopping list with the selected items.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundList {
    /// The list. Its items are those that the query selects.
    pub list: ShoppingList,
    /// Number of open items on the list, including items that were left out.
    pub open_count: usize,
    /// Number of checked items on the list, including items that were left out.
    pub checked_count: usize,
}

impl ShoppingQuery {
    /// Selects lists and items.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the list is not among the lists.
    pub(crate) fn select(&self, lists: Vec<ShoppingList>) -> Result<FoundShopping, InvalidQuery> {
        let mut lists = lists;
        if let Some(list) = &self.list {
            lists.retain(|other| other.id == *list);
            if lists.is_empty() {
                let expected = "the id of a shopping list that exists and is visible to you";
                return Err(InvalidQuery { parameter: "list_id", expected });
            }
        }
        let mut found = FoundShopping { lists: Vec::new(), is_cut: false };
        let mut space = MAX_ITEMS;
        for mut list in lists {
            let open_count = count_open(&list.items);
            let checked_count = list.items.len() - open_count;
            list.items.retain(|item| self.include_checked || !item.checked);
            found.is_cut |= list.items.len() > space;
            list.items.truncate(space);
            space -= list.items.len();
            found.lists.push(FoundList { list, open_count, checked_count });
        }
        Ok(found)
    }
}

/// Returns the number of open items.
pub(super) fn count_open(items: &[ShoppingItem]) -> usize {
    items.iter().filter(|item| !item.checked).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::list;

    #[test]
    fn checked_items_are_counted_and_returned_only_on_request() {
        let lists = || vec![list("food", &[("milk", false), ("salt", true)]), list("tools", &[])];
        let names = |query: &ShoppingQuery| -> Vec<Vec<String>> {
            let lists = query.select(lists()).unwrap().lists;
            lists.into_iter().map(|list| list.list.items.into_iter().map(|item| item.name).collect()).collect()
        };
        assert_eq!(names(&ShoppingQuery::default()), [vec!["milk"], vec![]]);
        assert_eq!(names(&ShoppingQuery { include_checked: true, list: None }), [vec!["milk", "salt"], vec![]]);
        let found = ShoppingQuery::default().select(lists()).unwrap();
        assert_eq!((found.lists[0].open_count, found.lists[0].checked_count, found.is_cut), (1, 1, false));
    }

    #[test]
    fn one_list_can_be_selected_and_an_unknown_list_is_invalid() {
        let select = |id: &str| {
            let query = ShoppingQuery { list: Some(id.parse().unwrap()), include_checked: false };
            let found = query.select(vec![list("food", &[]), list("tools", &[])]);
            found.map(|found| found.lists.len()).map_err(|invalid| invalid.parameter)
        };
        assert_eq!(select("food"), Ok(1));
        assert_eq!(select("none"), Err("list_id"));
    }

    #[test]
    fn items_beyond_the_maximum_are_left_out_and_counted() {
        let many = vec![("x", false); MAX_ITEMS - 1];
        let found = ShoppingQuery::default().select(vec![list("a", &many), list("b", &[("y", false); 3])]).unwrap();
        assert!(found.is_cut);
        assert_eq!((found.lists[1].list.items.len(), found.lists[1].open_count), (1, 3));
        let exact = ShoppingQuery::default().select(vec![list("a", &many), list("b", &[("y", false)])]).unwrap();
        assert!(!exact.is_cut);
    }
}
