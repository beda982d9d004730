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
    /// Returns the coding with the highest weight in the `Accept-Encoding` headers of a request (RFC 9110, section
    /// 12.5.3). If several codings have this weight, it returns the one that compresses best.
    ///
    /// Invalid elements are ignored. If the headers allow no coding, the result is [`Identity`](Self::Identity).
    ///
    /// ```
    /// use family_api_core::ContentCoding;
    ///
    /// let preferred = |header: &str| ContentCoding::preferred([header.as_bytes()]);
    /// assert_eq!(preferred("gzip, deflate, br, zstd"), ContentCoding::Zstd);
    /// assert_eq!(preferred("gzip, zstd;q=0.5"), ContentCoding::Gzip);
    /// assert_eq!(preferred("zstd;q=0"), ContentCoding::Identity);
    /// ```
    #[must_use]
    pub fn preferred<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut weights = Weights::default();
        lines.into_iter().for_each(|line| weights.parse_line(line));
        let by_weight = [Self::Identity, Self::Gzip, Self::Zstd].into_iter().max_by_key(|coding| weights.of(*coding));
        by_weight.filter(|coding| weights.of(*coding) > 0).unwrap_or_default()
    }

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

/// The weights of the codings in `Accept-Encoding`, in thousandths. A weight is `None` if the client does not name the
/// coding.
#[derive(Default)]
struct Weights {
    gzip: Option<u16>,
    zstd: Option<u16>,
    identity: Option<u16>,
    wildcard: Option<u16>,
}

impl Weights {
    fn parse_line(&mut self, line: &[u8]) {
        for element in line.split(|byte| *byte == b',') {
            let (coding, weight) = split_weight(element);
            let Some(weight) = weight else { continue };
            let coding = coding.to_ascii_lowercase();
            match coding.as_slice() {
                b"gzip" | b"x-gzip" => self.gzip = Some(weight),
                b"zstd" => self.zstd = Some(weight),
                b"identity" => self.identity = Some(weight),
                b"*" => self.wildcard = Some(weight),
                _ => {}
            }
        }
    }

    /// Returns the weight of a coding. A coding that the client does not name has the weight of `*`, or 0 without `*`.
    /// `identity` then has the weight 1, the lowest that allows a coding, except if `*` has the weight 0.
    fn of(&self, coding: ContentCoding) -> u16 {
        match coding {
            ContentCoding::Gzip => self.gzip.or(self.wildcard).unwrap_or(0),
            ContentCoding::Zstd => self.zstd.or(self.wildcard).unwrap_or(0),
            ContentCoding::Identity => self.identity.or(self.wildcard.map(|wildcard| wildcard.min(1))).unwrap_or(1),
        }
    }
}

/// Splits `gzip;q=0.5` into `gzip` and 500. The weight is `None` if it is invalid.
fn split_weight(element: &[u8]) -> (&[u8], Option<u16>) {
    let mut parts = element.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    let coding = parts.next().unwrap_or_default();
    let weight = match (parts.next(), parts.next()) {
        (None, _) => Some(1000),
        (Some(parameter), None) => parse_weight(parameter),
        _ => None,
    };
    (coding, weight)
}

/// Parses `q=0.5` as 500.
fn parse_weight(parameter: &[u8]) -> Option<u16> {
    let value = parameter.strip_prefix(b"q=").or_else(|| parameter.strip_prefix(b"Q="))?;
    let (whole, decimals) = match value {
        [whole] | [whole, b'.'] => (whole, &[][..]),
        [whole, b'.', decimals @ ..] if decimals.len() <= 3 => (whole, decimals),
        _ => return None,
    };
    let digits = [whole].into_iter().chain(decimals).chain(std::iter::repeat_n(&b'0', 3 - decimals.len()));
    let weight = digits.into_iter().try_fold(0, |weight: u16, digit| {
        let digit = char::from(*digit).to_digit(10)?;
        Some(weight * 10 + u16::try_from(digit).ok()?)
    });
    weight.filter(|weight| *weight <= 1000)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::ContentCoding::{self, Gzip, Identity, Zstd};

    fn preferred(lines: &[&str]) -> ContentCoding {
        ContentCoding::preferred(lines.iter().map(|line| line.as_bytes()))
    }

    #[test]
    fn the_highest_weight_wins_and_the_best_compression_breaks_ties() {
        for (lines, coding) in [
            (&["gzip, deflate, br, zstd"][..], Zstd),
            (&["gzip, deflate, br"], Gzip),
            (&["br"], Identity),
            (&["gzip", "zstd"], Zstd),
            (&["zstd;q=0.3, gzip;q=0.31"], Gzip),
            (&["ZSTD ; q=0.001"], Zstd),
            (&["x-gzip;Q=1.000"], Gzip),
            (&["*"], Zstd),
            (&["*;q=0.5, zstd;q=0"], Gzip),
            (&["identity, zstd;q=0.9"], Identity),
            (&["identity;q=0.5, zstd;q=0.5"], Zstd),
        ] {
            assert_eq!(preferred(lines), coding, "{lines:?}");
        }
    }

    #[test]
    fn excluded_missing_or_invalid_codings_give_identity() {
        for lines in [
            &[][..],
            &[""],
            &["zstd;q=0, gzip;q=0.000"],
            &["*;q=0"],
            &["identity;q=0"],
            &["zstd;q=1.001"],
            &["zstd;q=2"],
            &["zstd;q="],
            &["zstd;q=0.0001"],
            &["zstd;q=0,5"],
            &["zstd;q=.5"],
            &["zstd;level=3"],
            &["zstd;q=1;q=1"],
            &["zstd gzip"],
            &["\u{e9}"],
        ] {
            assert_eq!(preferred(lines), Identity, "{lines:?}");
        }
    }

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
