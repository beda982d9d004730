//! The records that a load accepts and refuses (HTTP reference, "Import format").

use family_api_core::id::{CategoryId, FamilyId, UserId};
use family_api_core::storage::{LoadFault, Record};

use super::{Model, key_of};
use crate::step_result::StepResult;

/// Whether one of the records with this id is in the family of the new record.
macro_rules! is_in_family {
    ($records:expr, $id:expr, $new:ident) => {
        $records.iter().any(|other| other.id == $id && other.family_id == $new.family_id)
    };
}

impl Model {
    /// Loads all records, or none if one is invalid.
    pub(super) fn load(&mut self, records: &[Record]) -> StepResult {
        let mut loaded = self.clone();
        for (number, record) in (1..).zip(records) {
            if !loaded.insert_if_valid(record) {
                return StepResult::Load(Some((number, loaded.faults(record))));
            }
        }
        loaded.set_zones();
        *self = loaded;
        self.writes += 1;
        StepResult::Load(None)
    }

    /// Sets the zone of each event without one to that of its family's first member.
    pub(crate) fn set_zones(&mut self) {
        for event in self.events.iter_mut().filter(|event| event.time_zone.is_none()) {
            let members = self.users.iter().filter(|user| user.family_id.as_ref() == Some(&event.family_id));
            let first = members.min_by_key(|user| (user.created_at, user.id.clone()));
            event.time_zone = Some(first.map_or("UTC", |user| user.time_zone.as_str()).parse().unwrap());
        }
    }

    /// Inserts a record if it is valid. Returns whether the record is valid.
    pub(crate) fn insert_if_valid(&mut self, record: &Record) -> bool {
        let is_valid = self.faults(record).is_empty();
        if is_valid {
            self.insert(record.clone());
        }
        is_valid
    }

    /// Returns all faults of a record. A storage reports only one of these faults.
    fn faults(&self, record: &Record) -> Vec<LoadFault> {
        let fault_if = |is_fault: bool, fault: LoadFault| is_fault.then_some(fault);
        let exists = |is_taken: bool| fault_if(is_taken, LoadFault::exists("id"));
        let family = |id: &FamilyId| {
            fault_if(!self.families.iter().any(|family| family.id == *id), LoadFault::no_parent("familyId"))
        };
        let owner = |id: &Option<UserId>| {
            fault_if(id.as_ref().is_some_and(|id| self.user(id).is_none()), LoadFault::no_parent("ownerUserId"))
        };
        let category = |id: &Option<CategoryId>, of: &FamilyId, field| {
            let is_in_family =
                |id: &CategoryId| self.categories.iter().any(|other| other.id == *id && other.family_id == *of);
            fault_if(!id.as_ref().is_none_or(is_in_family), LoadFault::no_parent(field))
        };
        let faults = match record {
            Record::Family(new) => [exists(self.families.iter().any(|other| other.id == new.id)), None, None],
            Record::User(new) => [
                exists(self.user(&new.id).is_some()),
                fault_if(
                    self.users.iter().any(|other| other.email.eq_ignore_ascii_case(&new.email)),
                    LoadFault::exists("email"),
                ),
                new.family_id.as_ref().and_then(family),
            ],
            Record::Key(new) => [
                exists(self.keys.iter().any(|other| other.id == new.id)),
                fault_if(self.keys.iter().any(|other| other.digest == new.digest), LoadFault::exists("tokenHash")),
                fault_if(self.user(&new.user_id).is_none(), LoadFault::no_parent("userId")),
            ],
            Record::CalendarFeed(_) => panic!("the steps load no calendar feeds"),
            Record::NoteCategory(new) => [
                exists(is_in_family!(self.categories, new.id, new)),
                family(&new.family_id),
                category(&new.parent_id, &new.family_id, "parentId")
                    .or(fault_if(new.parent_id.as_ref() == Some(&new.id), LoadFault::no_parent("parentId"))),
            ],
            Record::Board(new) => {
                [exists(is_in_family!(self.boards, new.id, new)), family(&new.family_id), owner(&new.owner_user_id)]
            }
            Record::Column(new) => [
                exists(is_in_family!(self.columns, new.id, new)),
                family(&new.family_id),
                fault_if(self.board(&new.board_id, &new.family_id).is_none(), LoadFault::no_parent("boardId")),
            ],
            Record::Task(new) => [
                exists(is_in_family!(self.tasks, new.id, new)),
                family(&new.family_id),
                fault_if(!is_in_family!(self.columns, new.column_id, new), LoadFault::no_parent("columnId")),
            ],
            Record::Event(new) => [exists(is_in_family!(self.events, new.id, new)), family(&new.family_id), None],
            Record::ShoppingList(new) => {
                [exists(is_in_family!(self.lists, new.id, new)), family(&new.family_id), owner(&new.owner_user_id)]
            }
            Record::ShoppingItem(new) => [
                exists(is_in_family!(self.items, new.id, new)),
                family(&new.family_id),
                fault_if(!is_in_family!(self.lists, new.list_id, new), LoadFault::no_parent("listId")),
            ],
            Record::Note(new) => [
                exists(is_in_family!(self.notes, new.id, new)),
                family(&new.family_id),
                category(&new.category_id, &new.family_id, "categoryId"),
            ],
        };
        let taken = self.is_deleted(record).then(|| LoadFault::exists("id"));
        faults.into_iter().chain([taken]).flatten().collect()
    }

    /// Returns whether a deleted record of the family has the kind and the id of a record.
    fn is_deleted(&self, record: &Record) -> bool {
        let is_restorable =
            matches!(record, Record::Task(_) | Record::Note(_) | Record::Event(_) | Record::ShoppingItem(_));
        is_restorable && self.deleted.iter().any(|deleted| key_of(deleted) == key_of(record))
    }

    pub(super) fn insert(&mut self, record: Record) {
        match record {
            Record::Family(family) => self.families.push(family),
            Record::User(mut user) => {
                user.email.make_ascii_lowercase();
                self.users.push(user);
            }
            Record::Key(key) => self.keys.push(key),
            Record::CalendarFeed(_) => panic!("the steps load no calendar feeds"),
            Record::NoteCategory(category) => self.categories.push(category),
            Record::Board(board) => self.boards.push(board),
            Record::Column(column) => self.columns.push(column),
            Record::Task(task) => self.tasks.push(task),
            Record::Event(event) => self.events.push(event),
            Record::ShoppingList(list) => self.lists.push(list),
            Record::ShoppingItem(item) => self.items.push(item),
            Record::Note(note) => self.notes.push(note),
        }
    }
}
