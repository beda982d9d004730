//! The storages and the calls for each step.

use std::any::Any;

use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::postgres::PostgresStorage;
use family_api_core::storage::sqlite::SqliteStorage;
use family_api_core::storage::{CredentialStorage, Load, LoadError, Record, Storage, StorageError};
use family_api_core::{Precondition, Timestamp};
use family_api_testing::Server;

use crate::answer::Answer;
use crate::step::{Operation, Step, Token};

/// The traits that a tested storage implements.
pub(crate) trait TestedStorage: Storage + Load + CredentialStorage {}

impl<S: Storage + Load + CredentialStorage> TestedStorage for S {}

/// The storages that each step is run on.
pub(crate) struct Storages(Vec<Opened>);

struct Opened {
    name: &'static str,
    storage: Box<dyn TestedStorage>,
    /// The folder or database of the storage. Dropping it removes the data.
    _place: Box<dyn Any>,
}

impl Storages {
    pub(crate) async fn all() -> Self {
        let Self(mut all) = Self::embedded().await;
        let database = Server::shared().create_database().await;
        let postgres = PostgresStorage::open(database.url()).await.unwrap();
        all.push(Opened { name: "PostgreSQL", storage: Box::new(postgres), _place: Box::new(database) });
        Self(all)
    }

    pub(crate) async fn embedded() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        Self(vec![
            Opened { name: "memory", storage: Box::new(MemoryStorage::new()), _place: Box::new(()) },
            Opened { name: "SQLite", storage: Box::new(sqlite), _place: Box::new(folder) },
        ])
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static str, &dyn TestedStorage)> {
        self.0.iter().map(|opened| (opened.name, &*opened.storage))
    }
}

/// Runs a step on the storage. Writes use the precondition.
pub(crate) async fn ask(storage: &dyn TestedStorage, step: &Step, precondition: &Precondition) -> Answer {
    call(storage, &step.operation, precondition, step.at)
        .await
        .unwrap_or_else(|error| Answer::Fault(format!("{error:?}")))
}

async fn call(
    storage: &dyn TestedStorage,
    operation: &Operation,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Answer, StorageError> {
    Ok(match operation {
        Operation::ListTasks(member, filter) => Answer::bytes(storage.list_tasks(member, *filter).await?),
        Operation::ListEvents(member, range) => Answer::bytes(storage.list_events(member, range).await?),
        Operation::ListShopping(member) => Answer::bytes(storage.list_shopping(member).await?),
        Operation::ListNotes(member) => Answer::bytes(storage.list_notes(member).await?),
        Operation::FindTaskStats(member, periods) => {
            let document = storage.find_task_stats(member, periods).await?;
            Answer::Stats(document.parse()?, document.revision())
        }
        Operation::UpdateTask(member, task, update, _, zone) => {
            let update =
                storage.update_task(&member.clone().into(), task, (**update).clone(), precondition, zone, now).await?;
            Answer::update(update, Answer::Task)
        }
        Operation::UpdateNote(member, note, change, _) => {
            let update =
                storage.update_note(&member.clone().into(), note, (**change).clone(), precondition, now).await?;
            Answer::update(update, Answer::Note)
        }
        Operation::DeleteNote(member, note, _) => {
            Answer::update(storage.delete_note(&member.clone().into(), note, precondition, now).await?, |_| {
                Answer::Written
            })
        }
        Operation::FindAccount(user) => Answer::Account(storage.find_account(user).await?),
        Operation::FindProfile(user) => Answer::Profile(storage.find_profile(user).await?),
        Operation::UpdateProfile(user, change) => {
            Answer::Profile(storage.update_profile(&user.clone().into(), change, now).await?)
        }
        Operation::InsertKey(new, limit) => Answer::KeyInsert(storage.insert_key(new, *limit).await?),
        Operation::FindKey(token) => Answer::Key(storage.find_key(&token.digest()).await?),
        Operation::ListKeys(user) => Answer::Keys(storage.list_keys(user, now).await?),
        Operation::RevokeKey(user, key) => {
            Answer::KeyRevocation(storage.revoke_key(&user.clone().into(), key, now).await?)
        }
        Operation::RecordUses(tokens, at) => {
            let keys: Vec<_> = tokens.iter().map(Token::digest).collect();
            storage.record_uses(&keys, *at).await.map(|()| Answer::Written)?
        }
        Operation::FindPassword(email) => Answer::Password(storage.find_password(email).await?),
        Operation::UpdatePassword(email, password) => Answer::Flag(storage.update_password(email, password).await?),
        Operation::InsertSession(new) => Answer::Flag(storage.insert_session(&new.session(now), &new.password).await?),
        Operation::FindSession(token) => Answer::User(storage.find_session(&token.digest(), now).await?),
        Operation::DeleteSession(token) => Answer::Flag(storage.delete_session(&token.digest()).await?),
        Operation::Load(records) => Answer::load(load(storage, records).await)?,
    })
}

async fn load(storage: &dyn TestedStorage, records: &[Record]) -> Result<(), LoadError> {
    let mut load = storage.begin_load().await?;
    for record in records {
        load.insert(record.clone()).await?;
    }
    load.commit().await
}
