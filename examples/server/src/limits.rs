//! What a connection may take of the server before any handler sees its request.

use std::io;
use std::time::Duration;

use rustix::net::sockopt::set_socket_send_buffer_size;
use salvo::Server;
use salvo::fuse::FuseConfig;
use tokio::net::TcpListener;

use crate::socket::Socket;

/// How long the head of a request may take, and how long a connection may wait for the next one.
const HEAD: Duration = Duration::from_secs(10);

/// How long the rest of it may take: with the head, 30 seconds.
pub(crate) const REQUEST: Duration = Duration::from_secs(20);

/// How long an answer that is there may take to be read by the client, all of it.
pub(crate) const ANSWER: Duration = Duration::from_secs(30);

/// How long a connection may be silent: longer than a request takes.
const SILENCE: Duration = Duration::from_secs(30);

/// The headers of a request and its first line, in bytes.
const HEADERS: u16 = 16 * 1024;

/// The lines that they may be: 16 KiB of any lines of 32 bytes.
const HEADER_LINES: usize = 512;

/// What is read ahead of a handler from each connection, in bytes: it bounds the memory of many that send much.
const READ_AHEAD: u16 = 32 * 1024;

/// What the operating system takes of the answers on a connection before their client reads, in bytes; Linux takes twice
/// as much. Left to itself it takes megabytes of each, and a client that never reads has as many answers made for it.
const SEND_BUFFER: usize = 128 * 1024;

/// Bounds the answers that wait to be read, on every connection that the socket will take.
///
/// # Errors
/// Where the operating system refuses.
pub(crate) fn bound_unread_answers(listener: &TcpListener) -> io::Result<()> {
    Ok(set_socket_send_buffer_size(listener, SEND_BUFFER)?)
}

/// Sets the limits of HTTP/1.1, the one protocol spoken here: proxies speak it too, and of HTTP/2 nobody could be held to
/// these.
pub(crate) fn impose(server: Server<Socket>) -> Server<Socket> {
    let fuse = FuseConfig::default().with_http1_header_timeout(HEAD).with_connection_idle_timeout(SILENCE);
    let mut server = server.fuse_config(fuse);
    let http1 = server.http1_mut();
    http1.max_header_size(HEADERS.into()).max_headers(HEADER_LINES).max_buf_size(READ_AHEAD.into());
    server
}
