//! Runs long computations beside the workers of the runtime.

use serde::de::DeserializeOwned;
use tokio::task::spawn_blocking;
use tracing::Span;

use crate::error::Error;
use crate::resource::Document;
use crate::service::ReadService;
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

/// Runs a computation over a document of this length: on a blocking thread only if it is long.
pub(super) async fn run_if_long<T: Send + 'static>(
    length: usize,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StorageError> {
    if length >= LONG_DOCUMENT { run_blocking(compute).await } else { Ok(compute()) }
}

impl ReadService<'_> {
    /// Parses and searches a document, both of which take a time that grows with its length.
    pub(super) async fn search<D: DeserializeOwned + Send + 'static, T: Send + 'static>(
        &self,
        document: Document<D>,
        search: impl FnOnce(D) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let is_long = document.as_bytes().len() >= LONG_DOCUMENT;
        let search = move || search(document.parse().map_err(StorageError::from)?);
        if is_long { self.compute(search).await } else { search() }
    }

    /// Runs a computation over documents of the caller's family on a blocking thread.
    pub(super) async fn compute<T: Send + 'static>(
        &self,
        compute: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let load = self.api.loads.enter_again(&self.caller.member()?.family).begin().await?;
        run_blocking(move || {
            // The computation owns the load, because it goes on if the request is cancelled.
            let _load = load;
            compute()
        })
        .await?
    }
}
