//! The session cookie (RFC 6265).

use family_api_core::key::{KeyDigest, KeySecret};
use family_api_salvo::Origin;
use salvo::http::header::COOKIE;
use salvo::http::{HeaderMap, HeaderName};

/// Name of the session cookie.
pub(crate) const NAME: &str = "family_session";
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Lifetime of a session, in seconds: 30 days.
pub(crate) const LIFETIME_SECONDS: i64 = 30 * 24 * 60 * 60;

/// Returns the digest of the secret in the session cookie. Returns `None` if the request has no session cookie or two.
pub(crate) fn session_digest(headers: &HeaderMap) -> Option<KeyDigest> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut secrets = pairs.filter(|(name, _)| *name == NAME).map(|(_, secret)| secret);
    let secret = secrets.next()?;
    secrets.next().is_none().then(|| KeyDigest::of(secret))
}

/// Writes the session cookie. The cookie is `Secure` if the public URL or the header `X-Forwarded-Proto` is `https`.
#[derive(Debug, Clone)]
pub(crate) struct CookieWriter {
    public_url: Option<Origin>,
}

impl CookieWriter {
    pub(crate) fn new(public_url: Option<Origin>) -> Self {
        Self { public_url }
    }

    /// Returns the `Set-Cookie` header that stores the secret in the browser.
    pub(crate) fn set_cookie(&self, secret: &KeySecret, request: &HeaderMap) -> String {
        self.write(secret.expose(), LIFETIME_SECONDS, request)
    }

    /// Returns the `Set-Cookie` header that removes the cookie.
    pub(crate) fn clear_cookie(&self, request: &HeaderMap) -> String {
        self.write("", 0, request)
    }

    fn write(&self, value: &str, max_age: i64, request: &HeaderMap) -> String {
        let secure = if self.uses_tls(request) { "; Secure" } else { "" };
        format!("{NAME}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={max_age}{secure}")
    }

    fn uses_tls(&self, request: &HeaderMap) -> bool {
        let forwarded =
            request.get(FORWARDED_PROTO).is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"));
        forwarded || self.public_url.as_ref().is_some_and(Origin::is_https)
    }
}

#[cfg(test)]
mod tests {
    use salvo::http::HeaderValue;

    use super::*;

    fn headers(name: &HeaderName, lines: &[&'static str]) -> HeaderMap {
        lines.iter().map(|line| (name.clone(), HeaderValue::from_static(line))).collect()
    }

    #[test]
    fn exactly_one_session_cookie_is_accepted() {
        let digest = Some(KeyDigest::of("s"));
        for (lines, expected) in [
            (&["family_session=s"][..], digest),
            (&["a=b; family_session=s;c=d"], digest),
            (&["a=b", "family_session=s"], digest),
            (&["family_session=s; family_session=s"], None),
            (&["family_session=s", "family_session=t"], None),
            (&["Family_session=s"], None),
            (&["xfamily_session=s", "family_session"], None),
            (&[], None),
        ] {
            assert_eq!(session_digest(&headers(&COOKIE, lines)), expected, "{lines:?}");
        }
    }

    #[test]
    fn the_cookie_is_secure_if_browsers_use_tls() {
        let plain = headers(&FORWARDED_PROTO, &["http"]);
        let (http, https) = (CookieWriter::new(None), CookieWriter::new("https://family.example".parse().ok()));
        assert_eq!(http.clear_cookie(&plain), "family_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
        assert!(https.clear_cookie(&plain).ends_with("; Secure"));
        assert!(http.clear_cookie(&headers(&FORWARDED_PROTO, &["HTTPS"])).ends_with("; Secure"));
    }
}
