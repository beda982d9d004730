//! Taking family data from a file: a load fills a copy, and its commit puts the copy in the place of what was there.

use async_trait::async_trait;

use crate::id::{FamilyId, UserId};
use crate::storage::memory::MemoryStorage;
use crate::storage::memory::state::{Family, State, StoredKey};
use crate::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FamilyRecord, KeyRecord, KeyState, Load, LoadError,
    LoadFault, Loader, NoteRecord, Record, ShoppingItemRecord, ShoppingListRecord, StorageError, TaskRecord,
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
    /// What will be there; `None` once a record was refused.
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
        self.state.take().ok_or_else(|| StorageError::backend("a record of this load was refused"))
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
            Record::Key(key) => self.load_key(key),
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
        free("id", !self.families.contains_key(&record.id))?;
        self.families.insert(record.id, Family::default());
        Ok(())
    }

    fn insert_user(&mut self, user: UserRecord) -> Result<(), LoadFault> {
        free("id", !self.users.contains_key(&user.id))?;
        free("email", !self.users.values().any(|other| other.email == user.email))?;
        if let Some(family) = &user.family_id {
            self.family(family)?.revision += 1;
        }
        self.users.insert(user.id.clone(), user);
        Ok(())
    }

    fn load_key(&mut self, record: KeyRecord) -> Result<(), LoadFault> {
        free("id", !self.keys.contains_key(&record.id))?;
        free("tokenHash", !self.keys.values().any(|other| other.digest == record.token_hash))?;
        self.require_user(&record.user_id)?;
        self.keys.insert(record.id.clone(), stored_key(record));
        Ok(())
    }

    fn require_user(&self, user: &UserId) -> Result<(), LoadFault> {
        if self.users.contains_key(user) { Ok(()) } else { Err(LoadFault::no_parent("userId")) }
    }

    fn require_owner(&self, owner: Option<&UserId>) -> Result<(), LoadFault> {
        match owner {
            Some(owner) if !self.users.contains_key(owner) => Err(LoadFault::no_parent("ownerUserId")),
            _ => Ok(()),
        }
    }

    fn insert_category(&mut self, category: CategoryRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.categories.contains_key(&category.id))?;
        let family = self.family(&category.family_id)?;
        if category.parent_id.as_ref().is_some_and(|parent| !family.categories.contains_key(parent)) {
            return Err(LoadFault::no_parent("parentId"));
        }
        family.revision += 1;
        family.categories.insert(category.id.clone(), category.into());
        Ok(())
    }

    fn insert_board(&mut self, board: BoardRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.boards.contains_key(&board.id))?;
        self.require_owner(board.owner_user_id.as_ref())?;
        let family = self.family(&board.family_id)?;
        family.revision += 1;
        family.boards.insert(board.id.clone(), board.into());
        Ok(())
    }

    fn insert_column(&mut self, column: ColumnRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.columns.contains_key(&column.id))?;
        let family = self.home("boardId", |family| family.boards.contains_key(&column.board_id))?;
        family.revision += 1;
        family.columns.insert(column.id.clone(), column.into());
        Ok(())
    }

    fn insert_task(&mut self, task: TaskRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.tasks.contains_key(&task.id))?;
        let family = self.home("columnId", |family| family.columns.contains_key(&task.column_id))?;
        family.revision += 1;
        family.tasks.insert(task.id.clone(), task.into());
        Ok(())
    }

    fn insert_event(&mut self, event: EventRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.events.contains_key(&event.id))?;
        let family = self.family(&event.family_id)?;
        family.revision += 1;
        family.events.insert(event.id.clone(), event.into());
        Ok(())
    }

    fn insert_list(&mut self, list: ShoppingListRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.lists.contains_key(&list.id))?;
        self.require_owner(list.owner_user_id.as_ref())?;
        let family = self.family(&list.family_id)?;
        family.revision += 1;
        family.lists.insert(list.id.clone(), list.into());
        Ok(())
    }

    fn insert_item(&mut self, item: ShoppingItemRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.items.contains_key(&item.id))?;
        let family = self.home("listId", |family| family.lists.contains_key(&item.list_id))?;
        family.revision += 1;
        family.items.insert(item.id.clone(), item.into());
        Ok(())
    }

    fn insert_note(&mut self, note: NoteRecord) -> Result<(), LoadFault> {
        self.free_in_all(|family| family.notes.contains_key(&note.id))?;
        let family = self.family(&note.family_id)?;
        if note.category_id.as_ref().is_some_and(|category| !family.categories.contains_key(category)) {
            return Err(LoadFault::no_parent("categoryId"));
        }
        family.revision += 1;
        family.notes.insert(note.id.clone(), note.into());
        Ok(())
    }

    /// An id is one record's of its kind, whatever the family.
    fn free_in_all(&self, holds: impl Fn(&Family) -> bool) -> Result<(), LoadFault> {
        free("id", !self.families.values().any(holds))
    }

    fn family(&mut self, id: &FamilyId) -> Result<&mut Family, LoadFault> {
        self.families.get_mut(id).ok_or_else(|| LoadFault::no_parent("familyId"))
    }

    /// The family that holds the parent.
    fn home(&mut self, field: &str, holds: impl Fn(&Family) -> bool) -> Result<&mut Family, LoadFault> {
        self.families.values_mut().find(|family| holds(family)).ok_or_else(|| LoadFault::no_parent(field))
    }
}

fn free(field: &str, is_free: bool) -> Result<(), LoadFault> {
    if is_free { Ok(()) } else { Err(LoadFault::exists(field)) }
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
    async fn nothing_else_is_written_while_a_load_is_under_way() {
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
