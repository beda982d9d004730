//! A persistent connection.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Request, Response};
use crate::failure::{BoxError, Result};

/// Size of the read buffer in bytes. Most responses fit into the buffer, so a response needs few reads.
const BUFFER_SIZE: usize = 128 * 1024;

pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![] })
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn send(&mut self, request: &Request) -> Result<Response<'_>> {
        self.stream.write_all(request.as_bytes()).await?;
        self.buffer.clear();
        while Response::parse(&self.buffer)?.is_none() {
            self.buffer.reserve(BUFFER_SIZE);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(BoxError::from("the connection closed before the end of the response"));
            }
        }
        Response::parse(&self.buffer)?.ok_or_else(|| BoxError::from("no response"))
    }
}
