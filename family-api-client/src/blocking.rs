//! Blocking calls, for scripts.

use std::io;
use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::{Call, Error};

/// The runtime of all blocking calls of the process. Its thread also serves idle connections between calls.
static RUNTIME: LazyLock<io::Result<Runtime>> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).thread_name("family-api").enable_all().build());

impl<T: 'static, C> Call<T, C> {
    /// Sends the call and blocks the thread until the call completes.
    ///
    /// In async code, use `.await` instead. In `spawn_blocking`, use `Handle::block_on` of tokio. Do not mix `wait` and
    /// `.await` on one client: a connection works only while the runtime that opened the connection runs.
    ///
    /// # Errors
    /// The errors of the call. Inside a tokio runtime, a [configuration error](Error::is_configuration).
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
