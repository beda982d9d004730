//! The command `import`: JSON Lines in, all or nothing (contract, section 9).
//!
//! A thread reads lines in batches; each batch is parsed, and its passwords hashed, on whatever core is free; the
//! batches are taken in the order of the file and stored one record after the other. Only so many batches are under
//! way at once, so memory stays bounded however long the file is.

mod batch;
mod error;
mod lines;
mod numbers;
mod progress;
mod reader;
mod summary;

pub(crate) use error::ImportError;
pub(crate) use progress::Progress;
pub(crate) use summary::Summary;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use family_api_core::storage::{Load, Loader};
use tokio::task::JoinHandle;

use crate::cli::{Cache, ImportOptions};
use crate::database::Database;
use crate::error::CommandError;
use crate::import::batch::Prepared;
use crate::import::numbers::LineNumbers;
use crate::output;

/// Loads a file, or standard input, and prints how much of what it held.
pub(crate) async fn run(options: ImportOptions) -> Result<(), CommandError> {
    let (input, size) = open(&options.file)?;
    let database = Database::open(&options.database.url, &options.database.connections, Cache::Off).await?;
    let loaded = import(input, &*database.load, Progress::on_stderr(size)).await;
    database.close().await;
    output::print(&loaded?.to_string())
}

/// The input and, where it is known, its size in bytes.
fn open(file: &Path) -> Result<(Box<dyn Read + Send>, Option<u64>), CommandError> {
    if file == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let failed = |source| CommandError::Read { name: file.display().to_string(), source };
    let input = File::open(file).map_err(failed)?;
    let metadata = input.metadata().map_err(failed)?;
    Ok((Box::new(input), metadata.is_file().then_some(metadata.len())))
}

/// Loads every record of the input; nothing of it stays unless all of it does.
///
/// # Errors
/// [`ImportError`] for the first line that does not fit, or the storage's fault.
pub(crate) async fn import(
    input: impl Read + Send + 'static,
    load: &dyn Load,
    progress: Progress,
) -> Result<Summary, ImportError> {
    let mut import =
        Import { loader: load.begin_load().await?, numbers: LineNumbers::default(), summary: Summary::new(), progress };
    let mut batches = reader::spawn(input);
    while let Some(batch) = batches.recv().await {
        import.store(batch?).await?;
    }
    import.commit().await
}

/// A load under way.
struct Import {
    loader: Box<dyn Loader>,
    numbers: LineNumbers,
    summary: Summary,
    progress: Progress,
}

impl Import {
    async fn store(&mut self, batch: JoinHandle<Result<Prepared, ImportError>>) -> Result<(), ImportError> {
        let batch = batch.await.map_err(ImportError::Interrupted)??;
        for (line, record) in batch.records {
            self.numbers.push(line);
            self.summary.count(record.kind());
            self.loader.insert(record).await.map_err(|error| ImportError::at(&self.numbers, error))?;
        }
        self.progress.advance(batch.bytes, self.summary.total());
        Ok(())
    }

    async fn commit(self) -> Result<Summary, ImportError> {
        self.loader.commit().await.map_err(|error| ImportError::at(&self.numbers, error))?;
        self.progress.finish();
        Ok(self.summary)
    }
}
