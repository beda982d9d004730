//! The command `import`: imports JSON Lines in one transaction, or updates records. The server's README describes the
//! format.
//!
//! A thread reads the lines in batches. Worker threads parse the batches in parallel and hash their passwords. The
//! records are stored in the order of the file. The number of batches in flight is limited, so memory does not grow
//! with the file.
//!
//! A load into SQLite locks out all other writers. Therefore the first 8 MiB of the input are parsed before the load
//! begins. Most inputs are shorter, so neither slow input nor password hashing keeps the lock for longer.

mod batch;
mod destination;
mod error;
mod line_numbers;
mod lines;
mod metrics_file;
mod progress;
mod reader;
mod summary;
mod update;

pub(crate) use error::ImportError;
pub(crate) use progress::Progress;
pub(crate) use summary::Summary;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Instant;

use family_api_core::storage::{BulkLoad, KindChanges, StorageError};

use crate::cli::{Cache, DatabaseOption, ImportOptions};
use crate::database::{Database, Missing};
use crate::error::CommandError;
use crate::import::batch::ParsedBatch;
use crate::import::destination::Destination;
use crate::import::line_numbers::LineNumbers;
use crate::import::reader::Batches;
use crate::output;

/// Bytes of input that are parsed before the load begins. The parsed records take several times as much memory.
const PREPARSED_BYTES: u64 = 8 * 1024 * 1024;

/// A small valid file. Its user has no password, and there is no key.
const EXAMPLE: &str = include_str!("example.jsonl");

/// Imports a file or standard input, and prints what has changed. Without a file, prints the example.
pub(crate) async fn run(mut options: ImportOptions) -> Result<(), CommandError> {
    let Some(file) = options.file.take().filter(|_| !options.example) else {
        return output::print(EXAMPLE.trim_end());
    };
    let began = Instant::now();
    let imported = store(&file, &options).await;
    let written = match &options.metrics_file {
        // A dry run is no import.
        Some(file) if !options.dry_run => metrics_file::write(file, began.elapsed(), imported.as_ref().ok()),
        _ => Ok(()),
    };
    let summary = imported?;
    output::print(&if options.target.json { summary.json().to_string() } else { summary.to_string() })?;
    written
}

/// Stores the records of a file, or of standard input, in the database.
async fn store(file: &Path, options: &ImportOptions) -> Result<Summary, CommandError> {
    let input = Input::open(file)?;
    let DatabaseOption { url, connections } = &options.target.database;
    let missing = if options.dry_run { Missing::Refuse } else { Missing::Create };
    let database = Database::open(url, connections, Cache::Off, missing).await?;
    let imported = if options.update {
        update::run(input, file, options, &database).await
    } else {
        import(input.reader, &*database.storage, Progress::on_stderr(input.size)).await.map_err(CommandError::from)
    };
    database.close().await;
    imported
}

/// An open file, or standard input.
struct Input {
    reader: Box<dyn Read + Send>,
    /// The size in bytes of a regular file.
    size: Option<u64>,
}

impl Input {
    fn open(file: &Path) -> Result<Self, CommandError> {
        if file == Path::new("-") {
            return Ok(Self { reader: Box::new(io::stdin()), size: None });
        }
        let failed = |source| CommandError::Read { name: file.display().to_string(), source };
        let reader = File::open(file).map_err(failed)?;
        let metadata = reader.metadata().map_err(failed)?;
        Ok(Self { reader: Box::new(reader), size: metadata.is_file().then_some(metadata.len()) })
    }
}

/// Imports all records of the input in one transaction.
///
/// # Errors
/// [`ImportError`] for the first invalid line, or the error of the storage. After an error, nothing is imported.
pub(crate) async fn import(
    input: impl Read + Send + 'static,
    load: &dyn BulkLoad,
    progress: Progress,
) -> Result<Summary, ImportError> {
    let begin = async || Ok(Destination::Load(load.begin_load().await?, KindChanges::none()));
    store_all(input, begin, progress).await
}

