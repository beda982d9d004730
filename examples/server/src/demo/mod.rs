//! The command `demo`: a throw-away database with two families in it, and how to try it.

mod families;
mod guide;
mod instants;

use std::io::Cursor;

use family_api_core::key::{CreatedKey, EnvironmentTokens, KeyDraft, KeyMode};
use family_api_core::storage::Load;
use family_api_core::{Clock, Error, FamilyApi, SystemClock};

use crate::cli::DemoOptions;
use crate::database::Database;
use crate::demo::families::KOVALENKO;
use crate::demo::guide::Guide;
use crate::error::CommandError;
use crate::import::{ImportError, Progress, import};
use crate::serve::Server;
use crate::{log, output};

/// Serves the demo until it is stopped; then everything of it is gone.
pub(crate) async fn run(options: DemoOptions) -> Result<(), CommandError> {
    log::start(options.http.log)?;
    let folder = tempfile::tempdir().map_err(CommandError::DemoFolder)?;
    let database = Database::open_sqlite(&folder.path().join("demo.db")).await?;
    load(&*database.load).await?;
    let server = Server::bind(options.http, database, EnvironmentTokens::default()).await?;
    let key = create_key(server.api()).await.map_err(CommandError::DemoKey)?;
    let today = KOVALENKO.zone().day_of(SystemClock.now());
    let guide = Guide { url: &server.url(), key: key.token.expose(), jar: &folder.path().join("cookies"), today };
    output::print(&guide.to_string())?;
    server.run().await
}

async fn load(storage: &dyn Load) -> Result<(), ImportError> {
    let lines = families::lines(SystemClock.now());
    import(Cursor::new(lines), storage, Progress::Silent).await.map(|_| ())
}

/// The key that the guide shows, created as its user would.
async fn create_key(api: &FamilyApi) -> Result<CreatedKey, Error> {
    let user = families::user().map_err(|error| Error::Internal(Box::new(error)))?;
    let caller = api.sign_in(&user).await?;
    let draft =
        KeyDraft::new(KeyMode::V1ReadWrite).with_name("Demo").map_err(|fault| Error::InvalidField(vec![fault]))?;
    api.keys(&caller)?.create(draft).await
}
