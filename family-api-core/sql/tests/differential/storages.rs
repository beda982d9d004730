//! The tested storages, and the storage call for each operation.

use std::any::Any;

use family_api_core::change::Editable;
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task,
};
use family_api_core::storage::{
    self, BulkLoad, CredentialStorage, LoadError, Member, Record, RecordWrite, Storage, StorageError, Writable,
};
use family_api_core::validation::Json;
use family_api_core::{Precondition, Timestamp};
use family_api_memory::MemoryStorage;
use family_api_sql::postgres::PostgresStorage;
use family_api_sql::sqlite::SqliteStorage;
use family_api_testing::Server;

use crate::step::{Action, Body, Operation, Step, Token, Write};
use crate::step_result::StepResult;

/// The traits that a tested storage implements.
pub(crate) trait TestedStorage: Storage + BulkLoad + CredentialStorage {}

impl<S: Storage + BulkLoad + CredentialStorage> TestedStorage for S {}

/// The storages that each step is run on.
pub(crate) struct Storages(Vec<OpenStorage>);

struct OpenStorage {
    name: &'static str,
    storage: Box<dyn TestedStorage>,
    /// The folder or database of the storage. Dropping this value removes the data.
    _data_guard: Box<dyn Any>,
}

impl Storages {
    pub(crate) async fn all() -> Self {
        let Self(mut all) = Self::embedded().await;
        let database = Server::shared().create_database().await;
        let postgres = PostgresStorage::open(database.url()).await.unwrap();
        all.push(OpenStorage { name: "PostgreSQL", storage: Box::new(postgres), _data_guard: Box::new(database) });
        Self(all)
    }

    pub(crate) async fn embedded() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        Self(vec![
            OpenStorage { name: "memory", storage: Box::new(MemoryStorage::new()), _data_guard: Box::new(()) },
            OpenStorage { name: "SQLite", storage: Box::new(sqlite), _data_guard: Box::new(folder) },
        ])
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static str, &dyn TestedStorage)> {
        self.0.iter().map(|open| (open.name, &*open.storage))
    }
}

/// Runs the operation of a step on the storage. Returns an error as `StepResult::Fault`.
pub(crate) async fn run_operation(storage: &dyn TestedStorage, step: &Step, precondition: &Precondition) -> StepResult {
    try_operation(storage, &step.operation, precondition, step.at)
        .await
        .unwrap_or_else(|error| StepResult::Fault(format!("{error:?}")))
}

async fn try_operation(
    storage: &dyn TestedStorage,
    operation: &Operation,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<StepResult, StorageError> {
    Ok(match operation {
        Operation::ListTasks(member, filter) => StepResult::from_document(storage.list_tasks(member, *filter).await?),
        Operation::ListEvents(member, range) => StepResult::from_document(storage.list_events(member, range).await?),
        Operation::ListOverlappingEvents(member, range) => {
            StepResult::from_document(storage.list_overlapping_events(member, range).await?)
        }
        Operation::ListMembers(member) => StepResult::from_document(storage.list_members(member).await?),
        Operation::ListShopping(member) => StepResult::from_document(storage.list_shopping(member).await?),
        Operation::ListNotes(member) => StepResult::from_document(storage.list_notes(member).await?),
        Operation::FindTaskStats(member, periods) => {
            let document = storage.find_task_stats(member, periods).await?;
            StepResult::Stats(document.parse()?, document.revision())
        }
        Operation::Write(member, kind, write) => {
            let write = (storage, member, write, precondition, now);
            macro_rules! write_of_kind {
                ($($method:ident: $Record:ident,)*) => {
                    match kind { $(RecordKind::$Record => write_record::<$Record>(write).await?,)* }
                };
            }
            family_api_core::for_each_kind!(write_of_kind)
        }
        Operation::ChangeOccurrence(member, write) => {
            let id = write.id.parse().unwrap();
            let update = write.update();
            let new_id = Event::splits(&update).then(|| write.new_id.parse().unwrap());
            let update = storage::Operation::Update { id, update, precondition: precondition.clone(), new_id };
            let update = RecordWrite::new(update, write.zone.clone(), now);
            StepResult::update(Event::write(storage, &member.clone().into(), &update).await?, StepResult::record)
        }
        Operation::DeleteCheckedItems(member, list) => {
            let deleted = storage.delete_checked_items(&member.clone().into(), list, now).await?;
            StepResult::update(deleted, |items| {
                let mut ids: Vec<_> = items.iter().map(|item| item.id.to_string()).collect();
                ids.sort();
                StepResult::Items(ids)
            })
        }
        Operation::FindAccount(user) => StepResult::Account(storage.find_account(user).await?),
        Operation::FindProfile(user) => StepResult::Profile(storage.find_profile(user).await?),
        Operation::UpdateProfile(user, change) => {
            StepResult::Profile(storage.update_profile(&user.clone().into(), change, now).await?)
        }
        Operation::InsertKey(new, limit) => StepResult::KeyInsert(storage.insert_key(new, *limit).await?),
        Operation::FindKey(token) => StepResult::Key(storage.find_key(&token.digest()).await?),
        Operation::ListKeys(user) => StepResult::Keys(storage.list_keys(user, now).await?),
        Operation::RevokeKey(user, key) => {
            StepResult::KeyRevocation(storage.revoke_key(&user.clone().into(), key, now).await?)
        }
        Operation::RecordUses(tokens, at) => {
            let keys: Vec<_> = tokens.iter().map(Token::digest).collect();
            storage.record_uses(&keys, *at).await.map(|()| StepResult::Written)?
        }
        Operation::FindPassword(email) => StepResult::Password(storage.find_password(email).await?),
        Operation::UpdatePassword(user, password) => StepResult::Flag(storage.update_password(user, password).await?),
        Operation::InsertSession(new) => {
            StepResult::Flag(storage.insert_session(&new.session(now), &new.password).await?)
        }
        Operation::FindSession(token) => StepResult::User(storage.find_session(&token.digest(), now).await?),
        Operation::DeleteSession(token) => StepResult::Flag(storage.delete_session(&token.digest()).await?),
        Operation::Load(records) => StepResult::load(load(storage, records).await)?,
    })
}

async fn load(storage: &dyn TestedStorage, records: &[Record]) -> Result<(), LoadError> {
    let mut load = storage.begin_load().await?;
    for record in records {
        load.insert(record.clone()).await?;
    }
    load.commit().await
}

async fn write_record<R: Writable>(
    (tested, member, write, precondition, now): (&dyn TestedStorage, &Member, &Write, &Precondition, Timestamp),
) -> Result<StepResult, StorageError> {
    let (id, precondition) = (write.id.parse().unwrap(), precondition.clone());
    let operation = match &write.action {
        Action::Create { container, body, key } => {
            let new = R::parse_new(container.as_deref(), parse(body)).unwrap();
            let idempotency = key.map(|key| IdempotentRequest::of::<R>(&key.parse().unwrap(), &new));
            storage::Operation::Create { id, new, idempotency }
        }
        Action::Update(body, _) => {
            let update = R::parse_update(parse(body)).unwrap();
            storage::Operation::Update { id, update, precondition, new_id: None }
        }
        Action::Delete(_) => storage::Operation::Delete { id, precondition },
        Action::Restore => storage::Operation::Restore { id },
    };
    let write = RecordWrite::new(operation, write.zone.clone(), now);
    let written = R::write(tested, &member.clone().into(), &write).await?;
    Ok(StepResult::update(written, StepResult::record))
}

fn parse(body: &Body) -> Json {
    Json::parse(body.to_string().as_bytes()).unwrap()
}
