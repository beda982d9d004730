//! The session cookie (RFC 6265).

use family_api_core::key::{KeyDigest, KeySecret};
use family_api_salvo::Origin;
use salvo::Request;
use salvo::http::HeaderMap;
use salvo::http::header::COOKIE;
use salvo::http::uri::Scheme;

/// Name of the session cookie.
pub(crate) const NAME: &str = "family_session";

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

/// Writes the session cookie. The cookie is `Secure` if the public URL or the scheme of the request is `https`. A
/// trusted proxy names the scheme.
#[derive(Debug, Clone)]
pub(crate) struct CookieWriter {
    public_url: Option<Origin>,
}

impl CookieWriter {
    pub(crate) fn new(public_url: Option<Origin>) -> Self {
        Self { public_url }
    }

    /// Returns the `Set-Cookie` header that stores the secret in the browser.
    pub(crate) fn set_cookie(&self, secret: &KeySecret, req: &Request) -> String {
        self.write(secret.expose(), LIFETIME_SECONDS, req)
    }

    /// Returns the `Set-Cookie` header that removes the cookie.
    pub(crate) fn clear_cookie(&self, req: &Request) -> String {
        self.write("", 0, req)
    }

    fn write(&self, value: &str, max_age: i64, req: &Request) -> String {
        let secure = if self.uses_tls(req) { "; Secure" } else { "" };
        format!("{NAME}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={max_age}{secure}")
    }

    fn uses_tls(&self, req: &Request) -> bool {
        *req.scheme() == Scheme::HTTPS || self.public_url.as_ref().is_some_and(Origin::is_https)
    }
}

#[cfg(test)]
mod tests {
    use salvo::http::HeaderValue;

    use super::*;

    fn headers(lines: &[&'static str]) -> HeaderMap {
        lines.iter().map(|line| (COOKIE, HeaderValue::from_static(line))).collect()
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
            assert_eq!(session_digest(&headers(lines)), expected, "{lines:?}");
        }
    }

    #[test]
    fn the_cookie_is_secure_if_browsers_use_tls() {
        let (http, https) = (CookieWriter::new(None), CookieWriter::new("https://family.example".parse().ok()));
        let mut req = Request::new();
        assert_eq!(http.clear_cookie(&req), "family_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
        assert!(https.clear_cookie(&req).ends_with("; Secure"));
        req.headers_mut().insert("x-forwarded-proto", HeaderValue::from_static("https"));
        assert!(!http.clear_cookie(&req).ends_with("; Secure"), "no trusted proxy has sent the header");
        *req.scheme_mut() = Scheme::HTTPS;
        assert!(http.clear_cookie(&req).ends_with("; Secure"));
    }
}
