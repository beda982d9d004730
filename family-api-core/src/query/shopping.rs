//! The query for shopping lists.

use std::iter;
use std::sync::Arc;

use crate::access::Member;
use crate::id::ListId;
use crate::query::{Cursor, ItemQuery, Page, PageRequest, Position, QueryBinding};
use crate::resource::{InvalidQuery, SearchText, ShoppingItem, ShoppingList};

/// Number of lists and items on a page.
const PAGE_SIZE: usize = 500;

/// Selects shopping lists and their items. The default selects every list with its open items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShoppingQuery {
    /// The only list to return.
    pub list: Option<ListId>,
    /// Whether the answer contains checked items too.
    pub include_checked: bool,
    /// Words in the name or the category of an item. The answer then contains only lists that have such an item.
    pub text: Option<SearchText>,
}

/// A shopping list, or an item of it. A list comes before its items, in the order of the HTTP reference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShoppingEntry {
    /// The list.
    pub list: Arc<FoundList>,
    /// The item. `None` is the entry of the list itself.
    pub item: Option<ShoppingItem>,
}

/// A shopping list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundList {
    /// The list, without its items: each is an entry of its own.
    pub list: ShoppingList,
    /// Number of open items on the list.
    pub open_count: usize,
    /// Number of checked items on the list.
    pub checked_count: usize,
}

impl ShoppingQuery {
    /// Selects lists and items, and takes the page after a cursor.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the list is not among the lists, or if the cursor belongs to another query. A cursor becomes
    /// invalid if a list is added, deleted or moved, because positions begin with the number of the list.
    pub(crate) fn select(
        &self,
        lists: Vec<ShoppingList>,
        member: &Member,
        cursor: Option<Cursor>,
    ) -> Result<Page<ShoppingEntry>, InvalidQuery> {
        let lists = only_list(lists, self.list.as_ref())?;
        let ids: Vec<&ListId> = lists.iter().map(|list| &list.id).collect();
        let binding = QueryBinding::new(member, &(self, ids));
        let request = PageRequest::of_size(PAGE_SIZE, cursor);
        let after = request.position(&binding)?;
        let entries = self.entries(lists);
        let page = Page::take(entries, |(position, _)| position.clone(), after.as_ref(), &request, &binding);
        Ok(page.map(|(_, entry)| entry))
    }

    /// Returns each list and its selected items with their positions: the number of the list, then the order of items.
    fn entries(&self, lists: Vec<ShoppingList>) -> Vec<(Position, ShoppingEntry)> {
        let mut entries = Vec::new();
        for (mut list, number) in lists.into_iter().zip((0_i64..).step_by(2)) {
            let items = std::mem::take(&mut list.items);
            let open_count = count_open(&items);
            let list = Arc::new(FoundList { list, open_count, checked_count: items.len() - open_count });
            let mut selected = items.into_iter().filter(|item| self.selects(item)).peekable();
            if self.text.is_some() && selected.peek().is_none() {
                continue;
            }
            let head = ShoppingEntry { list: Arc::clone(&list), item: None };
            entries.push((Position::new([number, i64::MIN], ""), head));
            for item in selected {
                let numbers = [number + i64::from(item.checked), item.created_at.as_millis()];
                let position = Position::new(numbers, &item.id);
                entries.push((position, ShoppingEntry { list: Arc::clone(&list), item: Some(item) }));
            }
        }
        entries
    }

    fn selects(&self, item: &ShoppingItem) -> bool {
        (self.include_checked || !item.checked) && has_text(item, self.text.as_ref())
    }
}

/// Selects items of the lists, in no particular order.
///
/// # Errors
/// [`InvalidQuery`] if the list is not among the lists.
pub(crate) fn select_items(query: &ItemQuery, lists: Vec<ShoppingList>) -> Result<Vec<ShoppingItem>, InvalidQuery> {
    let lists = only_list(lists, query.list.as_ref())?;
    let is_selected = |item: &ShoppingItem| query.checked.matches(item) && has_text(item, query.text.as_ref());
    Ok(lists.into_iter().flat_map(|list| list.items).filter(is_selected).collect())
}

/// Returns whether the item has the text, if there is one.
fn has_text(item: &ShoppingItem, text: Option<&SearchText>) -> bool {
    let mut texts = iter::once(&item.name).chain(&item.category).map(String::as_str);
    text.is_none_or(|text| text.is_in(&mut texts))
}

/// Returns the sort key of an item: open items first, the creation, the id.
pub(crate) fn item_position(item: &ShoppingItem) -> Position {
    Position::new([i64::from(item.checked), item.created_at.as_millis()], &item.id)
}

/// Returns all lists, or only the one with the id.
fn only_list(mut lists: Vec<ShoppingList>, only: Option<&ListId>) -> Result<Vec<ShoppingList>, InvalidQuery> {
    if let Some(list) = only {
        lists.retain(|other| other.id == *list);
        if lists.is_empty() {
            let expected = "the id of a shopping list that exists and is visible to you";
            return Err(InvalidQuery { parameter: "list", expected });
        }
    }
    Ok(lists)
}

