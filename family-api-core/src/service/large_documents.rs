//! Bounds the large documents that are parsed or encoded at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::service::family_loads::TooManyLoads;

/// The size in bytes from which a document is large. Its records take about twice its size.
const LARGE_DOCUMENT: usize = 4 * 1_024 * 1_024;

/// The maximum time for which a document waits. Its family has a load meanwhile.
const WAIT: Duration = Duration::from_secs(1);

/// Permits one large document at a time, of all families. Otherwise, the documents of a few families could take more
/// memory than the process has, and would keep all cores busy. The JSON of a document that waits is in memory: at
/// most two loads of each family have such JSON.
#[derive(Debug, Clone)]
pub(super) struct LargeDocuments(Arc<Semaphore>);

/// The permit for a large document. Whatever works on the document owns it.
#[derive(Debug)]
pub(super) struct LargeDocument {
    _permit: OwnedSemaphorePermit,
}

impl Default for LargeDocuments {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl LargeDocuments {
    /// Waits until no other large document is worked on. Returns `None` if a document of this length is not large.
    /// Documents whose records are in memory together count as one, with the sum of their lengths.
    ///
    /// # Errors
    /// [`TooManyLoads`] after [`WAIT`].
    pub(super) async fn begin(&self, length: usize) -> Result<Option<LargeDocument>, TooManyLoads> {
        if length < LARGE_DOCUMENT {
            return Ok(None);
        }
        match timeout(WAIT, Arc::clone(&self.0).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Some(LargeDocument { _permit: permit })),
            // Nothing closes the semaphore.
            Ok(Err(_)) | Err(_) => Err(TooManyLoads),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::poll_immediate;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_second_large_document_waits_and_a_smaller_one_does_not() {
        let documents = LargeDocuments::default();
        let first = documents.begin(LARGE_DOCUMENT).await.unwrap().unwrap();
        let mut second = Box::pin(documents.begin(LARGE_DOCUMENT));
        assert!(poll_immediate(&mut second).await.is_none());
        assert!(documents.begin(LARGE_DOCUMENT - 1).await.unwrap().is_none());
        drop(first);
        let _second = second.await.unwrap().unwrap();
        // Nothing ends within the time to wait.
        assert!(documents.begin(usize::MAX).await.is_err());
    }
}
