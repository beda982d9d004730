//! What a connection may take of the server before any handler sees its request.

use std::time::Duration;

use salvo::Server;
use salvo::fuse::FuseConfig;

use crate::socket::Socket;

/// How long the head of a request may take, and how long a connection may wait for the next one.
const HEAD: Duration = Duration::from_secs(10);

/// How long the rest of it may take: with the head, 30 seconds.
pub(crate) const REQUEST: Duration = Duration::from_secs(20);

/// How long an answer that is there may take to be read by the client, all of it.
pub(crate) const ANSWER: Duration = Duration::from_secs(30);

/// How long a connection may be silent, whatever its protocol: longer than a request takes.
const SILENCE: Duration = Duration::from_secs(30);

/// The headers of a request, in bytes; with HTTP/1, its first line too.
const HEADERS: u16 = 16 * 1024;

/// What is read ahead of a handler from each connection, in bytes: it bounds the memory of many that send much.
const READ_AHEAD: u16 = 32 * 1024;

/// The same for each stream of HTTP/2, of which a connection has as many as it likes up to a bound.
const STREAMS: u32 = 64;

/// Sets the limits of the protocols.
pub(crate) fn impose(server: Server<Socket>) -> Server<Socket> {
    let fuse = FuseConfig::default().with_http1_header_timeout(HEAD).with_connection_idle_timeout(SILENCE);
    let mut server = server.fuse_config(fuse);
    server.http1_mut().max_header_size(HEADERS.into()).max_buf_size(READ_AHEAD.into());
    let http2 = server.http2_mut();
    http2.max_header_list_size(HEADERS.into()).max_concurrent_streams(STREAMS);
    http2.initial_stream_window_size(u32::from(READ_AHEAD)).initial_connection_window_size(4 * u32::from(READ_AHEAD));
    server
}
