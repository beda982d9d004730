//! The thread that reads the input and hands its batches to the cores.

use std::io::{BufReader, Read};
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::import::batch::{Batch, Prepared};
use crate::import::lines::Lines;
use crate::import::{ImportError, Progress};
use crate::password::Hasher;

/// A batch under way, or why there is none.
type Next = Result<JoinHandle<Result<Prepared, ImportError>>, ImportError>;

/// The batches of an input in its order, and how far it has been read.
pub(super) struct Batches {
    receiver: mpsc::Receiver<Next>,
    records: u64,
    progress: Progress,
}

impl Batches {
    /// Starts to read.
    ///
    /// The thread is not waited for: one that still waits for standard input must not hold the process.
    pub(super) fn of(input: impl Read + Send + 'static, progress: Progress) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (sender, receiver) = mpsc::channel(cores);
        let runtime = Handle::current();
        std::thread::spawn(move || read(input, &runtime, &sender));
        Self { receiver, records: 0, progress }
    }

    /// Returns the next batch, or `None` at the end of the input.
    pub(super) async fn next(&mut self) -> Result<Option<Prepared>, ImportError> {
        let Some(batch) = self.receiver.recv().await else {
            return Ok(None);
        };
        let batch = batch?.await.map_err(ImportError::Interrupted)??;
        self.records += batch.records.len() as u64;
        self.progress.advance(batch.bytes, self.records);
        Ok(Some(batch))
    }

    /// Returns the first batches: all of the input, or as many as hold `most` bytes of it.
    pub(super) async fn gather(&mut self, most: u64) -> Result<Vec<Prepared>, ImportError> {
        let mut gathered = Vec::new();
        let mut bytes = 0;
        while bytes < most {
            let Some(batch) = self.next().await? else { break };
            bytes += batch.bytes;
            gathered.push(batch);
        }
        Ok(gathered)
    }

    /// Takes the progress off the terminal.
    pub(super) fn finish(self) {
        self.progress.finish();
    }
}

fn read(input: impl Read, runtime: &Handle, sender: &mpsc::Sender<Next>) {
    let hasher = Arc::<Hasher>::default();
    let mut lines = Lines::of(BufReader::with_capacity(256 * 1024, input));
    loop {
        let next = match Batch::read(&mut lines) {
            Ok(batch) if batch.is_empty() => return,
            Ok(batch) => {
                let hasher = Arc::clone(&hasher);
                Ok(runtime.spawn_blocking(move || batch.prepare(&hasher)))
            }
            Err(error) => Err(error),
        };
        let last = next.is_err();
        // Nobody receives any more once the import has failed.
        if sender.blocking_send(next).is_err() || last {
            return;
        }
    }
}
