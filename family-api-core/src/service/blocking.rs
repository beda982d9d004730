//! Runs long computations beside the workers of the runtime.

use tokio::task::spawn_blocking;
use tracing::Span;

use crate::storage::StorageError;

/// The bytes from which a document is worth the change to a blocking thread. A shorter one is parsed and searched in
/// less than half a millisecond. The change takes about a fifth of a millisecond of CPU.
pub(super) const LONG_DOCUMENT: usize = 128 * 1_024;

/// Runs a computation on a blocking thread, because it can take milliseconds and would delay other requests.
pub(super) async fn run_blocking<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StorageError> {
    let span = Span::current();
    spawn_blocking(move || span.in_scope(compute)).await.map_err(StorageError::backend)
}

/// Runs a computation over a document of this length: on a blocking thread only if it is long.
pub(super) async fn run_if_long<T: Send + 'static>(
    length: usize,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StorageError> {
    if length >= LONG_DOCUMENT { run_blocking(compute).await } else { Ok(compute()) }
}