/// Returns the number of open items.
pub(super) fn count_open(items: &[ShoppingItem]) -> usize {
    items.iter().filter(|item| !item.checked).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::CheckedFilter;
    use crate::query::testing::list;

    type Found = Result<Page<ShoppingEntry>, InvalidQuery>;

    fn select(query: &ShoppingQuery, lists: Vec<ShoppingList>, cursor: Option<Cursor>) -> Found {
        let member = Member { user: "ana".parse().unwrap(), family: "f".parse().unwrap() };
        query.select(lists, &member, cursor)
    }

    /// Returns the names of the lists and the items of a page.
    fn names(page: &Page<ShoppingEntry>) -> Vec<&str> {
        page.items
            .iter()
            .map(|entry| entry.item.as_ref().map_or(entry.list.list.name.as_str(), |item| item.name.as_str()))
            .collect()
    }

    #[test]
    fn checked_items_are_counted_and_returned_only_on_request() {
        let lists = || vec![list("food", &[("milk", false), ("salt", true)]), list("tools", &[])];
        let open = select(&ShoppingQuery::default(), lists(), None).unwrap();
        assert_eq!(names(&open), ["food", "milk", "tools"]);
        let all = select(&ShoppingQuery { include_checked: true, ..ShoppingQuery::default() }, lists(), None).unwrap();
        assert_eq!(names(&all), ["food", "milk", "salt", "tools"]);
        let food = &open.items[0].list;
        assert_eq!((food.open_count, food.checked_count, &open.next), (1, 1, &None));
    }

    #[test]
    fn items_are_selected_by_their_list_and_by_whether_they_are_checked() {
        let select = |query: &ItemQuery| {
            let lists = vec![list("food", &[("milk", false), ("salt", true)]), list("tools", &[("saw", false)])];
            let mut items = select_items(query, lists).map_err(|invalid| invalid.parameter)?;
            items.sort_by_key(item_position);
            Ok(items.into_iter().map(|item| item.name).collect::<Vec<_>>())
        };
        assert_eq!(select(&ItemQuery::default()).unwrap(), ["milk", "saw"]);
        assert_eq!(
            select(&ItemQuery { checked: CheckedFilter::All, ..ItemQuery::default() }).unwrap(),
            ["milk", "saw", "salt"]
        );
        let food = Some("food".parse().unwrap());
        assert_eq!(select(&ItemQuery { list: food, checked: CheckedFilter::Checked, text: None }).unwrap(), ["salt"]);
        let unknown = ItemQuery { list: Some("none".parse().unwrap()), ..ItemQuery::default() };
        assert_eq!(select(&unknown), Err("list"));
    }

    #[test]
    fn items_are_found_by_their_name_and_category() {
        let lists = || {
            let mut lists =
                vec![list("food", &[("Oat-milk", false), ("salt", true)]), list("tools", &[("saw", false)])];
            lists[0].items[1].category = Some("Spices and milk".to_owned());
            lists
        };
        let found = |text: &str, include_checked| {
            let query = ShoppingQuery { include_checked, text: Some(text.parse().unwrap()), list: None };
            names(&select(&query, lists(), None).unwrap()).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(found("milk", false), ["food", "Oat-milk"]);
        assert_eq!(found("MILK", true), ["food", "Oat-milk", "salt"]);
        assert_eq!(found("spices salt", true), ["food", "salt"]);
        assert_eq!(found("spices salt", false), [""; 0]);
        let items = ItemQuery { text: Some("milk oat".parse().unwrap()), ..ItemQuery::default() };
        assert_eq!(select_items(&items, lists()).unwrap().len(), 1);
    }

    #[test]
    fn one_list_can_be_selected_and_an_unknown_list_is_invalid() {
        let one = |id: &str| {
            let query = ShoppingQuery { list: Some(id.parse().unwrap()), ..ShoppingQuery::default() };
            let found = select(&query, vec![list("food", &[]), list("tools", &[])], None);
            found.map(|found| found.items.len()).map_err(|invalid| invalid.parameter)
        };
        assert_eq!(one("food"), Ok(1));
        assert_eq!(one("none"), Err("list"));
    }

    #[test]
    fn every_item_is_on_exactly_one_page() {
        let item_names: Vec<String> = (0..1_300).map(|number| format!("item-{number:04}")).collect();
        let items: Vec<(&str, bool)> = item_names.iter().map(|name| (name.as_str(), name.ends_with('7'))).collect();
        let lists = || vec![list("z-first", &items), list("empty", &[]), list("a-last", &items[..3])];
        let query = ShoppingQuery { include_checked: true, ..ShoppingQuery::default() };
        let (mut shown, mut cursor) = (Vec::new(), None);
        loop {
            let page = select(&query, lists(), cursor).unwrap();
            assert!(page.items.len() <= PAGE_SIZE);
            shown.extend(names(&page).into_iter().map(str::to_owned));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        let (checked, open): (Vec<_>, Vec<_>) = item_names.into_iter().partition(|name| name.ends_with('7'));
        let last = ["empty", "a-last", "item-0000", "item-0001", "item-0002"].map(str::to_owned);
        let expected: Vec<String> = ["z-first".to_owned()].into_iter().chain(open).chain(checked).chain(last).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_cursor_is_invalid_if_the_lists_changed() {
        let many = vec![("x", false); PAGE_SIZE];
        let query = ShoppingQuery::default();
        let next = select(&query, vec![list("a", &many), list("b", &[])], None).unwrap().next;
        assert!(select(&query, vec![list("a", &[]), list("b", &[])], next.clone()).is_ok());
        for lists in [vec![list("b", &[]), list("a", &many)], vec![list("b", &[])]] {
            assert_eq!(select(&query, lists, next.clone()).map(|_| ()).unwrap_err().parameter, "cursor");
        }
    }
}
