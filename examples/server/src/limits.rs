//! Limits of connections: sizes, timeouts and the send buffer.

use std::io;
use std::time::Duration;

use rustix::net::sockopt::set_socket_send_buffer_size;
use salvo::Server;
use salvo::fuse::FuseConfig;
use tokio::net::TcpListener;

use crate::server::ListeningSocket;

/// Timeout for the head of a request, and for an idle connection between two requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Timeout from the end of the head to the response. With the head, a request takes at most 30 seconds.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Time in which the client must read a whole response.
pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeout of a connection without traffic. It is longer than [`REQUEST_TIMEOUT`]: otherwise it would close connections
/// whose request is still in progress.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of the request line and the headers, in bytes.
const MAX_HEAD_SIZE: u16 = 16 * 1024;

/// Maximum size of the read buffer of each connection, in bytes. It bounds the memory of many large uploads.
const MAX_READ_BUFFER: u16 = 32 * 1024;

/// Size of a connection's send buffer, in bytes. Linux doubles it.
///
/// By default the operating system buffers megabytes for each connection. A client that never reads could then make the
/// server generate megabytes of responses.
const SEND_BUFFER_SIZE: usize = 128 * 1024;

/// Sets the send buffer of every connection that the listener will accept.
///
/// # Errors
/// The operating system's error.
pub(crate) fn set_send_buffer(listener: &TcpListener) -> io::Result<()> {
    Ok(set_socket_send_buffer_size(listener, SEND_BUFFER_SIZE)?)
}

/// Applies the limits to the HTTP/1.1 connections of a server.
///
/// The server does not speak HTTP/2, because these limits cannot be enforced on HTTP/2. Every proxy supports HTTP/1.1.
pub(crate) fn apply(server: Server<ListeningSocket>) -> Server<ListeningSocket> {
    let fuse = FuseConfig::default().with_http1_header_timeout(HEAD_TIMEOUT).with_connection_idle_timeout(IDLE_TIMEOUT);
    let mut server = server.fuse_config(fuse);
    let http1 = server.http1_mut();
    // The number of header lines keeps hyper's default, 100. hyper parses up to 100 lines on the stack. With any other
    // limit, it allocates and initializes as many for every request: 5,400 instructions for 512 lines.
    http1.max_header_size(MAX_HEAD_SIZE.into()).max_buf_size(MAX_READ_BUFFER.into());
    server
}
