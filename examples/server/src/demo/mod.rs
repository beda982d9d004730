//! The command `demo`: two families in a throw-away database, or in one that was named, and how to try them.

mod families;
mod guide;
mod instants;
mod key;

use std::io::Cursor;
use std::path::Path;

use family_api_core::key::EnvironmentTokens;
use family_api_core::storage::{Load, StorageError};
use family_api_core::{Clock, SystemClock};

use crate::cli::DemoOptions;
use crate::database::{Database, OpenError};
use crate::demo::families::KOVALENKO;
use crate::demo::guide::Guide;
use crate::error::CommandError;
use crate::import::{ImportError, Progress, import};
use crate::serve::Server;
use crate::{log, output};

const THROW_AWAY: &str = "a throw-away database, gone when this stops";
const NAMED: &str = "the database that --database names, where they stay";

/// Serves the demo until it is stopped; then everything of it is gone that is not in a database of the user's.
pub(crate) async fn run(options: DemoOptions) -> Result<(), CommandError> {
    let _log = log::start(options.http.log)?;
    let folder = tempfile::tempdir().map_err(CommandError::DemoFolder)?;
    let database = open(&options, folder.path()).await?;
    load_once(&database).await?;
    let storage = database.storage.clone();
    let server = Server::bind(options.http, database, EnvironmentTokens::default()).await?;
    let key = key::create(storage).await.map_err(CommandError::DemoKey)?;
    let guide = Guide {
        place: if options.database.is_some() { NAMED } else { THROW_AWAY },
        url: &server.url(),
        key: key.token.expose(),
        jar: &folder.path().join("cookies"),
        today: KOVALENKO.zone().day_of(SystemClock.now()),
    };
    output::print(&guide.to_string())?;
    server.run().await
}

async fn open(options: &DemoOptions, folder: &Path) -> Result<Database, OpenError> {
    match &options.database {
        Some(url) => Database::open(url, &options.connections, options.http.cache).await,
        None => Database::open_sqlite(&folder.join("demo.db"), &options.connections, options.http.cache).await,
    }
}

/// Loads the families where an earlier start has not.
async fn load_once(database: &Database) -> Result<(), CommandError> {
    if is_loaded(database).await? {
        return Ok(());
    }
    match load(&*database.load).await {
        // Another one has started at the same time, and was faster.
        Err(ImportError::Line { .. }) if is_loaded(database).await? => Ok(()),
        loaded => loaded.map_err(CommandError::DemoFamilies),
    }
}

async fn is_loaded(database: &Database) -> Result<bool, StorageError> {
    let found = database.credentials.find_password(families::EMAIL).await?;
    Ok(found.is_some_and(|(user, _)| user.as_str() == families::USER))
}

async fn load(storage: &dyn Load) -> Result<(), ImportError> {
    let lines = families::lines(SystemClock.now());
    import(Cursor::new(lines), storage, Progress::Silent).await.map(|_| ())
}
