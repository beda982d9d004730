//! Runs long computations beside the workers of the runtime.

use serde::de::DeserializeOwned;
use tokio::task::spawn_blocking;
use tracing::Span;

use crate::error::Error;
use crate::resource::Document;
use crate::storage::StorageError;

/// The bytes from which a document is worth the change to a blocking thread. A shorter one is parsed and searched in
/// less than half a millisecond. The change takes about a fifth of a millisecond of CPU.
const LONG_DOCUMENT: usize = 128 * 1_024;

/// Runs a computation on a blocking thread, because it can take milliseconds and would delay other requests.
pub(super) async fn run_blocking<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StorageError> {
    let span = Span::current();
    spawn_blocking(move || span.in_scope(compute)).await.map_err(StorageError::backend)
}

/// Parses and searches a document, both of which take a time that grows with its length.
pub(super) async fn compute<D: DeserializeOwned + Send + 'static, T: Send + 'static>(
    document: Document<D>,
    search: impl FnOnce(D) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let is_long = document.as_bytes().len() >= LONG_DOCUMENT;
    let compute = move || search(document.parse().map_err(StorageError::from)?);
    if is_long { run_blocking(compute).await? } else { compute() }
}
