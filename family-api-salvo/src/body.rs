//! Reads request bodies: checks media type, size and JSON (HTTP reference, "Media types").

use bytes::Bytes;
use family_api_core::Error;
use family_api_core::validation::Json;
use futures_util::StreamExt;
use salvo::Request;
use salvo::http::Mime;
use salvo::http::header::{CONTENT_LENGTH, CONTENT_TYPE};

use crate::HttpError;
use crate::guard::{Awaited, InFlightPermit, LoadShed};

/// The default limit, in bytes: the largest note, 200,000 characters, fits even if each of them is escaped as `\uXXXX`.
const DEFAULT_LIMIT: usize = 1_280 * 1024;

/// The maximum size of a request body. Default: 1.25 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLimit(usize);

impl BodyLimit {
    /// No limit.
    pub const NONE: Self = Self(usize::MAX);

    /// Sets the limit in bytes. A larger body gets 413.
    #[must_use]
    pub const fn of_bytes(bytes: usize) -> Self {
        Self(bytes)
    }
}

impl Default for BodyLimit {
    /// 1.25 MiB.
    fn default() -> Self {
        Self(DEFAULT_LIMIT)
    }
}

/// The media types that a route accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaTypes {
    /// `application/json`.
    Json,
    /// `application/json` or `application/merge-patch+json` (RFC 7396), for PATCH.
    JsonOrMergePatch,
    /// `application/x-www-form-urlencoded`, for HTML forms.
    Form,
}

impl MediaTypes {
    /// Returns the names of the media types.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["application/json"],
            Self::JsonOrMergePatch => &["application/json", "application/merge-patch+json"],
            Self::Form => &["application/x-www-form-urlencoded"],
        }
    }

    /// Returns whether the request's `Content-Type` is one of these types, with no charset other than UTF-8.
    #[must_use]
    pub fn matches(self, req: &Request) -> bool {
        matches!(content_type(req, self), ContentType::Supported)
    }

    fn contains(self, media_type: &str) -> bool {
        self.names().contains(&media_type)
            || parse_media_type(media_type)
                .is_some_and(|mime| self.names().contains(&mime.essence_str()) && is_utf8(&mime))
    }

    pub(crate) fn unsupported(self) -> HttpError {
        HttpError::UnsupportedMediaType {
            expected: match self {
                Self::Json => "application/json in UTF-8",
                Self::JsonOrMergePatch => "application/json or application/merge-patch+json in UTF-8",
                Self::Form => "application/x-www-form-urlencoded in UTF-8",
            },
        }
    }
}

/// Parses a media type. Removes the blanks around each `;` first: RFC 9110, section 5.6.6, allows them, but `Mime` does
/// not.
fn parse_media_type(media_type: &str) -> Option<Mime> {
    let parts: Vec<&str> = media_type.split(';').map(|part| part.trim_matches([' ', '\t'])).collect();
    parts.join(";").parse().ok()
}

fn is_utf8(mime: &Mime) -> bool {
    mime.params().all(|(name, value)| name != "charset" || value.as_str().eq_ignore_ascii_case("utf-8"))
}

/// Reads a body that is one JSON value. Uses the strict parser of [`Json`], because salvo's parser accepts duplicate
/// keys.
///
/// # Errors
/// [`HttpError::UnsupportedMediaType`], [`HttpError::PayloadTooLarge`] or [`Error::InvalidJson`], checked in this
/// order.
/// [`Error::Overloaded`] under the same condition as in [`read_body`].
pub async fn read_json(req: &mut Request, limit: BodyLimit, types: MediaTypes) -> Result<Json, HttpError> {
    Ok(Json::parse(&await_typed_body(req, limit, types).await?.output).map_err(Error::from)?)
}

