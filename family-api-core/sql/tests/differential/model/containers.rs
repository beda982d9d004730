//! New records before the fields of their body, and the records that contain others (HTTP reference, "Boards, lists and
//! categories").

use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::resource::RecordKind;
use family_api_core::storage::{ColumnRecord, Member, Record, ShoppingListRecord};
use family_api_testing::with;
use serde_json::{Value, json};

use super::{Model, can_see, can_see_board};
use crate::generate::record::record_of;

impl Model {
    /// Returns a record without the fields of its body, after all others. Returns `None` if the member does not see the
    /// list of a new item, or the board of a new column.
    pub(super) fn blank(
        &self,
        member: &Member,
        kind: RecordKind,
        id: &str,
        container: Option<&str>,
        now: Timestamp,
    ) -> Option<Record> {
        let Member { user, family } = member;
        let fields = match kind {
            RecordKind::Task => json!({ "type": "task", "columnId": "none", "title": "", "priority": "MEDIUM",
                "order": 0, "labels": [], "isPrivate": false, "creatorId": user, "updatedAt": now }),
            RecordKind::Note => json!({ "type": "note", "title": "", "content": "", "pinned": false, "tags": [],
                "authorId": user, "updatedAt": now }),
            RecordKind::Event => json!({ "type": "event", "title": "", "startDate": now, "endDate": now,
                "allDay": false, "updatedAt": now }),
            RecordKind::ShoppingItem => {
                json!({ "type": "shoppingItem", "listId": self.visible_list(member, container?)?,
                "name": "", "checked": false, "isPrivate": false, "addedById": user })
            }
            RecordKind::Board => {
                let seen = self.boards.iter().filter(|other| can_see_board(member, other));
                json!({ "type": "board", "name": "", "order": end(seen.map(|other| other.order)), "isPrivate": false,
                    "ownerUserId": user, "updatedAt": now })
            }
            RecordKind::Column => {
                let board = self.visible_board(member, container?)?;
                let is_inside = |other: &&ColumnRecord| other.family_id == *family && other.board_id == board;
                let orders = self.columns.iter().filter(is_inside).map(|other| other.order);
                json!({ "type": "column", "boardId": board, "name": "", "order": end(orders) })
            }
            RecordKind::ShoppingList => {
                let is_seen = |other: &&ShoppingListRecord| {
                    other.family_id == *family && can_see(member, other.is_private, other.owner_user_id.as_ref())
                };
                let orders = self.lists.iter().filter(is_seen).map(|other| other.sort_order);
                json!({ "type": "shoppingList", "name": "", "sortOrder": end(orders), "isPrivate": false,
                    "ownerUserId": user, "updatedAt": now })
            }
            RecordKind::NoteCategory => {
                return Some(record_of(json!({ "type": "noteCategory", "id": id, "familyId": family, "name": "" })));
            }
        };
        Some(record_of(with(fields, json!({ "id": id, "familyId": family, "createdAt": now }))))
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

/// Returns the record with the fields of a body. Names are trimmed, and also titles, except those of notes.
pub(super) fn with_fields(record: &Record, body: &Value, now: Timestamp) -> Record {
    let mut line = json!(record);
    for (name, value) in body.as_object().unwrap() {
        let is_trimmed = name == "name" || (name == "title" && !matches!(record, Record::Note(_)));
        line[name] = if is_trimmed { json!(value.as_str().unwrap().trim()) } else { value.clone() };
    }
    if let Some(updated_at) = line.get_mut("updatedAt") {
        *updated_at = json!(now);
    }
    with_sequence(&record_of(line), next)
}

/// Returns whether two records differ at most in the time and the number of their changes.
pub(super) fn has_values_of(record: &Record, other: &Record) -> bool {
    let values = |record| {
        let mut line = json!(record);
        line.as_object_mut().unwrap().retain(|name, _| !["updatedAt", "sequence"].contains(&name.as_str()));
        line
    };
    values(record) == values(other)
}

/// Returns the record with another `sequence`, if it has one.
pub(super) fn with_sequence(record: &Record, change: impl FnOnce(u32) -> u32) -> Record {
    let mut line = json!(record);
    if let Some(sequence) = line.get_mut("sequence") {
        *sequence = json!(change(serde_json::from_value(sequence.take()).unwrap()));
    }
    record_of(line)
}

/// Returns the `sequence` after a change.
pub(super) fn next(sequence: u32) -> u32 {
    (sequence + 1).min(2_147_483_647)
}

/// Returns 1 more than the highest order but at most 1,000,000, or 0 if there is none.
fn end(orders: impl Iterator<Item = i64>) -> i64 {
    orders.map(|order| order + 1).max().unwrap_or(0).min(1_000_000)
}
