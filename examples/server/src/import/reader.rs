//! The thread that reads the input and spawns a task for each batch.

use std::io::{BufReader, Read};

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::import::batch::{Batch, ParsedBatch};
use crate::import::lines::Lines;
use crate::import::{ImportError, Progress};

/// A task that parses a batch, or the error of reading the batch.
type ParseTask = Result<JoinHandle<Result<ParsedBatch, ImportError>>, ImportError>;

/// The parsed batches of an input in their order, and the progress display.
pub(super) struct Batches {
    receiver: mpsc::Receiver<ParseTask>,
    records: u64,
    progress: Progress,
}

impl Batches {
    /// Starts the thread that reads the input.
    ///
    /// The thread is never joined, because it can still wait for standard input when the process exits.
    pub(super) fn of(input: impl Read + Send + 'static, progress: Progress) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (sender, receiver) = mpsc::channel(cores);
        let runtime = Handle::current();
        std::thread::spawn(move || read(input, &runtime, &sender));
        Self { receiver, records: 0, progress }
    }

    /// Returns the next batch, or `None` at the end of the input.
    pub(super) async fn next(&mut self) -> Result<Option<ParsedBatch>, ImportError> {
        let Some(batch) = self.receiver.recv().await else {
            return Ok(None);
        };
        let batch = batch?.await.map_err(ImportError::Interrupted)??;
        self.records += batch.records.len() as u64;
        self.progress.advance(batch.bytes, self.records);
        Ok(Some(batch))
    }

    /// Returns the first batches: the whole input, or at least `min_bytes` of it.
    pub(super) async fn read_ahead(&mut self, min_bytes: u64) -> Result<Vec<ParsedBatch>, ImportError> {
        let mut batches = Vec::new();
        let mut bytes = 0;
        while bytes < min_bytes {
            let Some(batch) = self.next().await? else { break };
            bytes += batch.bytes;
            batches.push(batch);
        }
        Ok(batches)
    }

    /// Clears the progress display.
    pub(super) fn finish(self) {
        self.progress.finish();
    }
}

fn read(input: impl Read, runtime: &Handle, sender: &mpsc::Sender<ParseTask>) {
    let mut lines = Lines::of(BufReader::with_capacity(256 * 1024, input));
    loop {
        let next = match Batch::read(&mut lines) {
            Ok(batch) if batch.is_empty() => return,
            Ok(batch) => Ok(runtime.spawn_blocking(move || batch.parse())),
            Err(error) => Err(error),
        };
        let is_last = next.is_err();
        // The receiver has been dropped if the import has failed.
        if sender.blocking_send(next).is_err() || is_last {
            return;
        }
    }
}
