//! Stop signals and graceful shutdown.

use std::io;
use std::time::Duration;

use salvo::server::ServerHandle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

/// Time in which running requests can finish after a stop signal.
const GRACE_PERIOD: Duration = Duration::from_secs(10);

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

    /// Waits for `SIGTERM` or `SIGINT`.
    pub(crate) async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Waits until the socket is closed, then lets running requests finish for up to 10 seconds. Then aborts them.
pub(crate) async fn finish(socket_closed: oneshot::Receiver<()>, server: ServerHandle) {
    if socket_closed.await.is_ok() {
        server.stop_graceful(GRACE_PERIOD);
    }
}
