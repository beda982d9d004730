//! The command `backup`.

use crate::cli::BackupOptions;
use crate::error::CommandError;
use crate::{database, output};

/// Runs the command.
pub(crate) async fn run(options: BackupOptions) -> Result<(), CommandError> {
    database::backup(&options.database.url, &options.file).await?;
    output::print(&format!("backup written to {}", options.file.display()))
}
