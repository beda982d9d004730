//! Section 9: the records that a load accepts and refuses.

use family_api_core::id::{CategoryId, FamilyId, UserId};
use family_api_core::storage::{LoadFault, Record};

use super::Model;
use crate::answer::Answer;

impl Model {
    /// Loads are atomic: the first invalid record ends the load.
    pub(super) fn load(&mut self, records: &[Record]) -> Answer {
        let mut filled = self.clone();
        for (number, record) in (1..).zip(records) {
            if !filled.takes(record) {
                return Answer::Load(Some((number, filled.faults(record))));
            }
        }
        *self = filled;
        self.writes += 1;
        Answer::Load(None)
    }

    /// Inserts a record if it is valid. Returns whether it is.
    pub(crate) fn takes(&mut self, record: &Record) -> bool {
        let fits = self.faults(record).is_empty();
        if fits {
            self.insert(record.clone());
        }
        fits
    }

    /// Returns all faults of a record. A storage reports one of them.
    fn faults(&self, record: &Record) -> Vec<LoadFault> {
        let is = |is_so: bool, fault: LoadFault| is_so.then_some(fault);
        let exists = |id: bool| is(id, LoadFault::exists("id"));
        let family =
            |id: &FamilyId| is(!self.families.iter().any(|family| family.id == *id), LoadFault::no_parent("familyId"));
        let owner = |id: &Option<UserId>| {
            is(id.as_ref().is_some_and(|id| self.user(id).is_none()), LoadFault::no_parent("ownerUserId"))
        };
        let category = |id: &Option<CategoryId>, of: &FamilyId, field| {
            let is_there =
                |id: &CategoryId| self.categories.iter().any(|other| other.id == *id && other.family_id == *of);
            is(!id.as_ref().is_none_or(is_there), LoadFault::no_parent(field))
        };
        let faults = match record {
            Record::Family(new) => [exists(self.families.iter().any(|other| other.id == new.id)), None, None],
            Record::User(new) => [
                exists(self.user(&new.id).is_some()),
                is(self.users.iter().any(|other| other.email == new.email), LoadFault::exists("email")),
                new.family_id.as_ref().and_then(family),
            ],
            Record::Key(new) => [
                exists(self.keys.iter().any(|other| other.id == new.id)),
                is(self.keys.iter().any(|other| other.token_hash == new.token_hash), LoadFault::exists("tokenHash")),
                is(self.user(&new.user_id).is_none(), LoadFault::no_parent("userId")),
            ],
            Record::NoteCategory(new) => [
                exists(self.categories.iter().any(|other| other.id == new.id)),
                family(&new.family_id),
                category(&new.parent_id, &new.family_id, "parentId")
                    .or(is(new.parent_id.as_ref() == Some(&new.id), LoadFault::no_parent("parentId"))),
            ],
            Record::Board(new) => {
                [exists(self.board(&new.id).is_some()), family(&new.family_id), owner(&new.owner_user_id)]
            }
            Record::Column(new) => [
                exists(self.columns.iter().any(|other| other.id == new.id)),
                is(self.board(&new.board_id).is_none(), LoadFault::no_parent("boardId")),
                None,
            ],
            Record::Task(new) => [
                exists(self.tasks.iter().any(|other| other.id == new.id)),
                is(!self.columns.iter().any(|other| other.id == new.column_id), LoadFault::no_parent("columnId")),
                None,
            ],
            Record::Event(new) => {
                [exists(self.events.iter().any(|other| other.id == new.id)), family(&new.family_id), None]
            }
            Record::ShoppingList(new) => [
                exists(self.lists.iter().any(|other| other.id == new.id)),
                family(&new.family_id),
                owner(&new.owner_user_id),
            ],
            Record::ShoppingItem(new) => [
                exists(self.items.iter().any(|other| other.id == new.id)),
                is(!self.lists.iter().any(|other| other.id == new.list_id), LoadFault::no_parent("listId")),
                None,
            ],
            Record::Note(new) => [
                exists(self.notes.iter().any(|other| other.id == new.id)),
                family(&new.family_id),
                category(&new.category_id, &new.family_id, "categoryId"),
            ],
        };
        faults.into_iter().flatten().collect()
    }

    fn insert(&mut self, record: Record) {
        match record {
            Record::Family(family) => self.families.push(family),
            Record::User(user) => self.users.push(user),
            Record::Key(key) => self.keys.push(key),
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
