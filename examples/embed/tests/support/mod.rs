//! Helpers: the app's database, either empty or with the sample household.

mod app;
mod seed;

use family_api_core::resource::Note;
use family_api_core::storage::{Operation, RecordWrite};
use family_api_core::{Clock, Timestamp};
use family_api_embed::storage::Hearth;
use tempfile::TempDir;

pub(crate) use app::{App, Credentials, KEYS, NOW, TASKS};
pub(crate) use seed::seed;

/// The app with an empty database in a temporary folder. The folder is deleted at the end of the test.
pub(crate) struct TestDatabase {
    pub(crate) hearth: Hearth,
    pub(crate) folder: TempDir,
}

impl TestDatabase {
    pub(crate) async fn new(clock: impl Clock + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hearth = Hearth::open(folder.path().join("hearth.db"), clock).await.unwrap();
        Self { hearth, folder }
    }
}

/// Returns the deletion of the sample household's memo.
pub(crate) fn deletion_of_the_memo(now: Timestamp) -> RecordWrite<Note> {
    RecordWrite::new(Operation::delete("stove".parse().unwrap()), "UTC".parse().unwrap(), now)
}
