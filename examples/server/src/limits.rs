//! Limits of connections: sizes and timeouts that apply before any handler runs.

use std::io;
use std::time::Duration;

use rustix::net::sockopt::set_socket_send_buffer_size;
use salvo::Server;
use salvo::fuse::FuseConfig;
use tokio::net::TcpListener;

use crate::socket::Socket;

/// Timeout for the head of a request, and for an idle connection between two requests.
const HEAD: Duration = Duration::from_secs(10);

/// Timeout for the rest of a request. Together with the head: 30 seconds.
pub(crate) const REQUEST: Duration = Duration::from_secs(20);

/// Time in which the client must read a whole response.
pub(crate) const ANSWER: Duration = Duration::from_secs(30);

/// Timeout of a connection without any traffic; not shorter than a request may take.
const IDLE: Duration = Duration::from_secs(30);

/// Maximum size of the request line and the headers, in bytes.
const HEADERS: u16 = 16 * 1024;

/// Maximum number of header lines: 16 KiB of lines of 32 bytes.
const HEADER_LINES: usize = 512;

/// Maximum size of the read buffer of each connection, in bytes. It bounds the memory of many large uploads.
const READ_BUFFER: u16 = 32 * 1024;

/// Size of a connection's send buffer, in bytes; Linux doubles it.
///
/// By default the operating system buffers megabytes for each connection. A client that never reads could then make the
/// server generate as many bytes of responses.
const SEND_BUFFER: usize = 128 * 1024;

/// Sets the send buffer of every connection that the listener will accept.
///
/// # Errors
/// The operating system's error.
pub(crate) fn set_send_buffer(listener: &TcpListener) -> io::Result<()> {
    Ok(set_socket_send_buffer_size(listener, SEND_BUFFER)?)
}

/// Applies the limits of HTTP/1.1.
///
/// The server speaks no other protocol: every proxy supports HTTP/1.1, and these limits cannot be enforced on HTTP/2.
pub(crate) fn apply(server: Server<Socket>) -> Server<Socket> {
    let fuse = FuseConfig::default().with_http1_header_timeout(HEAD).with_connection_idle_timeout(IDLE);
    let mut server = server.fuse_config(fuse);
    let http1 = server.http1_mut();
    http1.max_header_size(HEADERS.into()).max_headers(HEADER_LINES).max_buf_size(READ_BUFFER.into());
    server
}
