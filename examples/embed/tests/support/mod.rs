//! The app's database, fresh and filled.

mod app;
mod seed;

use family_api_core::Clock;
use family_api_embed::storage::Hearth;
use tempfile::TempDir;

pub(crate) use app::{App, KEYS, NOW, TASKS};
pub(crate) use seed::seed;

/// The app on a file of its own, kept until the test is over.
pub(crate) struct Place {
    pub(crate) hearth: Hearth,
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) async fn fresh(clock: impl Clock + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hearth = Hearth::open(folder.path().join("hearth.db"), clock).await.unwrap();
        Self { hearth, folder }
    }
}
