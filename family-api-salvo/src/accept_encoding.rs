//! Negotiation of the content coding of a response (RFC 9110, section 12.5.3).

use family_api_core::ContentCoding;

/// Returns the coding with the highest weight in the `Accept-Encoding` headers of a request. If several codings have
/// this weight, it returns the one that compresses best.
///
/// Invalid elements are ignored. If the headers allow no coding, the result is [`ContentCoding::Identity`].
pub(crate) fn preferred<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> ContentCoding {
    let mut weights = Weights::default();
    lines.into_iter().for_each(|line| weights.parse_line(line));
    let codings = [ContentCoding::Identity, ContentCoding::Gzip, ContentCoding::Zstd];
    let by_weight = codings.into_iter().max_by_key(|coding| weights.of(*coding));
    by_weight.filter(|coding| weights.of(*coding) > 0).unwrap_or_default()
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
            _ => 0,
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
    use family_api_core::ContentCoding::{self, Gzip, Identity, Zstd};

    fn preferred(lines: &[&str]) -> ContentCoding {
        super::preferred(lines.iter().map(|line| line.as_bytes()))
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
}
