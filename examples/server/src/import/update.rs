//! `import --update`: creates, changes and deletes records.

use std::path::Path;

use family_api_core::storage::MissingRecords;

use crate::cli::ImportOptions;
use crate::database::Database;
use crate::error::CommandError;
use crate::import::destination::{Destination, End};
use crate::import::{Input, Progress, Summary, store_all};

/// Updates the records, or counts what an update would change.
pub(super) async fn run(
    mut input: Input,
    file: &Path,
    options: &ImportOptions,
    database: &Database,
) -> Result<Summary, CommandError> {
    if options.dry_run {
        return update(input, options, database, End::Preview).await;
    }
    if options.delete_missing && !options.confirmation.is_given() {
        if input.size.is_none() {
            // Standard input or a pipe cannot be read twice: the second pass would find it empty, and change nothing.
            return Err(CommandError::NotConfirmed(format!("This deletes what is not in {}", name(file))));
        }
        // Opened before the preview, so that a file that replaces this one in the meantime is not read.
        let second_pass = Input::open(file)?;
        confirm_deletion(input, options, database).await?;
        input = second_pass;
    }
    update(input, options, database, End::Commit).await
}

/// Returns the name of the input in messages.
fn name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

/// Asks if the update deletes something. The numbers come from a preview, so that the database is not locked while the
/// command waits for the answer.
async fn confirm_deletion(input: Input, options: &ImportOptions, database: &Database) -> Result<(), CommandError> {
    let preview = update(input, options, database, End::Preview).await?;
    preview.deleted().map_or(Ok(()), |deleted| {
        options.confirmation.ask(&format!("This deletes what is not in the file ({deleted})"))
    })
}

async fn update(input: Input, options: &ImportOptions, database: &Database, end: End) -> Result<Summary, CommandError> {
    let missing = if options.delete_missing { MissingRecords::Delete } else { MissingRecords::Keep };
    let begin = async || Ok(Destination::Update(database.storage.begin_update(missing).await?, end));
    Ok(store_all(input.reader, begin, Progress::on_stderr(input.size)).await?)
}
