//! Splits PostgreSQL's protocol into messages.
//!
//! Source: <https://www.postgresql.org/docs/current/protocol-message-formats.html>.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// One typed message: one byte of type, four bytes of length, then the content.
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let kind = from.read_u8().await?;
        Ok(Self(read_rest(vec![kind], from).await?))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns whether the message is counted. Password messages are not counted, because their number depends on the
    /// server's authentication.
    pub(super) fn is_counted(&self) -> bool {
        self.kind() != Some(b'p')
    }

    /// Returns whether this is a `COMMIT` as a simple query.
    pub(super) fn is_commit(&self) -> bool {
        let begins = self.0.get(5..11).is_some_and(|text| text.eq_ignore_ascii_case(b"COMMIT"));
        self.kind() == Some(b'Q') && begins
    }

    /// Returns whether the server has finished its response and waits for the next query.
    pub(super) fn is_ready_for_query(&self) -> bool {
        self.kind() == Some(b'Z')
    }

    fn kind(&self) -> Option<u8> {
        self.0.first().copied()
    }
}

/// Forwards the messages without a type at the start: requests for encryption, then user and database names.
pub(super) async fn forward_startup(
    client: &mut (impl AsyncRead + Unpin),
    server: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    loop {
        let packet = read_rest(Vec::new(), client).await?;
        server.write_all(&packet).await?;
        // Bytes 4 and 5 are the protocol's major version, 3. A request for encryption has another number here.
        if packet.get(4..6) == Some(&[0, 3]) {
            return Ok(());
        }
    }
}

/// Reads the length, which includes its own four bytes, and the content.
async fn read_rest(mut bytes: Vec<u8>, from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let length = from.read_u32().await?;
    bytes.extend(length.to_be_bytes());
    from.take(u64::from(length.saturating_sub(4))).read_to_end(&mut bytes).await?;
    Ok(bytes)
}
