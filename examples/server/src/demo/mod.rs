//! The command `demo`: serves two sample families and prints commands to try.

mod families;
mod guide;
mod instants;
mod key;

use std::io::Cursor;
use std::path::Path;

use family_api_core::key::EnvironmentTokens;
use family_api_core::storage::{BulkLoad, StorageError};
use family_api_core::{Clock, SystemClock};

use crate::cli::DemoOptions;
use crate::database::{Database, Missing, OpenError};
use crate::demo::families::KOVALENKO;
use crate::demo::guide::Guide;
use crate::error::CommandError;
use crate::import::{ImportError, Progress, import};
use crate::metrics::Metrics;
use crate::server::Server;
use crate::{log, output};

const TEMPORARY_DATABASE: &str = "a temporary database, deleted when the demo stops";
const NAMED_DATABASE: &str = "the database of --database, where they are kept";

/// Runs the command until a stop signal arrives. At the end, deletes the temporary folder, but not the database
/// that `--database` names.
pub(crate) async fn run(options: DemoOptions) -> Result<(), CommandError> {
    let metrics = Metrics::of(&options.http)?;
    let _log = log::start(options.http.log, metrics.as_ref())?;
    let folder = tempfile::tempdir().map_err(CommandError::DemoFolder)?;
    let database = open(&options, folder.path()).await?;
    ensure_loaded(&database).await?;
    let storage = database.storage.clone();
    let server = Server::bind(options.http, database, EnvironmentTokens::default(), metrics).await?;
    let key = key::create(storage).await.map_err(CommandError::DemoKey)?;
    let guide = Guide {
        database_description: if options.database.is_some() { NAMED_DATABASE } else { TEMPORARY_DATABASE },
        url: &server.url(),
        oauth_url: server.oauth_url(),
        key: key.token.expose(),
        cookie_file: &folder.path().join("cookies"),
        today: KOVALENKO.zone().day_of(SystemClock.now()),
    };
    output::print(&guide.text())?;
    server.print_metrics_url()?;
    server.run().await
}

async fn open(options: &DemoOptions, folder: &Path) -> Result<Database, OpenError> {
    let (connections, cache) = (&options.connections, options.http.cache);
    match &options.database {
        Some(url) => Database::open(url, connections, cache, Missing::Create).await,
        None => Database::open_sqlite(&folder.join("demo.db"), connections, cache, Missing::Create).await,
    }
}

/// Imports the families, unless an earlier start has imported them.
async fn ensure_loaded(database: &Database) -> Result<(), CommandError> {
    if is_loaded(database).await? {
        return Ok(());
    }
    match load(&*database.storage).await {
        // Another process was started at the same time and has already imported the families.
        Err(ImportError::Exists { .. } | ImportError::Line { .. }) if is_loaded(database).await? => Ok(()),
        loaded => loaded.map_err(CommandError::DemoFamilies),
    }
}

async fn is_loaded(database: &Database) -> Result<bool, StorageError> {
    let found = database.storage.find_password(families::EMAIL).await?;
    Ok(found.is_some_and(|(user, _)| user.as_str() == families::USER))
}

async fn load(storage: &dyn BulkLoad) -> Result<(), ImportError> {
    let lines = families::lines(SystemClock.now());
    import(Cursor::new(lines), storage, Progress::Silent).await.map(|_| ())
}
