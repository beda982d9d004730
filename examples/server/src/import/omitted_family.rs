//! Columns, tasks and shopping items that omit their `familyId`, as in files of earlier versions.
//!
//! Such a record belongs to the family of its parent, which must be an earlier line of the same file.

use std::collections::HashMap;

use family_api_core::id::FamilyId;
use family_api_core::storage::{LoadFault, Record};

const MEMBER: &str = "\"familyId\"";

/// The references of the kinds that may omit `familyId`.
const PARENT_MEMBERS: [&str; 3] = ["\"boardId\"", "\"columnId\"", "\"listId\""];

/// Takes the place of the omitted family until the parent is found. It is not written.
const PLACEHOLDER: &str = "{\"familyId\":\"-\",";

/// A parsed line.
pub(super) struct ParsedRecord {
    pub(super) record: Record,
    /// Whether the line omits the `familyId` that its kind needs.
    omits_family: bool,
}

impl ParsedRecord {
    /// Parses a line.
    ///
    /// # Errors
    /// [`LoadFault`] for the first invalid field.
    pub(super) fn from_json(line: &[u8]) -> Result<Self, LoadFault> {
        if let Some(record) = parse_without_family(line) {
            return Ok(Self { record, omits_family: true });
        }
        Ok(Self { record: Record::from_json(line)?, omits_family: false })
    }
}

fn parse_without_family(line: &[u8]) -> Option<Record> {
    let line = std::str::from_utf8(line).ok()?;
    if line.contains(MEMBER) || !PARENT_MEMBERS.iter().any(|member| line.contains(member)) {
        return None;
    }
    let members = line.trim_start().strip_prefix('{')?;
    let record = Record::from_json([PLACEHOLDER, members].concat().as_bytes()).ok()?;
    matches!(record, Record::Column(_) | Record::Task(_) | Record::ShoppingItem(_)).then_some(record)
}

/// The families of the boards, columns and shopping lists of a file.
#[derive(Default)]
pub(super) struct Parents {
    families: HashMap<(&'static str, String), FamilyId>,
    /// Set by the first record that names its family although it has a parent. Later ones must name it too, so the map
    /// is not needed, and a file of any length takes no memory for it.
    are_families_named: bool,
}

impl Parents {
    /// Returns the record with its family.
    ///
    /// # Errors
    /// [`LoadFault`] if the record omits its family, and its parent is unknown or an earlier record named its family.
    pub(super) fn complete(&mut self, parsed: ParsedRecord) -> Result<Record, LoadFault> {
        let ParsedRecord { mut record, omits_family } = parsed;
        let parent = match &mut record {
            Record::Column(column) => Some(("boardId", "board", column.board_id.as_str(), &mut column.family_id)),
            Record::Task(task) => Some(("columnId", "column", task.column_id.as_str(), &mut task.family_id)),
            Record::ShoppingItem(item) => Some(("listId", "shoppingList", item.list_id.as_str(), &mut item.family_id)),
            _ => None,
        };
        if let Some((field, kind, parent, family)) = parent {
            if omits_family {
                *family = self.find(field, kind, parent)?;
            } else if !self.are_families_named {
                self.are_families_named = true;
                self.families = HashMap::new();
            }
        }
        self.remember(&record);
        Ok(record)
    }

    fn find(&self, field: &str, kind: &'static str, parent: &str) -> Result<FamilyId, LoadFault> {
        if self.are_families_named {
            return Err(LoadFault::new("familyId", "is required"));
        }
        let family = self.families.get(&(kind, parent.to_owned()));
        family.cloned().ok_or_else(|| LoadFault::no_parent(field))
    }

    fn remember(&mut self, record: &Record) {
        let (id, family) = match record {
            Record::Board(board) => (board.id.as_str(), &board.family_id),
            Record::Column(column) => (column.id.as_str(), &column.family_id),
            Record::ShoppingList(list) => (list.id.as_str(), &list.family_id),
            _ => return,
        };
        if !self.are_families_named {
            self.families.insert((record.kind(), id.to_owned()), family.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = r#"{"type":"board","id":"b","familyId":"f","name":"B","description":null,"emoji":null,"color":null,"order":0,"isPrivate":false,"ownerUserId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#;
    const COLUMN: &str = r#"{"type":"column","id":"c","boardId":"b","name":"C","emoji":null,"color":null,"order":0,"createdAt":"2026-11-20T00:00:00Z"}"#;

    fn complete(parents: &mut Parents, line: &str) -> Result<Record, String> {
        let parsed = ParsedRecord::from_json(line.as_bytes()).map_err(|fault| fault.field)?;
        parents.complete(parsed).map_err(|fault| fault.field)
    }

    #[test]
    fn a_record_without_family_belongs_to_the_family_of_its_parent() {
        let mut parents = Parents::default();
        complete(&mut parents, BOARD).unwrap();
        let Record::Column(column) = complete(&mut parents, COLUMN).unwrap() else { panic!() };
        assert_eq!(column.family_id.as_str(), "f");
    }

    #[test]
    fn an_unknown_parent_is_refused_by_its_field() {
        assert_eq!(complete(&mut Parents::default(), COLUMN), Err("boardId".to_owned()));
    }

    #[test]
    fn a_file_that_names_families_must_name_all() {
        let mut parents = Parents::default();
        complete(&mut parents, BOARD).unwrap();
        complete(&mut parents, &COLUMN.replace(r#""id":"c""#, r#""id":"c","familyId":"f""#)).unwrap();
        assert_eq!(complete(&mut parents, COLUMN), Err("familyId".to_owned()));
        assert!(parents.families.is_empty());
    }

    #[test]
    fn other_faults_are_those_of_the_line() {
        let parents = &mut Parents::default();
        assert_eq!(complete(parents, &COLUMN.replace("\"order\":0", "\"order\":\"x\"")), Err("order".to_owned()));
        assert_eq!(complete(parents, &BOARD.replace(r#""familyId":"f","#, "")), Err("familyId".to_owned()));
    }
}
