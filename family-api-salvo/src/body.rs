//! Reading a request's body: its type, its size, its JSON (HTTP reference, "Media types").

use bytes::Bytes;
use family_api_core::Error;
use family_api_core::change::Json;
use salvo::Request;
use salvo::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use salvo::http::{Mime, ParseError};

use crate::guard::InFlightPermit;

/// The largest body that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLimit(usize);

impl BodyLimit {
    /// No limit but the machine's.
    pub const NONE: Self = Self(usize::MAX);

    /// So many bytes; one more is 413.
    #[must_use]
    pub const fn of_bytes(bytes: usize) -> Self {
        Self(bytes)
    }
}

impl Default for BodyLimit {
    /// 256 KiB.
    fn default() -> Self {
        Self(256 * 1024)
    }
}

/// The media types that a route reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaTypes {
    /// `application/json`.
    Json,
    /// That, or `application/merge-patch+json` (RFC 7396): what a PATCH takes.
    JsonOrMergePatch,
    /// `application/x-www-form-urlencoded`: what a browser's form sends.
    Form,
}

impl MediaTypes {
    /// The types, as `Content-Type` names them.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["application/json"],
            Self::JsonOrMergePatch => &["application/json", "application/merge-patch+json"],
            Self::Form => &["application/x-www-form-urlencoded"],
        }
    }

    /// Whether the request declares its body to be of one of these types, in UTF-8.
    #[must_use]
    pub fn describe(self, req: &Request) -> bool {
        matches!(declared(req, self), Declared::Readable)
    }

    fn include(self, media_type: &str) -> bool {
        parse(media_type).is_some_and(|mime| self.names().contains(&mime.essence_str()) && is_utf8(&mime))
    }

    fn unsupported(self) -> Error {
        Error::UnsupportedMediaType {
            expected: match self {
                Self::Json => "application/json in UTF-8",
                Self::JsonOrMergePatch => "application/json or application/merge-patch+json in UTF-8",
                Self::Form => "application/x-www-form-urlencoded in UTF-8",
            },
        }
    }
}

/// Parses a media type. Blanks are allowed around each `;` (RFC 9110, section 5.6.6), which the parser does not know.
fn parse(media_type: &str) -> Option<Mime> {
    let parts: Vec<&str> = media_type.split(';').map(|part| part.trim_matches([' ', '\t'])).collect();
    parts.join(";").parse().ok()
}

fn is_utf8(mime: &Mime) -> bool {
    mime.params().all(|(name, value)| name != "charset" || value.as_str().eq_ignore_ascii_case("utf-8"))
}

/// Reads a body that is one JSON value, strictly: no framework's idea of JSON is asked.
///
/// # Errors
/// In this order: [`Error::UnsupportedMediaType`], [`Error::PayloadTooLarge`], [`Error::InvalidJson`]; and
/// [`Error::Overloaded`] as [`read_body`] has it.
pub async fn read_json(req: &mut Request, limit: BodyLimit, types: MediaTypes) -> Result<Json, Error> {
    match declared(req, types) {
        Declared::Readable => Json::parse(&read_body(req, limit).await?),
        Declared::Nothing => match read_body(req, limit).await {
            Ok(body) if body.is_empty() => Json::parse(&[]),
            Err(Error::Overloaded) => Err(Error::Overloaded),
            Ok(_) | Err(_) => Err(types.unsupported()),
        },
        Declared::Unreadable => Err(types.unsupported()),
    }
}

/// What the request says of its body's type.
enum Declared {
    Readable,
    Unreadable,
    /// Which is fine where there is nothing to describe.
    Nothing,
}

fn declared(req: &Request, types: MediaTypes) -> Declared {
    let mut values = req.headers().get_all(CONTENT_TYPE).iter();
    match (values.next(), values.next()) {
        (None, _) => Declared::Nothing,
        (Some(value), None) if value.to_str().is_ok_and(|value| types.include(value)) => Declared::Readable,
        _ => Declared::Unreadable,
    }
}

/// Reads a body of any type: at most as many bytes as the limit says, whether or not their number was announced.
///
/// Behind a [`LoadShed`](crate::LoadShed), the request is not at work while its body is on its way.
///
/// # Errors
/// [`Error::PayloadTooLarge`], [`Error::InvalidJson`] where the body broke off, and [`Error::Overloaded`] where it came
/// late and too many other requests are at work by then.
pub async fn read_body(req: &mut Request, BodyLimit(limit): BodyLimit) -> Result<Bytes, Error> {
    if announced(req).is_some_and(|length| length > limit as u64) {
        return Err(Error::PayloadTooLarge { limit });
    }
    let permit = InFlightPermit::of(req);
    match InFlightPermit::wait(permit, req.payload_with_max_size(limit)).await? {
        Ok(body) if body.len() <= limit => Ok(body.clone()),
        Ok(_) | Err(ParseError::PayloadTooLarge) => Err(Error::PayloadTooLarge { limit }),
        Err(_) => Err(Error::InvalidJson("it broke off".to_owned())),
    }
}

fn announced(req: &Request) -> Option<u64> {
    req.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_type_is_judged_by_its_essence_and_its_charset() {
        for good in [
            "application/json",
            "Application/JSON",
            "application/json;charset=utf-8",
            "application/json; charset=UTF-8",
            "application/json; charset=\"utf-8\"",
            "application/json; Charset=\"UTF-8\"",
            "Application/Json ; Charset=Utf-8",
            "application/json\t;\tcharset=utf-8 ; x=\"a ; b\"",
            " application/json ",
            "application/json;",
        ] {
            assert!(MediaTypes::Json.include(good), "{good}");
            assert!(MediaTypes::JsonOrMergePatch.include(good), "{good}");
        }
        for bad in [
            "",
            "json",
            "text/json",
            "text/plain",
            "application/json; charset=iso-8859-1",
            "application/json; charset=utf-8; charset=utf-16",
            "application/problem+json",
            "application/json, application/json",
            "application/json ; charset = utf-8",
            "application /json",
            "application/json ; charset=\"utf-8 ; x\"",
            "; application/json",
            "application/x-www-form-urlencoded",
        ] {
            assert!(!MediaTypes::JsonOrMergePatch.include(bad), "{bad}");
        }
        assert!(MediaTypes::JsonOrMergePatch.include("application/merge-patch+json; charset=utf-8"));
        assert!(!MediaTypes::Json.include("application/merge-patch+json"));
        assert!(MediaTypes::Form.include("Application/X-WWW-Form-Urlencoded ; Charset=UTF-8"));
        assert!(!MediaTypes::Form.include("application/json"));
    }
}
