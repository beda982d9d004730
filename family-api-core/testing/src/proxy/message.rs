//! As much of PostgreSQL's protocol as tells one message from the next.
//!
//! See <https://www.postgresql.org/docs/current/protocol-message-formats.html>.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// One message with a type: that byte, four bytes of length, the content.
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let kind = from.read_u8().await?;
        Ok(Self(read_rest(vec![kind], from).await?))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Passwords, of which there are as many as the server asks for, do not count.
    pub(super) fn counts(&self) -> bool {
        self.kind() != Some(b'p')
    }

    /// Whether this is a simple query that commits.
    pub(super) fn is_commit(&self) -> bool {
        let begins = self.0.get(5..11).is_some_and(|text| text.eq_ignore_ascii_case(b"COMMIT"));
        self.kind() == Some(b'Q') && begins
    }

    /// Whether the server has answered and waits for the next query.
    pub(super) fn is_ready_for_query(&self) -> bool {
        self.kind() == Some(b'Z')
    }

    fn kind(&self) -> Option<u8> {
        self.0.first().copied()
    }
}

/// Passes what a client sends before its first message with a type: requests for encryption, then its name and database.
pub(super) async fn pass_startup(
    client: &mut (impl AsyncRead + Unpin),
    server: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    loop {
        let packet = read_rest(Vec::new(), client).await?;
        server.write_all(&packet).await?;
        // The protocol's major version; a request has another number in its place.
        if packet.get(4..6) == Some(&[0, 3]) {
            return Ok(());
        }
    }
}

/// Reads the length, which counts itself, and the content.
async fn read_rest(mut bytes: Vec<u8>, from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let length = from.read_u32().await?;
    bytes.extend(length.to_be_bytes());
    from.take(u64::from(length.saturating_sub(4))).read_to_end(&mut bytes).await?;
    Ok(bytes)
}
