//! Runs long computations beside the workers of the runtime.

use tokio::task::spawn_blocking;
use tracing::Span;

use crate::storage::StorageError;

/// Runs a computation on a blocking thread, because it can take milliseconds and would delay other requests.
pub(super) async fn run_blocking<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StorageError> {
    let span = Span::current();
    spawn_blocking(move || span.in_scope(compute)).await.map_err(StorageError::backend)
}
