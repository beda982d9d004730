//! Changes and updates of boards.

use crate::change::editable::{ValidChange, sealed};
use crate::change::fields::{bodies, change};
use crate::change::{Creator, Editable, New, Verdict, WriteContext};
use crate::id::BoardId;
use crate::resource::{Board, RecordKind};
use crate::timestamp::Timestamp;
use crate::validation::rules::{BOOLEAN, COLOR, DESCRIPTION, EMOJI, MAX_ORDER, NAME, ORDER};

/// A valid update of a board.
pub type BoardUpdate = ValidChange<BoardChange>;

change! {
    /// A change of a board. The methods set or clear single fields. All other fields keep their values.
    BoardChange => BoardUpdate of Board {
        required name: String = "name", NAME,
            "The name, 1 to 200 characters after trimming. It is stored trimmed.",
        {
            /// Sets the name: 1–200 characters after trimming. It is stored trimmed.
            set name(impl Into<String>);
        }
        nullable description: String = "description", DESCRIPTION,
            "The text below the name. Null removes it.",
        {
            /// Sets the description: at most 20,000 characters.
            set description(impl Into<String>);
            /// Removes the description.
            clear clear_description;
        }
        nullable emoji: String = "emoji", EMOJI,
            "The emoji of the board. Null removes it.",
        {
            /// Sets the emoji: 1–32 characters.
            set emoji(impl Into<String>);
            /// Removes the emoji.
            clear clear_emoji;
        }
        nullable color: String = "color", COLOR,
            "The colour of the board, as `#rrggbb`. Null removes it.",
        {
            /// Sets the colour: `#rrggbb`.
            set color(impl Into<String>);
            /// Removes the colour.
            clear clear_color;
        }
        optional order: i64 = "order", ORDER,
            "The position among the boards of the family. Default of a new board: after the last one.",
        {
            /// Sets the position among the boards of the family: 0–1,000,000.
            set order(i64);
        }
        new_only is_private: bool = "isPrivate", BOOLEAN,
            "If true, only the owner sees the board. The caller is the owner. Default: false.",
        {
            /// Makes the new board private, so that only its owner sees it. Only a creation accepts it.
            flag make_private = true;
            /// Shares the new board with the whole family. Only a creation accepts it.
            flag make_shared = false;
        }
    }
    example {
        "name": "Home",
        "description": "Everything about the house.",
        "emoji": "🏠",
        "color": "#3366cc",
        "order": 0,
        "isPrivate": false,
    }
}

/// The data that a storage reads to check a write of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardFacts {
    /// The board, as the caller sees it, without its columns.
    pub board: Board,
    /// The highest `order` of the boards that the user sees plus 1, or 0 if there are none. Only a creation needs it.
    pub end: i64,
}

impl sealed::Sealed for Board {}

impl Editable for Board {
    const KIND: RecordKind = RecordKind::Board;

    type Id = BoardId;
    type Change = BoardChange;
    type Update = BoardUpdate;
    type Facts = BoardFacts;
    type Write = Self;

    bodies!(BoardChange);

    fn id(&self) -> &BoardId {
        &self.id
    }

    fn blank(id: BoardId, author: &Creator<'_>, now: Timestamp) -> Self {
        Self {
            id,
            name: String::new(),
            description: None,
            emoji: None,
            color: None,
            order: 0,
            is_private: false,
            owner_user_id: Some(author.user.clone()),
            created_at: now,
            updated_at: now,
            columns: Vec::new(),
        }
    }

    fn record(facts: &BoardFacts) -> &Self {
        &facts.board
    }

    fn with_version_of(self, other: &Self) -> Self {
        Self { updated_at: other.updated_at, ..self }
    }

    fn apply(update: BoardUpdate, facts: BoardFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let mut board = facts.board;
        board.name = change.name.unwrap_or(board.name);
        board.description = change.description.apply_to(board.description);
        board.emoji = change.emoji.apply_to(board.emoji);
        board.color = change.color.apply_to(board.color);
        board.order = change.order.unwrap_or(board.order);
        board.is_private = change.is_private.unwrap_or(board.is_private);
        board.updated_at = context.now;
        Verdict::Write(board)
    }

    /// A board without a position goes behind the others.
    fn decide_new(new: New<BoardUpdate>, mut facts: BoardFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        facts.board.order = facts.end.min(MAX_ORDER);
        Self::apply(new.into_fields(), facts, context)
    }
}
