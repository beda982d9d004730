//! When to stop, and for how long.

use std::io;
use std::time::Duration;

use salvo::server::ServerHandle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

/// How long running requests may take to finish.
const GRACE: Duration = Duration::from_secs(10);

/// `SIGTERM` and `SIGINT`, caught from the moment this exists.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Catches the signals.
    ///
    /// # Errors
    /// The operating system's, where it refuses.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for one of them.
    pub(crate) async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Lets running requests finish once the socket is closed; those that take too long are cut off.
pub(crate) async fn finish(is_closed: oneshot::Receiver<()>, server: ServerHandle) {
    if is_closed.await.is_ok() {
        server.stop_graceful(GRACE);
    }
}
