//! The secret that calls carry, in the header that carries it.

use std::fmt;

use reqwest::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};

use crate::Error;

/// What is shorter is a name rather than a secret, and part of many words.
const SHORTEST_SECRET: usize = 6;

/// A header with secrets in it; `Debug` shows its name only.
#[derive(Clone)]
pub(crate) struct Credential {
    name: HeaderName,
    value: HeaderValue,
    secrets: Vec<String>,
}

impl Credential {
    /// A token as RFC 6750 sends it.
    pub(crate) fn bearer(token: &str) -> Result<Self, Error> {
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::configuration("the token is empty or holds characters that no token has"));
        }
        Self::new(AUTHORIZATION, &format!("Bearer {token}"), [token])
    }

    /// Cookies, `name=value; …`.
    pub(crate) fn cookie(cookies: &str) -> Result<Self, Error> {
        let values = cookies.split(';').map(|cookie| cookie.split_once('=').map_or(cookie, |(_, value)| value));
        Self::new(COOKIE, cookies, values)
    }

    /// Whatever else a host takes.
    pub(crate) fn header(name: &str, value: &str) -> Result<Self, Error> {
        let name = HeaderName::try_from(name).map_err(|_| Error::configuration("that is no name of a header"))?;
        Self::new(name, value, [value])
    }

    fn new<'a>(name: HeaderName, value: &str, secrets: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let value = HeaderValue::try_from(value);
        let mut value = value.map_err(|_| Error::configuration("the secret does not fit into a header"))?;
        value.set_sensitive(true);
        let secrets =
            secrets.into_iter().map(|secret| secret.trim().to_owned()).filter(|secret| secret.len() >= SHORTEST_SECRET);
        Ok(Self { name, value, secrets: secrets.collect() })
    }

    pub(crate) fn to_header(&self) -> (HeaderName, HeaderValue) {
        (self.name.clone(), self.value.clone())
    }

    /// Takes the secrets out of a text that somebody else wrote.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "[redacted]"))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credential({}: [redacted])", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_in_no_debug_output_and_is_taken_out_of_texts() {
        for credential in [
            Credential::bearer("canary-token").unwrap(),
            Credential::cookie("session=canary-token; other=canary-other").unwrap(),
            Credential::header("x-session", "canary-token").unwrap(),
        ] {
            assert!(!format!("{credential:?}").contains("canary"));
            assert_eq!(credential.redact("Bearer canary-token was refused"), "Bearer [redacted] was refused");
        }
    }

    #[test]
    fn what_fits_into_no_header_is_refused_and_not_quoted() {
        for bad in [Credential::bearer(""), Credential::bearer("can ary"), Credential::bearer("can\u{e9}ary")] {
            assert!(!format!("{:?}", bad.unwrap_err()).contains("ary"));
        }
        assert!(Credential::cookie("a=can\nary").is_err() && Credential::header("a b", "c").is_err());
    }
}
