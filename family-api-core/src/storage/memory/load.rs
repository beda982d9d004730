//! Import of family data: a load fills a copy of the data, and the commit replaces the data with the copy.

use async_trait::async_trait;

use crate::id::{CategoryId, FamilyId, UserId};
use crate::resource::{Person, Profile};
use crate::storage::memory::MemoryStorage;
use crate::storage::memory::state::{Family, State, StoredKey};
use crate::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FamilyData, FamilyRecord, KeyRecord, KeyState, Load,
    LoadError, LoadFault, Loader, NoteRecord, Record, ShoppingItemRecord, ShoppingListRecord, StorageError, TaskRecord,
    UserRecord,
};

#[async_trait]
impl Load for MemoryStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        let mut shared = self.lock_to_write()?;
        shared.loading = true;
        Ok(Box::new(MemoryLoader { storage: self.clone(), state: Some(shared.state.clone()), number: 0 }))
    }
}

struct MemoryLoader {
    storage: MemoryStorage,
    /// The copy. `None` after a record was refused.
    state: Option<State>,
    number: u64,
}

#[async_trait]
impl Loader for MemoryLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.number += 1;
        if let Record::User(user) = &record {
            user.password.hash()?;
        }
        let mut state = self.take()?;
        state.insert(record).map_err(|fault| LoadError::Refused { number: self.number, fault })?;
        self.state = Some(state);
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        let state = self.take()?;
        self.storage.lock()?.state = state;
        Ok(())
    }
}

impl MemoryLoader {
    fn take(&mut self) -> Result<State, StorageError> {
        self.state.take().ok_or_else(|| StorageError::backend("a record of this load was refused before"))
    }
}

impl Drop for MemoryLoader {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.storage.lock() {
            shared.loading = false;
        }
    }
}

impl State {
    fn insert(&mut self, record: Record) -> Result<(), LoadFault> {
        match record {
            Record::Family(family) => self.insert_family(family),
            Record::User(user) => self.insert_user(user),
            Record::Key(key) => self.insert_key_record(key),
            Record::NoteCategory(category) => self.insert_category(category),
            Record::Board(board) => self.insert_board(board),
            Record::Column(column) => self.insert_column(column),
            Record::Task(task) => self.insert_task(task),
            Record::Event(event) => self.insert_event(event),
            Record::ShoppingList(list) => self.insert_list(list),
            Record::ShoppingItem(item) => self.insert_item(item),
            Record::Note(note) => self.insert_note(note),
        }
    }

    fn insert_family(&mut self, record: FamilyRecord) -> Result<(), LoadFault> {
        require_unused("id", !self.families.contains_key(&record.id))?;
        self.families.insert(record.id, Family::new());
        Ok(())
    }

    fn insert_user(&mut self, user: UserRecord) -> Result<(), LoadFault> {
        require_unused("id", !self.users.contains_key(&user.id))?;
        require_unused("email", !self.users.values().any(|other| other.email == user.email))?;
        if let Some(family) = &user.family_id {
            self.require_family(family)?;
            let person = Person::from(&Profile::from(user.clone()));
            self.insert_into("user", &user.id, family.clone()).people.push(person);
        }
        self.users.insert(user.id.clone(), user);
        Ok(())
    }

    fn insert_key_record(&mut self, record: KeyRecord) -> Result<(), LoadFault> {
        require_unused("id", !self.keys.contains_key(&record.id))?;
        require_unused("tokenHash", !self.keys.values().any(|other| other.digest == record.token_hash))?;
        self.require_user(&record.user_id)?;
        self.keys.insert(record.id.clone(), stored_key(record));
        Ok(())
    }

    fn insert_category(&mut self, category: CategoryRecord) -> Result<(), LoadFault> {
        self.require_new_id("noteCategory", &category.id)?;
        self.require_family(&category.family_id)?;
        self.require_category("parentId", category.parent_id.as_ref(), &category.family_id)?;
        let data = self.insert_into("noteCategory", &category.id, category.family_id.clone());
        data.categories.push(category.into());
        Ok(())
    }

    fn insert_board(&mut self, board: BoardRecord) -> Result<(), LoadFault> {
        self.require_new_id("board", &board.id)?;
        self.require_owner(board.owner_user_id.as_ref())?;
        self.require_family(&board.family_id)?;
        self.insert_into("board", &board.id, board.family_id.clone()).boards.push(board.into());
        Ok(())
    }

    fn insert_column(&mut self, column: ColumnRecord) -> Result<(), LoadFault> {
        self.require_new_id("column", &column.id)?;
        let owner = self.family_of("boardId", "board", &column.board_id)?;
        self.insert_into("column", &column.id, owner).columns.push(column.into());
        Ok(())
    }

    fn insert_task(&mut self, task: TaskRecord) -> Result<(), LoadFault> {
        self.require_new_id("task", &task.id)?;
        let owner = self.family_of("columnId", "column", &task.column_id)?;
        self.insert_into("task", &task.id, owner).tasks.push(task.into());
        Ok(())
    }

