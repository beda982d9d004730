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
            self.fill().await?;
        }
        Response::parse(&self.buffer)?.ok_or_else(|| BoxError::from("no response"))
    }

    /// Sends a request and returns the status of the response. Reads the body, but does not keep it.
    pub(crate) async fn status_of(&mut self, request: &Request) -> Result<u16> {
        self.stream.write_all(request.as_bytes()).await?;
        self.buffer.clear();
        let (status, mut missing) = loop {
            if let Some(head) = Response::parse_head(&self.buffer)? {
                break head;
            }
            self.fill().await?;
        };
        while missing > 0 {
            self.buffer.clear();
            missing = missing.saturating_sub(self.fill().await?);
        }
        Ok(status)
    }

    /// Reads more bytes into the buffer and returns their number.
    async fn fill(&mut self) -> Result<usize> {
        self.buffer.reserve(BUFFER_SIZE);
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(BoxError::from("the connection closed before the end of the response")),
            length => Ok(length),
        }
    }
}
