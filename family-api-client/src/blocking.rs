//! Blocking calls, for scripts.

use std::io;
use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::{Call, Error};

/// A runtime with one thread, which drives the connections of all blocking calls of the process, also between calls.
static RUNTIME: LazyLock<io::Result<Runtime>> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).thread_name("family-api").enable_all().build());

impl<T: 'static> Call<T> {
    /// Sends the call and blocks the thread until it completes.
    ///
    /// Inside a tokio runtime, including `spawn_blocking`, use `Handle::block_on` on the call instead. Do not mix
    /// `wait` and `.await` on one client: only the runtime that opened a connection drives it.
    ///
    /// # Errors
    /// The errors of the call. A [configuration error](Error::is_configuration) inside a tokio runtime, where the call
    /// must be awaited.
    pub fn wait(self) -> Result<T, Error> {
        if Handle::try_current().is_ok() {
            return Err(Error::configuration("`wait` was called inside an async runtime: use `.await` instead"));
        }
        match &*RUNTIME {
            Ok(runtime) => runtime.block_on(self.into_future()),
            Err(_) => Err(Error::configuration("the operating system could not start the thread for blocking calls")),
        }
    }
}
