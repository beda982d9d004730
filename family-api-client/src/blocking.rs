//! Calls for scripts, which wait for each answer.

use std::io;
use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::{Call, Error};

/// The one thread that drives the connections of all blocking calls of a process, also between them.
static RUNTIME: LazyLock<io::Result<Runtime>> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).thread_name("family-api").enable_all().build());

impl<T: 'static> Call<T> {
    /// Makes the call, and blocks the thread until it is answered.
    ///
    /// Where a tokio runtime is at hand, also in `spawn_blocking`, its `Handle` blocks on a call. A client whose calls were
    /// awaited has connections that only that runtime drives: a script waits for each call of a client, or for none.
    ///
    /// # Errors
    /// Those of the call; and one without a status in asynchronous code, which must not block: there, await it.
    pub fn wait(self) -> Result<T, Error> {
        if Handle::try_current().is_ok() {
            return Err(Error::configuration("asynchronous code awaits a call and does not wait for it"));
        }
        match &*RUNTIME {
            Ok(runtime) => runtime.block_on(self.into_future()),
            Err(_) => Err(Error::configuration("the operating system gives no thread to make calls on")),
        }
    }
}
