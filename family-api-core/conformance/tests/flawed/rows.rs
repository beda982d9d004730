//! The rows of the families, with the flaws of the reads and of the transaction of a write.

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::change::Editable;
use family_api_core::id::FamilyId;
use family_api_core::resource::{self, Board, Column, RecordKind, ResourceKind, ShoppingList};
use family_api_core::storage::{
    Author, Capabilities, Change, DecideFn, FamilyData, FamilyStore, FamilyWrite, Member, Needs, Record, StorageError,
    Writable,
};
use family_api_memory::MemoryStorage;
use serde_json::{Value, json};
use tokio::task::yield_now;

use crate::flawed::Flaw;
use crate::flawed::numbers::Numbers;

/// The rows of the families.
pub(super) struct Rows {
    pub(super) memory: MemoryStorage,
    capabilities: Capabilities,
    pub(super) flaw: Flaw,
    reads: AtomicU32,
    /// The columns, lists and categories that each family had at first.
    containers: Mutex<BTreeMap<FamilyId, FamilyData>>,
    /// A member of each family.
    members: Mutex<BTreeMap<FamilyId, Member>>,
    /// The ids of new records, if ids are numbers.
    pub(super) numbers: Option<Numbers>,
}

impl Rows {
    pub(super) fn new(capabilities: Capabilities, flaw: Flaw) -> Self {
        let memory = MemoryStorage::new();
        Self {
            memory,
            capabilities,
            flaw,
            reads: AtomicU32::default(),
            containers: Mutex::default(),
            members: Mutex::default(),
            numbers: None,
        }
    }

    /// Returns the number of this read, if reads differ.
    pub(super) fn read_number(&self) -> Option<u32> {
        (self.flaw == Flaw::ReadsDiffer).then(|| self.reads.fetch_add(1, Ordering::Relaxed))
    }

