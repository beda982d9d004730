//! The command `export`: writes the records of a database as JSON Lines.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use family_api_core::storage::{ExportedPasswords, Exporter, StorageError};

use crate::cli::{Cache, DatabaseOption, ExportOptions};
use crate::database::{Database, Missing};
use crate::error::CommandError;
use crate::new_file::NewFile;

/// Runs the command. A file is replaced when the export is complete.
pub(crate) async fn run(options: ExportOptions) -> Result<(), CommandError> {
    let DatabaseOption { url, connections } = &options.database;
    let database = Database::open(url, connections, Cache::Off, Missing::Refuse).await?;
    let exported = export(&database, &options).await;
    database.close().await;
    exported
}

async fn export(database: &Database, options: &ExportOptions) -> Result<(), CommandError> {
    let file = options.file.as_path();
    database.backend.check_foreign(file)?;
    let passwords = if options.passwords { ExportedPasswords::Hashed } else { ExportedPasswords::None };
    let mut exporter = database.storage.begin_export(options.family.as_ref(), passwords).await?;
    let checked = |records| match &options.family {
        Some(family) if records == 0 => Err(CommandError::UnknownFamily(family.clone())),
        _ => Ok(()),
    };
    if file == Path::new("-") {
        return checked(write_all(&mut *exporter, io::stdout(), CommandError::Write).await?);
    }
    let failed = |source| CommandError::WriteFile { name: file.display().to_string(), source };
    if fs::metadata(file).is_ok_and(|existing| !existing.is_file()) {
        // A pipe or a device is written to, not replaced.
        let output = OpenOptions::new().write(true).open(file).map_err(failed)?;
        return checked(write_all(&mut *exporter, output, failed).await?);
    }
    let mut new = NewFile::beside(file).map_err(failed)?;
    checked(write_all(&mut *exporter, &mut new, failed).await?)?;
    new.replace_target().map_err(failed)
}

/// Writes the records, one in each line. Returns their number.
async fn write_all(
    exporter: &mut dyn Exporter,
    output: impl Write,
    failed: impl Fn(io::Error) -> CommandError,
) -> Result<u64, CommandError> {
    let mut output = BufWriter::with_capacity(256 * 1024, output);
    let mut count = 0;
    loop {
        let records = exporter.next().await?;
        if records.is_empty() {
            output.flush().map_err(failed)?;
            return Ok(count);
        }
        count += records.len() as u64;
        for record in records {
            let line = serde_json::to_vec(&record).map_err(StorageError::backend)?;
            output.write_all(&line).and_then(|()| output.write_all(b"\n")).map_err(&failed)?;
        }
    }
}
