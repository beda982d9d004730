//! Where the records of an import go: a load, or an update.

use family_api_core::storage::{KindChanges, LoadError, Loader, Record, Updater};

use crate::import::summary::Form;

/// A load or update in progress.
pub(super) enum Destination {
    /// All records are new. Counts them.
    Load(Box<dyn Loader>, Vec<KindChanges>),
    /// Records can exist.
    Update(Box<dyn Updater>, End),
}

/// How an update ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Commit,
    /// Nothing is changed.
    Preview,
}

impl Destination {
    pub(super) async fn store(&mut self, record: Record) -> Result<(), LoadError> {
        match self {
            Self::Load(loader, changes) => {
                let kind = record.kind();
                changes.iter_mut().filter(|changes| changes.kind == kind).for_each(|changes| changes.created += 1);
                loader.insert(record).await
            }
            Self::Update(updater, _) => updater.upsert(record).await,
        }
    }

    /// Returns the form of the summary.
    pub(super) fn form(&self) -> Form {
        match self {
            Self::Load(..) => Form::Import,
            Self::Update(_, End::Commit) => Form::Update,
            Self::Update(_, End::Preview) => Form::Preview,
        }
    }

    /// Ends the import, and returns the changes.
    pub(super) async fn finish(self) -> Result<Vec<KindChanges>, LoadError> {
        match self {
            Self::Load(loader, changes) => loader.commit().await.map(|()| changes),
            Self::Update(updater, End::Commit) => updater.commit().await,
            Self::Update(updater, End::Preview) => updater.preview().await,
        }
    }
}