    /// The storage in memory finds the credential itself.
    async fn change_memory(
        &self,
        author: &Author,
        needs: &Needs,
        now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError> {
        let credential = Box::pin(ready(Err(StorageError::backend("unused"))));
        self.memory.change(Change { author, needs, now, credential, decide }).await
    }

    /// Stores the record of an update without a new value, if the storage has such a flaw.
    pub(super) async fn store_unchanged<R: Writable>(
        &self,
        author: &Author,
        record: &R,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let stored = match self.flaw {
            Flaw::StoresUnchangedRecords => json!(record),
            Flaw::StoresUnchangedVersions => with_another_version(record, now),
            _ => return Ok(()),
        };
        let write = family_write(R::KIND, stored);
        self.change_memory(author, &Needs::default(), now, Box::new(move |_, _| vec![write])).await
    }

    fn falsify(&self, family: &FamilyId, data: &mut FamilyData) {
        match self.flaw {
            Flaw::ForgetsPrivacy => {
                data.boards.iter_mut().for_each(|board| board.is_private = false);
                data.tasks.iter_mut().for_each(|task| task.is_private = false);
                data.lists.iter_mut().for_each(|list| list.is_private = false);
                data.items.iter_mut().for_each(|item| item.is_private = false);
                for deleted in &mut data.deleted {
                    deleted.record = deleted.record.replace(r#""isPrivate":true"#, r#""isPrivate":false"#);
                }
            }
            Flaw::FindsDeletedContainers => {
                let mut families = self.containers.lock().unwrap();
                let first = families.entry(family.clone()).or_insert_with(|| data.clone());
                add_missing(&mut data.columns, &first.columns);
                add_missing(&mut data.lists, &first.lists);
                add_missing(&mut data.categories, &first.categories);
            }
            _ => {}
        }
    }

    /// Remembers a member of each family.
    pub(super) fn add_members(&self, records: &[Record]) {
        let mut members = self.members.lock().unwrap();
        for record in records {
            if let Record::User(user) = record
                && let Some(family) = &user.family_id
            {
                members.insert(family.clone(), Member { user: user.id.clone(), family: family.clone() });
            }
        }
    }

    /// Adds the only containers of a storage that keeps none. The storage in memory refuses a record without them.
    pub(super) fn with_containers(&self, records: Vec<Record>) -> Vec<Record> {
        let with_containers = |record: Record| match &record {
            Record::Family(family) => [vec![record.clone()], self.only_containers(&family.id)].concat(),
            _ => vec![record],
        };
        records.into_iter().flat_map(with_containers).collect()
    }

    fn only_containers(&self, family: &FamilyId) -> Vec<Record> {
        let line = |fields: Value, kind: &str| {
            let mut line = fields;
            line["type"] = json!(kind);
            line["familyId"] = json!(family);
            for content in ["columns", "tasks", "items"] {
                line.as_object_mut().unwrap().remove(content);
            }
            Record::from_json(line.to_string().as_bytes()).unwrap()
        };
        let mut containers = Vec::new();
        if self.has_only_board() {
            containers.push(line(json!(Board::only(Vec::new())), "board"));
            containers.push(line(json!(Column::only(Vec::new())), "column"));
        }
        if self.has_only_list() {
            containers.push(line(json!(ShoppingList::only(Vec::new())), "shoppingList"));
        }
        containers
    }

    fn has_only_board(&self) -> bool {
        self.capabilities.keeps_resource(ResourceKind::Tasks) && !self.capabilities.keeps_kind(RecordKind::Board)
    }

    fn has_only_list(&self) -> bool {
        let kept = &self.capabilities;
        kept.keeps_resource(ResourceKind::Shopping) && !kept.keeps_kind(RecordKind::ShoppingList)
    }

    /// Returns what the storage stores of a write.
    fn stored(&self, write: FamilyWrite) -> FamilyWrite {
        macro_rules! stored {
            ($($method:ident: $Record:ident,)*) => {
                match write {
                    $(FamilyWrite::$Record(write) => FamilyWrite::$Record(
                        <resource::$Record as Editable>::map_record(write, |record| self.stored_record(record)),
                    ),)*
                    other => other,
                }
            };
        }
        family_api_core::for_each_kind!(stored)
    }

    fn stored_record<R: Writable>(&self, record: R) -> R {
        match self.flaw {
            Flaw::Loses(kind, field) if kind == R::KIND => without_value(&record, field),
            _ => record,
        }
    }

    /// Returns the rows of the families that a write must not touch, if the storage ignores the family.
    async fn other_families(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        let mut others = FamilyData::default();
        if self.flaw == Flaw::IgnoresTheFamily {
            let mut members: Vec<_> = self.members.lock().unwrap().values().cloned().collect();
            members.retain(|other| other.family != member.family);
            for other in members {
                let rows = self.memory.load(&other, needs).await?;
                add_others(&mut others, &rows);
            }
        }
        Ok(others)
    }
}

/// Returns the record with the time of this change, and counts it.
fn with_another_version<R: Writable>(record: &R, now: Timestamp) -> Value {
    let mut fields = json!(record);
    if let Some(updated_at) = fields.get_mut("updatedAt") {
        *updated_at = json!(now);
    }
    if let Some(sequence) = fields.get_mut("sequence") {
        *sequence = json!(sequence.as_u64().unwrap() + 1);
    }
    fields
}

/// Returns the write of a record.
fn family_write(kind: RecordKind, record: Value) -> FamilyWrite {
    macro_rules! family_write {
        ($($method:ident: $Record:ident,)*) => {
            match kind {
                $(RecordKind::$Record => {
                    FamilyWrite::$Record(serde_json::from_value::<resource::$Record>(record).unwrap().into())
                })*
            }
        };
    }
    family_api_core::for_each_kind!(family_write)
}

/// Returns the record with another value of a field: none if possible.
fn without_value<R: Writable>(record: &R, field: &str) -> R {
    let values = [json!(null), json!(false), json!(0), json!([]), json!("MEDIUM"), json!("2020-01-01T00:00:00.000Z")];
    let lost = values.into_iter().find_map(|value| {
        let mut fields = json!(record);
        fields[field] = value;
        serde_json::from_value(fields).ok()
    });
    lost.unwrap()
}

/// Returns deletions of all tasks or items for the deletion of one.
fn whole_kind(write: FamilyWrite, data: &FamilyData) -> Vec<FamilyWrite> {
    let (kind, ids): (_, Vec<String>) = match write {
        FamilyWrite::Delete(kind @ RecordKind::Task, _) => {
            (kind, data.tasks.iter().map(|task| task.id.to_string()).collect())
        }
        FamilyWrite::Delete(kind @ RecordKind::ShoppingItem, _) => {
            (kind, data.items.iter().map(|item| item.id.to_string()).collect())
        }
        other => return vec![other],
    };
    ids.into_iter().map(|id| FamilyWrite::Delete(kind, id)).collect()
}

/// Removes the second one of two written events.
fn only_first(mut writes: Vec<FamilyWrite>) -> Vec<FamilyWrite> {
    let is_event = |write: &FamilyWrite| matches!(write, FamilyWrite::Event(_));
    if writes.iter().filter(|write| is_event(write)).count() == 2
        && let Some(second) = writes.iter().rposition(is_event)
    {
        writes.remove(second);
    }
    writes
}

/// Returns whether a write deletes an item that is not checked.
fn is_deletion_of_unchecked(write: &FamilyWrite, data: &FamilyData) -> bool {
    let FamilyWrite::Delete(RecordKind::ShoppingItem, id) = write else {
        return false;
    };
    data.items.iter().any(|item| item.id.as_str() == id && !item.checked)
}

fn add_others(data: &mut FamilyData, others: &FamilyData) {
    data.tasks.extend(others.tasks.iter().cloned());
    data.items.extend(others.items.iter().cloned());
}

fn add_missing<R: Writable>(rows: &mut Vec<R>, first: &[R]) {
    for row in first {
        if rows.iter().all(|other| other.id() != row.id()) {
            rows.push(row.clone());
        }
    }
}

#[async_trait]
impl FamilyStore for Rows {
    fn capabilities(&self) -> Capabilities {
        self.capabilities.clone()
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        self.check_member(member);
        let mut data = self.memory.load(member, needs).await?;
        let current = self.members.lock().unwrap().get(&member.family).cloned();
        if let Some(current) = current.filter(|_| self.flaw == Flaw::FormerMembersRead) {
            data = self.memory.load(&current, needs).await?;
        }
        add_others(&mut data, &self.other_families(member, needs).await?);
        self.falsify(&member.family, &mut data);
        if let Some(number) = self.read_number() {
            data.tasks.iter_mut().for_each(|task| task.title = number.to_string());
            data.notes.iter_mut().for_each(|note| note.title = number.to_string());
            data.events.iter_mut().for_each(|event| event.title = number.to_string());
            data.items.iter_mut().for_each(|item| item.name = number.to_string());
        }
        Ok(data)
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let (author, needs, now) = (change.author, change.needs, change.now);
        self.check_member(&author.member);
        let others = self.other_families(&author.member, needs).await?;
        let decide = move |credential, data: &FamilyData| {
            let mut data = data.clone();
            add_others(&mut data, &others);
            self.falsify(&author.member.family, &mut data);
            let writes = (change.decide)(credential, &data).into_iter().map(|write| self.stored(write));
            match self.flaw {
                Flaw::StoresNothing => Vec::new(),
                Flaw::StoresOnlyTheFirst => only_first(writes.collect()),
                Flaw::DeletesTheWholeKind => writes.flat_map(|write| whole_kind(write, &data)).collect(),
                Flaw::DeletesOnlyCheckedItems => {
                    writes.filter(|write| !is_deletion_of_unchecked(write, &data)).collect()
                }
                _ => writes.collect(),
            }
        };
        if self.flaw != Flaw::WritesWithoutLock {
            return self.change_memory(author, needs, now, Box::new(decide)).await;
        }
        let mut writes = Vec::new();
        let read = |credential, data: &FamilyData| {
            writes = decide(credential, data);
            Vec::new()
        };
        self.change_memory(author, needs, now, Box::new(read)).await?;
        yield_now().await;
        self.change_memory(author, needs, now, Box::new(|_, _| writes)).await
    }
}