    fn insert_event(&mut self, event: EventRecord) -> Result<(), LoadFault> {
        self.require_new_id("event", &event.id)?;
        self.require_family(&event.family_id)?;
        self.insert_into("event", &event.id, event.family_id.clone()).events.push(event.into());
        Ok(())
    }

    fn insert_list(&mut self, list: ShoppingListRecord) -> Result<(), LoadFault> {
        self.require_new_id("shoppingList", &list.id)?;
        self.require_owner(list.owner_user_id.as_ref())?;
        self.require_family(&list.family_id)?;
        self.insert_into("shoppingList", &list.id, list.family_id.clone()).lists.push(list.into());
        Ok(())
    }

    fn insert_item(&mut self, item: ShoppingItemRecord) -> Result<(), LoadFault> {
        self.require_new_id("shoppingItem", &item.id)?;
        let owner = self.family_of("listId", "shoppingList", &item.list_id)?;
        self.insert_into("shoppingItem", &item.id, owner).items.push(item.into());
        Ok(())
    }

    fn insert_note(&mut self, note: NoteRecord) -> Result<(), LoadFault> {
        self.require_new_id("note", &note.id)?;
        self.require_family(&note.family_id)?;
        self.require_category("categoryId", note.category_id.as_ref(), &note.family_id)?;
        self.insert_into("note", &note.id, note.family_id.clone()).notes.push(note.into());
        Ok(())
    }

    /// Registers a record and returns its family's data. Increments the revision.
    fn insert_into(&mut self, kind: &'static str, id: &impl ToString, owner: FamilyId) -> &mut FamilyData {
        self.families_by_record.insert((kind, id.to_string()), owner.clone());
        let family = self.families.entry(owner).or_insert_with(Family::new);
        family.revision += 1;
        &mut family.data
    }

    /// Finds the family of the parent.
    fn family_of(&self, field: &str, kind: &'static str, parent: &impl ToString) -> Result<FamilyId, LoadFault> {
        self.families_by_record.get(&(kind, parent.to_string())).cloned().ok_or_else(|| LoadFault::no_parent(field))
    }

    /// An id is unique among the records of its kind, across all families.
    fn require_new_id(&self, kind: &'static str, id: &impl ToString) -> Result<(), LoadFault> {
        require_unused("id", !self.families_by_record.contains_key(&(kind, id.to_string())))
    }

    fn require_family(&self, family: &FamilyId) -> Result<(), LoadFault> {
        require_found("familyId", self.families.contains_key(family))
    }

    fn require_user(&self, user: &UserId) -> Result<(), LoadFault> {
        require_found("userId", self.users.contains_key(user))
    }

    fn require_owner(&self, owner: Option<&UserId>) -> Result<(), LoadFault> {
        require_found("ownerUserId", owner.is_none_or(|owner| self.users.contains_key(owner)))
    }

    fn require_category(&self, field: &str, id: Option<&CategoryId>, family: &FamilyId) -> Result<(), LoadFault> {
        let is_in_family =
            |id: &CategoryId| self.family_of(field, "noteCategory", id).is_ok_and(|owner| owner == *family);
        require_found(field, id.is_none_or(is_in_family))
    }
}

fn require_unused(field: &str, is_unused: bool) -> Result<(), LoadFault> {
    if is_unused { Ok(()) } else { Err(LoadFault::exists(field)) }
}

fn require_found(field: &str, is_found: bool) -> Result<(), LoadFault> {
    if is_found { Ok(()) } else { Err(LoadFault::no_parent(field)) }
}

fn stored_key(record: KeyRecord) -> StoredKey {
    StoredKey {
        user: record.user_id.clone(),
        digest: record.token_hash,
        state: record.revoked_at.map_or(KeyState::Active, |at| KeyState::Revoked { at }),
        key: record.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(id: &str) -> Record {
        let json = format!(
            r#"{{"type":"family","id":"{id}","name":"x","createdAt":"2026-11-20T12:00:00Z","updatedAt":"2026-11-20T12:00:00Z"}}"#
        );
        Record::from_json(json.as_bytes()).unwrap()
    }

    #[tokio::test]
    async fn only_one_load_can_be_in_progress() {
        let storage = MemoryStorage::new();
        let load = storage.begin_load().await.unwrap();
        assert!(matches!(storage.begin_load().await, Err(StorageError::Unavailable(_))));
        drop(load);
        assert!(storage.begin_load().await.is_ok());
    }

    #[tokio::test]
    async fn a_load_with_a_refused_record_cannot_be_committed() {
        let storage = MemoryStorage::new();
        let mut load = storage.begin_load().await.unwrap();
        load.insert(family("north")).await.unwrap();
        assert!(matches!(load.insert(family("north")).await, Err(LoadError::Refused { number: 2, .. })));
        assert!(load.insert(family("south")).await.is_err());
        assert!(load.commit().await.is_err());
        assert!(storage.lock().unwrap().state.families.is_empty());
    }
}
