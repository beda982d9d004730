//! Tells the service manager that the server is ready.

use std::env;
use std::ffi::OsStr;
use std::io;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The variable with the address of the service manager's socket (`sd_notify(3)`).
const SOCKET_VARIABLE: &str = "NOTIFY_SOCKET";

/// Tells the service manager that the server accepts connections. Does nothing if no service manager waits for it.
pub(crate) fn notify() {
    if let Some(address) = env::var_os(SOCKET_VARIABLE)
        && let Err(error) = send(&address)
    {
        tracing::warn!(%error, "cannot tell the service manager that the server is ready");
    }
}

fn send(address: &OsStr) -> io::Result<usize> {
    UnixDatagram::unbound()?.send_to_addr(b"READY=1", &parse(address)?)
}

/// Parses an address: a path, or `@` and a name in the abstract namespace of Linux.
fn parse(address: &OsStr) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(name) = address.as_bytes().strip_prefix(b"@") {
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(address)
}