/// Stores all records of the input. `begin` is called after the first [`PREPARSED_BYTES`].
async fn store_all(
    input: impl Read + Send + 'static,
    begin: impl AsyncFnOnce() -> Result<Destination, StorageError>,
    progress: Progress,
) -> Result<Summary, ImportError> {
    let start = Instant::now();
    let mut batches = Batches::of(input, progress);
    let preparsed = batches.read_ahead(PREPARSED_BYTES).await?;
    let mut import = Import { destination: begin().await?, numbers: LineNumbers::default() };
    for batch in preparsed {
        import.store(batch).await?;
    }
    while let Some(batch) = batches.next().await? {
        import.store(batch).await?;
    }
    let form = import.destination.form();
    let changes = import.finish().await?;
    batches.finish();
    Ok(Summary::new(changes, form, start))
}

/// A running import.
struct Import {
    destination: Destination,
    numbers: LineNumbers,
}

impl Import {
    async fn store(&mut self, batch: ParsedBatch) -> Result<(), ImportError> {
        for (line, record) in batch.records {
            self.numbers.push(line);
            self.destination.store(record).await.map_err(|error| ImportError::from_load(&self.numbers, error))?;
        }
        Ok(())
    }

    async fn finish(self) -> Result<Vec<KindChanges>, ImportError> {
        let Self { destination, numbers } = self;
        destination.finish().await.map_err(|error| ImportError::from_load(&numbers, error))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    use family_api_core::storage::{LoadError, Loader, Record};
    use salvo::async_trait;

    use super::*;

    const FAMILY_LINE: &[u8] = b"{\"type\":\"family\",\"id\":\"f\",\"name\":\"F\",\
        \"createdAt\":\"2026-11-20T00:00:00Z\",\"updatedAt\":\"2026-11-20T00:00:00Z\"}\n";

    /// Remembers whether a load has begun, and discards all records.
    #[derive(Clone, Default)]
    struct FakeLoad(Arc<AtomicBool>);

    #[async_trait]
    impl BulkLoad for FakeLoad {
        async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
            self.0.store(true, SeqCst);
            Ok(Box::new(self.clone()))
        }
    }

    #[async_trait]
    impl Loader for FakeLoad {
        async fn insert(&mut self, _: Record) -> Result<(), LoadError> {
            Ok(())
        }

        async fn commit(self: Box<Self>) -> Result<(), LoadError> {
            Ok(())
        }
    }

    /// An input that ends after `max_lines` lines, or when the load has begun.
    struct Input {
        lines: u64,
        max_lines: u64,
        load: FakeLoad,
        began_before_the_end: Arc<AtomicBool>,
    }

    impl Read for Input {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let has_begun = self.load.0.load(SeqCst);
            if has_begun || self.lines == self.max_lines {
                self.began_before_the_end.store(has_begun, SeqCst);
                return Ok(0);
            }
            self.lines += 1;
            buffer[..FAMILY_LINE.len()].copy_from_slice(FAMILY_LINE);
            Ok(FAMILY_LINE.len())
        }
    }

    /// Imports at most `max_lines` lines. Returns whether the load began before the end of the input.
    async fn load_begins_early(max_lines: u64) -> bool {
        let (load, began_before_the_end) = (FakeLoad::default(), Arc::<AtomicBool>::default());
        let input =
            Input { lines: 0, max_lines, load: load.clone(), began_before_the_end: Arc::clone(&began_before_the_end) };
        import(input, &load, Progress::Silent).await.unwrap_or_else(|error| panic!("{error}"));
        assert!(load.0.load(SeqCst));
        began_before_the_end.load(SeqCst)
    }

    #[tokio::test]
    async fn a_short_input_is_read_to_its_end_before_the_load_begins() {
        for lines in [0, 1, PREPARSED_BYTES / FAMILY_LINE.len() as u64 / 2] {
            assert!(!load_begins_early(lines).await, "{lines}");
        }
    }

    #[tokio::test]
    async fn the_load_of_a_long_input_begins_before_its_end() {
        assert!(load_begins_early(u64::MAX).await);
    }
}
