//! The command `health`: checks a running server.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::cli::HealthOptions;
use crate::error::CommandError;
use crate::output;

/// Maximum time for the connection and the answer. The server itself needs milliseconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Size of the part of the answer that is read, in bytes. It contains the status.
const STATUS_LINE: u64 = 64;

/// Runs the command. Prints `ok` if the server answers with 200.
pub(crate) async fn run(options: HealthOptions) -> Result<(), CommandError> {
    let HealthOptions { listen: address, ready } = options;
    let path = if ready { "/readyz" } else { "/healthz" };
    let answer = timeout(TIMEOUT, status(&address, path)).await;
    match answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
        Ok(200) => output::print("ok"),
        Ok(status) => Err(CommandError::Unhealthy { address, status }),
        Err(source) => Err(CommandError::NoAnswer { address, source }),
    }
}

/// Sends a GET request and returns the status of the answer.
async fn status(address: &str, path: &str) -> io::Result<u16> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(STATUS_LINE).read_to_end(&mut answer).await?;
    parse_status(&answer).ok_or_else(|| io::Error::other("it is not an HTTP server"))
}

fn parse_status(answer: &[u8]) -> Option<u16> {
    let status = answer.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
    std::str::from_utf8(status).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_in_the_first_line() {
        assert_eq!(parse_status(b"HTTP/1.1 503 Service Unavailable\r\n"), Some(503));
        for other in ["", "HTTP/1.1 ", "HTTP/1.1 2", "HTTP/1.1 abc", "SSH-2.0-OpenSSH"] {
            assert_eq!(parse_status(other.as_bytes()), None, "{other}");
        }
    }
}
