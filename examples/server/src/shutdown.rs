//! Stop signals and graceful shutdown.

use std::io;
use std::time::Duration;

use salvo::server::ServerHandle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

/// Time that running requests get to finish.
const GRACE: Duration = Duration::from_secs(10);

/// Handlers of `SIGTERM` and `SIGINT`.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// The operating system's error.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for one of the signals.
    pub(crate) async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Waits until the socket is closed, then lets running requests finish for up to 10 seconds. Later ones are aborted.
pub(crate) async fn finish(is_closed: oneshot::Receiver<()>, server: ServerHandle) {
    if is_closed.await.is_ok() {
        server.stop_graceful(GRACE);
    }
}
