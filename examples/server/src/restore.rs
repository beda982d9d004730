//! The command `restore`.

use std::path::Path;

use family_api_core::{Clock, SystemClock};

use crate::cli::{Cache, DatabaseOption, RestoreOptions};
use crate::confirm::Confirmation;
use crate::database::{Database, Missing, Restore};
use crate::error::CommandError;
use crate::output;

/// What follows from the invalidation of credentials.
const NEXT: &str = "all keys are revoked, all sessions and connections have ended";

/// Runs the command.
pub(crate) async fn run(options: RestoreOptions) -> Result<(), CommandError> {
    match &options.file {
        Some(file) if !options.invalidate => restore(&options.database, file, &options.confirmation).await,
        _ => invalidate(&options.database, &options.confirmation).await,
    }
}

async fn restore(
    DatabaseOption { url, .. }: &DatabaseOption,
    file: &Path,
    confirmation: &Confirmation,
) -> Result<(), CommandError> {
    let restore = Restore::new(url, file)?;
    let file_name = file.display();
    confirmation
        .ask(&format!("This replaces the database {url} by {file_name}. All changes since the backup are lost"))?;
    restore.run().await?;
    output::print(&format!("restored from {file_name}: {NEXT}"))
}

async fn invalidate(options: &DatabaseOption, confirmation: &Confirmation) -> Result<(), CommandError> {
    let DatabaseOption { url, connections } = options;
    let database = Database::open(url, connections, Cache::Off, Missing::Refuse).await?;
    let invalidated = invalidate_all(&database, confirmation).await;
    database.close().await;
    invalidated?;
    output::print(NEXT)
}

async fn invalidate_all(database: &Database, confirmation: &Confirmation) -> Result<(), CommandError> {
    let location = &database.location;
    confirmation.ask(&format!(
        "This revokes all keys, and ends all sessions and connections of assistants, in the database {location}"
    ))?;
    Ok(database.storage.invalidate_credentials(SystemClock.now()).await?)
}
