//! Changes and updates of columns of boards.

use crate::change::editable::{ValidChange, sealed};
use crate::change::fields::{bodies, change};
use crate::change::{Creator, Editable, New, Verdict, WriteContext};
use crate::id::{BoardId, ColumnId, Unassigned};
use crate::resource::{Column, RecordKind};
use crate::timestamp::Timestamp;
use crate::validation::Reference;
use crate::validation::rules::{COLOR, EMOJI, MAX_ORDER, NAME, ORDER, reference};

/// A valid update of a column.
pub type ColumnUpdate = ValidChange<ColumnChange>;

change! {
    /// A change of a column. The methods set or clear single fields. All other fields keep their values.
    ColumnChange => ColumnUpdate of Column in board: BoardId {
        required name: String = "name", NAME,
            "The name, 1 to 200 characters after trimming. It is stored trimmed.",
        {
            /// Sets the name: 1–200 characters after trimming. It is stored trimmed.
            set name(impl Into<String>);
        }
        nullable emoji: String = "emoji", EMOJI,
            "The emoji of the column. Null removes it.",
        {
            /// Sets the emoji: 1–32 characters.
            set emoji(impl Into<String>);
            /// Removes the emoji.
            clear clear_emoji;
        }
        nullable color: String = "color", COLOR,
            "The colour of the column, as `#rrggbb`. Null removes it.",
        {
            /// Sets the colour: `#rrggbb`.
            set color(impl Into<String>);
            /// Removes the colour.
            clear clear_color;
        }
        optional order: i64 = "order", ORDER,
            "The position on the board. Default of a new column: after the last one.",
        {
            /// Sets the position on the board: 0–1,000,000.
            set order(i64);
        }
        path_only board: Reference<BoardId> = "boardId", reference(),
            "The board of the new column.",
        {}
    }
    example { "name": "To do", "emoji": "📋", "color": "#3366cc", "order": 0 }
}

impl ColumnUpdate {
    /// Returns the board of a new column. The caller must see it.
    #[must_use]
    pub fn named_board(&self) -> Option<&BoardId> {
        self.0.board.as_ref()?.id()
    }
}

/// The data that a storage reads to check a write of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnFacts {
    /// The column, as the caller sees it, without its tasks.
    pub column: Column,
    /// The board with the id [`ColumnUpdate::named_board`], if the caller sees it.
    pub board: Option<BoardId>,
    /// The highest `order` of the board's columns plus 1, or 0 if there are none. Only a creation needs it.
    pub end: i64,
}

impl sealed::Sealed for Column {}

impl Editable for Column {
    const KIND: RecordKind = RecordKind::Column;

    type Id = ColumnId;
    type Change = ColumnChange;
    type Update = ColumnUpdate;
    type Facts = ColumnFacts;
    type Write = Self;

    bodies!(ColumnChange);

    fn id(&self) -> &ColumnId {
        &self.id
    }

    fn blank(id: ColumnId, _: &Creator<'_>, now: Timestamp) -> Self {
        Self {
            id,
            board_id: BoardId::UNASSIGNED,
            name: String::new(),
            emoji: None,
            color: None,
            order: 0,
            created_at: now,
            tasks: Vec::new(),
        }
    }

    fn record(facts: &ColumnFacts) -> &Self {
        &facts.column
    }

    fn with_version_of(self, _: &Self) -> Self {
        self
    }

    fn apply(update: ColumnUpdate, facts: ColumnFacts, _: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let ColumnFacts { mut column, board, .. } = facts;
        match (change.board, board) {
            (None, _) => {}
            (Some(_), None) => return Verdict::NotFound,
            (Some(_), Some(board)) => column.board_id = board,
        }
        column.name = change.name.unwrap_or(column.name);
        column.emoji = change.emoji.apply_to(column.emoji);
        column.color = change.color.apply_to(column.color);
        column.order = change.order.unwrap_or(column.order);
        Verdict::Write(column)
    }

    /// A column without a position goes behind the others.
    fn decide_new(new: New<ColumnUpdate>, mut facts: ColumnFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        facts.column.order = facts.end.min(MAX_ORDER);
        Self::apply(new.into_fields(), facts, context)
    }
}
