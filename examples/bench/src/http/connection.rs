//! A persistent connection.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Answer, Request};
use crate::failure::{Failure, Result};

/// Size of the read buffer. Larger than most responses, so that they need few reads.
const CHUNK: usize = 128 * 1024;

pub(crate) struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, received: vec![] })
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn ask(&mut self, request: &Request) -> Result<Answer<'_>> {
        self.stream.write_all(request.as_bytes()).await?;
        self.received.clear();
        while Answer::parse(&self.received)?.is_none() {
            self.received.reserve(CHUNK);
            if self.stream.read_buf(&mut self.received).await? == 0 {
                return Err(Failure::from("the connection closed before the end of the response"));
            }
        }
        Answer::parse(&self.received)?.ok_or_else(|| Failure::from("no response"))
    }
}
