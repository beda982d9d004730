//! The thread that reads the input and hands its batches to the cores.

use std::io::{BufReader, Read};
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::import::ImportError;
use crate::import::batch::{Batch, Prepared};
use crate::import::lines::Lines;
use crate::password::Hasher;

/// A batch under way, or why there is none.
type Next = Result<JoinHandle<Result<Prepared, ImportError>>, ImportError>;

/// Starts to read; the batches come in the order of the input.
///
/// The thread is not waited for: one that still waits for standard input must not hold the process.
pub(super) fn spawn(input: impl Read + Send + 'static) -> mpsc::Receiver<Next> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (sender, receiver) = mpsc::channel(cores);
    let runtime = Handle::current();
    std::thread::spawn(move || read(input, &runtime, &sender));
    receiver
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
