//! Compression of responses (content codings, RFC 9110, section 8.4.1).

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The default level of zstd. It compresses a family's JSON to about a tenth, in about 1 ms for 100 KB.
const ZSTD_LEVEL: i32 = 3;

/// The coding of a response body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContentCoding {
    /// No compression.
    #[default]
    Identity,
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl ContentCoding {
    /// Returns the value of the `Content-Encoding` header, or `None` for [`Identity`](Self::Identity), which needs no
    /// header.
    #[must_use]
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Zstd => Some("zstd"),
        }
    }

    /// Encodes bytes.
    pub(crate) fn encode(self, bytes: &[u8]) -> io::Result<Box<[u8]>> {
        let encoded = match self {
            Self::Identity => bytes.to_owned(),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(bytes)?;
                encoder.finish()?
            }
            Self::Zstd => zstd::bulk::compress(bytes, ZSTD_LEVEL)?,
        };
        // Conversion to a boxed slice frees the spare capacity of the vector. The spare capacity can be as large as the
        // result, and would stay allocated while the result is in the cache.
        Ok(encoded.into())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::ContentCoding::{Gzip, Identity, Zstd};

    #[test]
    fn encoded_bytes_decode_to_the_input() {
        let text = r#"{"id":"t","title":"Buy milk"}"#.repeat(1000);
        assert_eq!(*Identity.encode(text.as_bytes()).unwrap(), *text.as_bytes());
        let zstd = Zstd.encode(text.as_bytes()).unwrap();
        assert_eq!(zstd::bulk::decompress(&zstd, text.len()).unwrap(), text.as_bytes());
        let gzip = Gzip.encode(text.as_bytes()).unwrap();
        let mut read = String::new();
        GzDecoder::new(&*gzip).read_to_string(&mut read).unwrap();
        assert_eq!(read, text);
        assert!(zstd.len() < text.len() / 7 && gzip.len() < text.len() / 7);
    }
}
