//! The effect of a write on a board, a column, a list or a category (HTTP reference, "Boards, lists and categories").

use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::resource::RecordKind;
use family_api_core::storage::{BoardRecord, CategoryRecord, ColumnRecord, Member, Record, ShoppingListRecord};

use super::rows::set_nullable;
use super::tasks::text;
use super::{Model, can_see, can_see_board};
use crate::step::Body;

impl Model {
    /// Returns a record without content, after all others. Returns `None` if the member does not see the board of a new
    /// column.
    pub(super) fn blank_container(
        &self,
        member: &Member,
        kind: RecordKind,
        id: &str,
        board: Option<&str>,
        now: Timestamp,
    ) -> Option<Record> {
        let family_id = member.family.clone();
        Some(match kind {
            RecordKind::Board => Record::Board(BoardRecord {
                id: id.parse().unwrap(),
                name: String::new(),
                description: None,
                emoji: None,
                color: None,
                order: end(self.boards.iter().filter(|other| can_see_board(member, other)).map(|other| other.order)),
                is_private: false,
                owner_user_id: Some(member.user.clone()),
                created_at: now,
                updated_at: now,
                family_id,
            }),
            RecordKind::Column => {
                let board = self.visible_board(member, board?)?;
                let inside = |other: &&ColumnRecord| other.family_id == family_id && other.board_id == board;
                Record::Column(ColumnRecord {
                    id: id.parse().unwrap(),
                    name: String::new(),
                    emoji: None,
                    color: None,
                    order: end(self.columns.iter().filter(inside).map(|other| other.order)),
                    created_at: now,
                    board_id: board.clone(),
                    family_id: family_id.clone(),
                })
            }
            RecordKind::ShoppingList => Record::ShoppingList(ShoppingListRecord {
                id: id.parse().unwrap(),
                name: String::new(),
                emoji: None,
                sort_order: {
                    let is_seen = |other: &&ShoppingListRecord| {
                        other.family_id == family_id && can_see(member, other.is_private, other.owner_user_id.as_ref())
                    };
                    end(self.lists.iter().filter(is_seen).map(|other| other.sort_order))
                },
                is_private: false,
                owner_user_id: Some(member.user.clone()),
                created_at: now,
                updated_at: now,
                family_id,
            }),
            RecordKind::NoteCategory => Record::NoteCategory(CategoryRecord {
                id: id.parse().unwrap(),
                name: String::new(),
                emoji: None,
                color: None,
                parent_id: None,
                family_id,
            }),
            other => panic!("a {other:?} contains no records"),
        })
    }

    /// Returns whether the record contains others, also those that no member sees.
    pub(super) fn is_filled(&self, record: &Record) -> bool {
        match record {
            Record::Board(board) => {
                let is_inside =
                    |other: &ColumnRecord| (&other.family_id, &other.board_id) == (&board.family_id, &board.id);
                self.columns.iter().any(is_inside)
            }
            Record::Column(column) => {
                self.tasks.iter().any(|task| (&task.family_id, &task.column_id) == (&column.family_id, &column.id))
            }
            Record::ShoppingList(list) => {
                self.items.iter().any(|item| (&item.family_id, &item.list_id) == (&list.family_id, &list.id))
            }
            Record::NoteCategory(category) => {
                let id = Some(&category.id);
                let is_in_family = |family: &FamilyId| *family == category.family_id;
                self.notes.iter().any(|note| is_in_family(&note.family_id) && note.category_id.as_ref() == id)
                    || self
                        .categories
                        .iter()
                        .any(|other| is_in_family(&other.family_id) && other.parent_id.as_ref() == id)
            }
            _ => false,
        }
    }
}

/// Sets the fields of a body.
pub(super) fn changed_container(record: Record, body: &Body, now: Timestamp) -> Record {
    let set_name = |name: &mut String| {
        if let Some(value) = body.get("name") {
            text(value).trim().clone_into(name);
        }
    };
    let order = |name: &str, current: i64| body[name].as_i64().unwrap_or(current);
    let is_private = |current: bool| body["isPrivate"].as_bool().unwrap_or(current);
    match record {
        Record::Board(mut board) => {
            set_name(&mut board.name);
            set_nullable(&mut board.description, body, "description");
            set_nullable(&mut board.emoji, body, "emoji");
            set_nullable(&mut board.color, body, "color");
            board.order = order("order", board.order);
            board.is_private = is_private(board.is_private);
            Record::Board(BoardRecord { updated_at: now, ..board })
        }
        Record::Column(mut column) => {
            set_name(&mut column.name);
            set_nullable(&mut column.emoji, body, "emoji");
            set_nullable(&mut column.color, body, "color");
            column.order = order("order", column.order);
            Record::Column(column)
        }
        Record::ShoppingList(mut list) => {
            set_name(&mut list.name);
            set_nullable(&mut list.emoji, body, "emoji");
            list.sort_order = order("sortOrder", list.sort_order);
            list.is_private = is_private(list.is_private);
            Record::ShoppingList(ShoppingListRecord { updated_at: now, ..list })
        }
        Record::NoteCategory(mut category) => {
            set_name(&mut category.name);
            set_nullable(&mut category.emoji, body, "emoji");
            set_nullable(&mut category.color, body, "color");
            Record::NoteCategory(category)
        }
        other => panic!("{other:?} contains no records"),
    }
}

/// Returns 1 more than the highest order but at most 1,000,000, or 0 if there is none.
fn end(orders: impl Iterator<Item = i64>) -> i64 {
    orders.map(|order| order + 1).max().unwrap_or(0).min(1_000_000)
}
