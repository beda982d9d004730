//! The command `restore`.

use std::path::Path;

use family_api_core::{Clock, SystemClock};

use crate::cli::{Cache, DatabaseOption, RestoreOptions};
use crate::confirm::confirm;
use crate::database::Database;
use crate::error::CommandError;
use crate::{database, output};

/// What follows from the invalidation of credentials.
const NEXT: &str = "all keys are revoked, all sessions and connections have ended";

/// Runs the command.
pub(crate) async fn run(options: RestoreOptions) -> Result<(), CommandError> {
    match &options.file {
        Some(file) if !options.invalidate => restore(&options.database, file, options.yes).await,
        _ => invalidate(&options.database).await,
    }
}

async fn restore(database: &DatabaseOption, file: &Path, yes: bool) -> Result<(), CommandError> {
    let file_name = file.display();
    let question = format!("Replace the database by {file_name}? All changes since the backup are lost.");
    confirm(&question, yes)?;
    database::restore(&database.url, file).await?;
    output::print(&format!("restored from {file_name}: {NEXT}"))
}

async fn invalidate(options: &DatabaseOption) -> Result<(), CommandError> {
    let database = Database::open(&options.url, &options.connections, Cache::Off).await?;
    let invalidated = database.restored.invalidate_credentials(SystemClock.now()).await;
    database.close().await;
    invalidated?;
    output::print(NEXT)
}
