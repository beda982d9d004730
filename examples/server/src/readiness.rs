//! Tells the service manager that the server is ready.

use std::env;
use std::os::unix::net::UnixDatagram;

/// The variable with the path of the service manager's socket (`sd_notify(3)`).
const SOCKET_VARIABLE: &str = "NOTIFY_SOCKET";

/// Tells the service manager that the server accepts connections. Does nothing if no service manager waits for it.
pub(crate) fn notify() {
    if let Some(path) = env::var_os(SOCKET_VARIABLE)
        && let Err(error) = UnixDatagram::unbound().and_then(|socket| socket.send_to(b"READY=1", path))
    {
        tracing::warn!(%error, "cannot tell the service manager that the server is ready");
    }
}