/// Reads a body of these types, or an empty body without a type. Also returns whether the request waited for it.
pub(crate) async fn await_typed_body(
    req: &mut Request,
    limit: BodyLimit,
    types: MediaTypes,
) -> Result<Awaited<Bytes>, HttpError> {
    match content_type(req, types) {
        ContentType::Supported => await_body(req, limit).await,
        ContentType::Missing => match await_body(req, limit).await {
            Ok(body) if body.output.is_empty() => Ok(body),
            Err(HttpError::Api(Error::Overloaded)) => Err(Error::Overloaded.into()),
            Ok(_) | Err(_) => Err(types.unsupported()),
        },
        ContentType::Unsupported => Err(types.unsupported()),
    }
}

/// The result of comparing `Content-Type` with the accepted types.
enum ContentType {
    Supported,
    Unsupported,
    /// The header is absent. This is allowed if the body is empty.
    Missing,
}

fn content_type(req: &Request, types: MediaTypes) -> ContentType {
    let mut values = req.headers().get_all(CONTENT_TYPE).iter();
    match (values.next(), values.next()) {
        (None, _) => ContentType::Missing,
        (Some(value), None) if value.to_str().is_ok_and(|value| types.contains(value)) => ContentType::Supported,
        _ => ContentType::Unsupported,
    }
}

/// Reads a body of any type, up to the limit. The limit applies with and without `Content-Length`.
///
/// With [`LoadShed`](crate::LoadShed), a request does not count as in flight while it waits for its body.
///
/// # Errors
/// [`HttpError::PayloadTooLarge`] if the body exceeds the limit, [`Error::InvalidJson`] if it ends early, and
/// [`Error::Overloaded`] if the body arrived late and the maximum number of other requests then stays in flight for one
/// second, or if the maximum number of large bodies is already arriving.
pub async fn read_body(req: &mut Request, limit: BodyLimit) -> Result<Bytes, HttpError> {
    Ok(await_body(req, limit).await?.output)
}

/// Reads a body as [`read_body`] does. Also returns whether the request waited for it.
async fn await_body(req: &mut Request, BodyLimit(limit): BodyLimit) -> Result<Awaited<Bytes>, HttpError> {
    if content_length(req).is_some_and(|length| length > limit as u64) {
        return Err(HttpError::PayloadTooLarge { limit });
    }
    let permit = InFlightPermit::of(req);
    let load_shed = LoadShed::of(req);
    let Awaited { output, is_late } = InFlightPermit::wait(permit, collect(req, limit, load_shed)).await?;
    Ok(Awaited { output: output?, is_late })
}

/// Collects a body. A large one takes a permit when more of it arrives than of a small one. What the client only
/// promises takes none.
async fn collect(req: &mut Request, limit: usize, load_shed: Option<LoadShed>) -> Result<Bytes, HttpError> {
    let mut body = req.take_body();
    let mut collected = Vec::new();
    let mut arriving = None;
    while let Some(frame) = body.next().await {
        let frame = frame.map_err(|_| Error::InvalidJson("the body ended early".to_owned()))?;
        let Ok(data) = frame.into_data() else { continue };
        let length = collected.len() + data.len();
        if length > limit {
            return Err(HttpError::PayloadTooLarge { limit });
        }
        if let (Some(load_shed), None) = (&load_shed, &arriving) {
            arriving = load_shed.expect_body(length)?;
        }
        collected.extend_from_slice(&data);
    }
    Ok(collected.into())
}

fn content_length(req: &Request) -> Option<u64> {
    req.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_type_is_matched_by_essence_and_charset() {
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
            assert!(MediaTypes::Json.contains(good), "{good}");
            assert!(MediaTypes::JsonOrMergePatch.contains(good), "{good}");
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
            assert!(!MediaTypes::JsonOrMergePatch.contains(bad), "{bad}");
        }
        assert!(MediaTypes::JsonOrMergePatch.contains("application/merge-patch+json; charset=utf-8"));
        assert!(!MediaTypes::Json.contains("application/merge-patch+json"));
        assert!(MediaTypes::Form.contains("Application/X-WWW-Form-Urlencoded ; Charset=UTF-8"));
        assert!(!MediaTypes::Form.contains("application/json"));
    }
}
