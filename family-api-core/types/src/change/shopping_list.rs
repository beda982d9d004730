//! Changes and updates of shopping lists.

use crate::change::editable::{ValidChange, sealed};
use crate::change::fields::{bodies, change};
use crate::change::{Creator, Editable, New, Verdict, WriteContext};
use crate::id::ListId;
use crate::resource::{RecordKind, ShoppingList};
use crate::timestamp::Timestamp;
use crate::validation::rules::{BOOLEAN, EMOJI, MAX_ORDER, NAME, ORDER};

/// A valid update of a shopping list.
pub type ShoppingListUpdate = ValidChange<ShoppingListChange>;

change! {
    /// A change of a shopping list. The methods set or clear single fields. All other fields keep their values.
    ShoppingListChange => ShoppingListUpdate of ShoppingList {
        required name: String = "name", NAME,
            "The name, 1 to 200 characters after trimming. It is stored trimmed.",
        {
            /// Sets the name: 1–200 characters after trimming. It is stored trimmed.
            set name(impl Into<String>);
        }
        nullable emoji: String = "emoji", EMOJI,
            "The emoji of the list. Null removes it.",
        {
            /// Sets the emoji: 1–32 characters.
            set emoji(impl Into<String>);
            /// Removes the emoji.
            clear clear_emoji;
        }
        optional sort_order: i64 = "sortOrder", ORDER,
            "The position among the lists of the family. Default of a new list: after the last one.",
        {
            /// Sets the position among the lists of the family: 0–1,000,000.
            set sort_order(i64);
        }
        new_only is_private: bool = "isPrivate", BOOLEAN,
            "If true, only the owner sees the list. The caller is the owner. Default: false.",
        {
            /// Makes the new list private, so that only its owner sees it. Only a creation accepts it.
            flag make_private = true;
            /// Shares the new list with the whole family. Only a creation accepts it.
            flag make_shared = false;
        }
    }
    example { "name": "Groceries", "emoji": "🛒", "sortOrder": 0, "isPrivate": false }
}

/// The data that a storage reads to check a write of a shopping list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShoppingListFacts {
    /// The list, as the caller sees it, without its items.
    pub list: ShoppingList,
    /// The highest `sortOrder` of the lists that the user sees plus 1, or 0 if there are none. Only a creation needs it.
    pub end: i64,
}

impl sealed::Sealed for ShoppingList {}

impl Editable for ShoppingList {
    const KIND: RecordKind = RecordKind::ShoppingList;

    type Id = ListId;
    type Change = ShoppingListChange;
    type Update = ShoppingListUpdate;
    type Facts = ShoppingListFacts;
    type Write = Self;

    bodies!(ShoppingListChange);

    fn id(&self) -> &ListId {
        &self.id
    }

    fn blank(id: ListId, author: &Creator<'_>, now: Timestamp) -> Self {
        Self {
            id,
            name: String::new(),
            emoji: None,
            sort_order: 0,
            is_private: false,
            owner_user_id: Some(author.user.clone()),
            created_at: now,
            updated_at: now,
            items: Vec::new(),
        }
    }

    fn record(facts: &ShoppingListFacts) -> &Self {
        &facts.list
    }

    fn with_version_of(self, other: &Self) -> Self {
        Self { updated_at: other.updated_at, ..self }
    }

    fn apply(update: ShoppingListUpdate, facts: ShoppingListFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let mut list = facts.list;
        list.name = change.name.unwrap_or(list.name);
        list.emoji = change.emoji.apply_to(list.emoji);
        list.sort_order = change.sort_order.unwrap_or(list.sort_order);
        list.is_private = change.is_private.unwrap_or(list.is_private);
        list.updated_at = context.now;
        Verdict::Write(list)
    }

    /// A list without a position goes behind the others.
    fn decide_new(
        new: New<ShoppingListUpdate>,
        mut facts: ShoppingListFacts,
        context: &WriteContext<'_>,
    ) -> Verdict<Self> {
        facts.list.sort_order = facts.end.min(MAX_ORDER);
        Self::apply(new.into_fields(), facts, context)
    }
}
