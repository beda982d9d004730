//! Changes and updates of categories of notes.

use crate::change::editable::{ValidChange, sealed};
use crate::change::fields::{bodies, change};
use crate::change::{Creator, Editable, Verdict, WriteContext};
use crate::id::CategoryId;
use crate::resource::{NoteCategory, RecordKind};
use crate::timestamp::Timestamp;
use crate::validation::rules::{COLOR, EMOJI, NAME};

/// A valid update of a category of notes.
pub type NoteCategoryUpdate = ValidChange<NoteCategoryChange>;

change! {
    /// A change of a category of notes. The methods set or clear single fields. All other fields keep their values.
    NoteCategoryChange => NoteCategoryUpdate of NoteCategory {
        required name: String = "name", NAME,
            "The name, 1 to 200 characters after trimming. It is stored trimmed.",
        {
            /// Sets the name: 1–200 characters after trimming. It is stored trimmed.
            set name(impl Into<String>);
        }
        nullable emoji: String = "emoji", EMOJI,
            "The emoji of the category. Null removes it.",
        {
            /// Sets the emoji: 1–32 characters.
            set emoji(impl Into<String>);
            /// Removes the emoji.
            clear clear_emoji;
        }
        nullable color: String = "color", COLOR,
            "The colour of the category, as `#rrggbb`. Null removes it.",
        {
            /// Sets the colour: `#rrggbb`.
            set color(impl Into<String>);
            /// Removes the colour.
            clear clear_color;
        }
    }
    example { "name": "Recipes", "emoji": "🍲", "color": "#cc6633" }
}

/// The data that a storage reads to check a write of a category of notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteCategoryFacts {
    /// The category.
    pub category: NoteCategory,
}

impl sealed::Sealed for NoteCategory {}

impl Editable for NoteCategory {
    const KIND: RecordKind = RecordKind::NoteCategory;

    type Id = CategoryId;
    type Change = NoteCategoryChange;
    type Update = NoteCategoryUpdate;
    type Facts = NoteCategoryFacts;
    type Write = Self;

    bodies!(NoteCategoryChange);

    fn id(&self) -> &CategoryId {
        &self.id
    }

    fn blank(id: CategoryId, _: &Creator<'_>, _: Timestamp) -> Self {
        Self { id, name: String::new(), emoji: None, color: None, parent_id: None }
    }

    fn record(facts: &NoteCategoryFacts) -> &Self {
        &facts.category
    }

    fn with_version_of(self, _: &Self) -> Self {
        self
    }

    fn apply(update: NoteCategoryUpdate, facts: NoteCategoryFacts, _: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let mut category = facts.category;
        category.name = change.name.unwrap_or(category.name);
        category.emoji = change.emoji.apply_to(category.emoji);
        category.color = change.color.apply_to(category.color);
        Verdict::Write(category)
    }
}
