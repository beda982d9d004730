//! The session cookie (RFC 6265): how the secret travels.

use family_api_core::key::{KeyDigest, KeySecret};
use family_api_salvo::Origin;
use salvo::http::header::COOKIE;
use salvo::http::{HeaderMap, HeaderName};

/// The cookie's name.
pub(crate) const NAME: &str = "family_session";
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// How long a session lives, in seconds: 30 days.
pub(crate) const LIFETIME: i64 = 30 * 24 * 60 * 60;

/// The digest of the secret that a request presents; two cookies of that name are none.
pub(crate) fn presented(headers: &HeaderMap) -> Option<KeyDigest> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut secrets = pairs.filter(|(name, _)| *name == NAME).map(|(_, secret)| secret);
    let secret = secrets.next()?;
    secrets.next().is_none().then(|| KeyDigest::of(secret))
}

/// Whether browsers reach the server through TLS, so that the cookie must not travel without.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    public_url: Option<Origin>,
}

impl Transport {
    pub(crate) fn new(public_url: Option<Origin>) -> Self {
        Self { public_url }
    }

    /// The `Set-Cookie` that gives the browser a secret to keep.
    pub(crate) fn keep(&self, secret: &KeySecret, request: &HeaderMap) -> String {
        self.write(secret.expose(), LIFETIME, request)
    }

    /// The `Set-Cookie` that takes it away again.
    pub(crate) fn forget(&self, request: &HeaderMap) -> String {
        self.write("", 0, request)
    }

    fn write(&self, value: &str, max_age: i64, request: &HeaderMap) -> String {
        let secure = if self.is_tls(request) { "; Secure" } else { "" };
        format!("{NAME}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={max_age}{secure}")
    }

    fn is_tls(&self, request: &HeaderMap) -> bool {
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
    fn exactly_one_cookie_of_the_name_is_a_session() {
        let digest = Some(KeyDigest::of("s"));
        for (lines, found) in [
            (&["family_session=s"][..], digest),
            (&["a=b; family_session=s;c=d"], digest),
            (&["a=b", "family_session=s"], digest),
            (&["family_session=s; family_session=s"], None),
            (&["family_session=s", "family_session=t"], None),
            (&["Family_session=s"], None),
            (&["xfamily_session=s", "family_session"], None),
            (&[], None),
        ] {
            assert_eq!(presented(&headers(&COOKIE, lines)), found, "{lines:?}");
        }
    }

    #[test]
    fn the_cookie_is_secure_where_browsers_use_tls() {
        let plain = headers(&FORWARDED_PROTO, &["http"]);
        let (http, https) = (Transport::new(None), Transport::new("https://family.example".parse().ok()));
        assert_eq!(http.forget(&plain), "family_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
        assert!(https.forget(&plain).ends_with("; Secure"));
        assert!(http.forget(&headers(&FORWARDED_PROTO, &["HTTPS"])).ends_with("; Secure"));
    }
}
