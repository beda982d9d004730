//! The rows of the families, with the flaws of the reads and of the transaction of a write.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::resource::{RecordKind, ResourceKind};
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{
    Author, Capabilities, DecideFn, FamilyData, FamilyStore, FamilyWrite, Member, Record, StorageError, Writable,
};
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
    /// The ids of new records, if ids are numbers.
    pub(super) numbers: Option<Numbers>,
}

impl Rows {
    pub(super) fn new(capabilities: Capabilities, flaw: Flaw) -> Self {
        let memory = MemoryStorage::new();
        Self { memory, capabilities, flaw, reads: AtomicU32::default(), containers: Mutex::default(), numbers: None }
    }

    /// Returns the number of this read, if reads differ.
    pub(super) fn read_number(&self) -> Option<u32> {
        (self.flaw == Flaw::ReadsDiffer).then(|| self.reads.fetch_add(1, Ordering::Relaxed))
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

    pub(super) fn keeps(&self, record: &Record) -> bool {
        let resource = match record {
            Record::Board(_) | Record::Column(_) | Record::Task(_) => ResourceKind::Tasks,
            Record::Event(_) => ResourceKind::Events,
            Record::ShoppingList(_) | Record::ShoppingItem(_) => ResourceKind::Shopping,
            Record::NoteCategory(_) | Record::Note(_) => ResourceKind::Notes,
            Record::Family(_) | Record::User(_) | Record::Key(_) => return true,
        };
        self.capabilities.keeps_resource(resource)
    }

    pub(super) fn keeps_labels(&self) -> bool {
        self.capabilities.keeps_field(RecordKind::Task, "labels")
    }
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

    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError> {
        self.check_member(member);
        let mut data = self.memory.load(member, resource).await?;
        self.falsify(&member.family, &mut data);
        if let Some(number) = self.read_number() {
            data.tasks.iter_mut().for_each(|task| task.title = number.to_string());
            data.notes.iter_mut().for_each(|note| note.title = number.to_string());
            data.events.iter_mut().for_each(|event| event.title = number.to_string());
            data.items.iter_mut().for_each(|item| item.name = number.to_string());
        }
        Ok(data)
    }

    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError> {
        self.check_member(&author.member);
        let decide = |credential, data: &FamilyData| {
            let mut data = data.clone();
            self.falsify(&author.member.family, &mut data);
            let mut writes = decide(credential, &data);
            for write in &mut writes {
                if let FamilyWrite::Task(write) = write
                    && !self.keeps_labels()
                {
                    write.task.labels.clear();
                }
            }
            if self.flaw == Flaw::StoresNothing { Vec::new() } else { writes }
        };
        if self.flaw != Flaw::WritesWithoutLock {
            return self.memory.change(author, resource, now, Box::new(decide)).await;
        }
        let mut writes = Vec::new();
        let read: DecideFn<'_> = Box::new(|credential, data| {
            writes = decide(credential, data);
            Vec::new()
        });
        self.memory.change(author, resource, now, read).await?;
        yield_now().await;
        self.memory.change(author, resource, now, Box::new(|_, _| writes)).await
    }
}
