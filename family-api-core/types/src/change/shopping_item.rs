//! Changes and updates of items of shopping lists.

use crate::change::editable::{ValidChange, sealed};
use crate::change::fields::{bodies, change};
use crate::change::{Creator, Editable, New, Verdict, WriteContext};
use crate::id::{ItemId, ListId, Unassigned};
use crate::resource::{RecordKind, ShoppingItem, sees};
use crate::timestamp::Timestamp;
use crate::validation::Reference;
use crate::validation::rules::{BOOLEAN, TITLE, TextRule, reference};

const SHORT_TEXT: TextRule =
    TextRule { length: 0..=100, expected: "expected a string of at most 100 characters or null" };

/// A valid update of a shopping item.
pub type ShoppingItemUpdate = ValidChange<ShoppingItemChange>;

change! {
    /// A change of a shopping item. The methods set or clear single fields. All other fields keep their values.
    ShoppingItemChange => ShoppingItemUpdate of ShoppingItem in list: ListId {
        required name: String = "name", TITLE,
            "What to buy, 1 to 500 characters after trimming. It is stored trimmed.",
        {
            /// Sets what to buy: 1–500 characters after trimming. It is stored trimmed.
            set name(impl Into<String>);
        }
        nullable quantity: String = "quantity", SHORT_TEXT,
            "The amount, as free text. Null removes it.",
        {
            /// Sets the amount, as free text: at most 100 characters.
            set quantity(impl Into<String>);
            /// Removes the amount.
            clear clear_quantity;
        }
        nullable category: String = "category", SHORT_TEXT,
            "The category, as free text. Null removes it.",
        {
            /// Sets the category, as free text: at most 100 characters.
            set category(impl Into<String>);
            /// Removes the category.
            clear clear_category;
        }
        optional checked: bool = "checked", BOOLEAN,
            "Whether the item is checked off.",
        {
            /// Checks the item off.
            flag check = true;
            /// Marks the item as still to buy.
            flag uncheck = false;
        }
        update_only list: Reference<ListId> = "listId", reference(),
            "Moves the item to another list that is visible to the caller.",
        {
            /// Moves the item to another list. A creation does not accept it, because the list is in the path.
            set list(&ListId);
        }
    }
    example { "name": "Milk", "quantity": "2 l", "category": "Dairy", "checked": false }
}

impl New<ShoppingItemUpdate> {
    /// Puts a new item into a list.
    #[must_use]
    pub fn in_list(mut self, list: Reference<ListId>) -> Self {
        self.0.0.list = Some(list);
        self
    }
}

impl ShoppingItemUpdate {
    /// Checks an item off, or marks it as still to buy.
    #[must_use]
    pub fn checked(checked: bool) -> Self {
        Self(ShoppingItemChange { checked: Some(checked), ..ShoppingItemChange::new() })
    }

    /// Returns the list that the caller must see for the update. For a new item, it is the list in the path.
    #[must_use]
    pub fn named_list(&self) -> Option<&ListId> {
        self.0.list.as_ref()?.id()
    }
}

/// The data that a storage reads to check a write of a shopping item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShoppingItemFacts {
    /// The item, as the caller sees it.
    pub item: ShoppingItem,
    /// The list with the id [`ShoppingItemUpdate::named_list`], if the caller sees it. For a restoration, the list of the
    /// item, if the caller sees it.
    pub list: Option<ListId>,
}

impl sealed::Sealed for ShoppingItem {}

impl Editable for ShoppingItem {
    const KIND: RecordKind = RecordKind::ShoppingItem;

    type Id = ItemId;
    type Change = ShoppingItemChange;
    type Update = ShoppingItemUpdate;
    type Facts = ShoppingItemFacts;
    type Write = Self;

    bodies!(ShoppingItemChange);

    fn id(&self) -> &ItemId {
        &self.id
    }

    fn blank(id: ItemId, author: &Creator<'_>, now: Timestamp) -> Self {
        Self {
            list_id: ListId::UNASSIGNED,
            added_by_id: Some(author.user.clone()),
            added_by: author.person.cloned(),
            ..Self::new(id, "", now)
        }
    }

    fn record(facts: &ShoppingItemFacts) -> &Self {
        &facts.item
    }

    fn with_version_of(self, _: &Self) -> Self {
        self
    }

    fn apply(update: ShoppingItemUpdate, facts: ShoppingItemFacts, _: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let ShoppingItemFacts { mut item, list } = facts;
        match (change.list, list) {
            (None, _) => {}
            (Some(_), None) => return Verdict::NotFound,
            (Some(_), Some(list)) => item.list_id = list,
        }
        item.name = change.name.unwrap_or(item.name);
        item.quantity = change.quantity.apply_to(item.quantity);
        item.category = change.category.apply_to(item.category);
        item.checked = change.checked.unwrap_or(item.checked);
        Verdict::Write(item)
    }

    fn decide_restore(facts: ShoppingItemFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let ShoppingItemFacts { item, list } = facts;
        let is_visible = sees(context.user, item.is_private, item.added_by_id.as_ref());
        if list.is_none() || !is_visible {
            return Verdict::NotFound;
        }
        Verdict::Write(item)
    }
}
