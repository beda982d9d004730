//! The header that authenticates calls.

use std::fmt;

use reqwest::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};

use crate::Error;

/// A header that contains secrets. `Debug` shows only the name of the header.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credential {
    name: HeaderName,
    value: HeaderValue,
    secrets: Vec<String>,
}

impl Credential {
    /// Creates an `Authorization: Bearer` header (RFC 6750).
    pub(crate) fn bearer(token: &str) -> Result<Self, Error> {
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::configuration(
                "the token is empty or contains characters that are not allowed in a token",
            ));
        }
        Self::new(AUTHORIZATION, &format!("Bearer {token}"), [token])
    }

    /// Creates a `Cookie` header from `name=value; …`. Every value is a secret.
    pub(crate) fn cookie(cookies: &str) -> Result<Self, Error> {
        let values = cookies.split(';').map(|cookie| cookie.split_once('=').map_or(cookie, |(_, value)| value));
        Self::new(COOKIE, cookies, values)
    }

    /// Creates a header with this name. The whole value is a secret. So is the part after a scheme such as `Bearer`.
    pub(crate) fn header(name: &str, value: &str) -> Result<Self, Error> {
        let name = HeaderName::try_from(name).map_err(|_| Error::configuration("the header name is invalid"))?;
        Self::new(name, value, [value].into_iter().chain(value.split_once(' ').map(|(_, rest)| rest)))
    }

    fn new<'a>(name: HeaderName, value: &str, secrets: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let header = HeaderValue::try_from(value).ok().filter(|_| !value.trim().is_empty());
        let mut header = header.ok_or(Error::configuration(
            "the secret is empty or contains characters that are not allowed in a header",
        ))?;
        header.set_sensitive(true);
        Ok(Self { name, value: header, secrets: secrets.into_iter().map(|secret| secret.trim().to_owned()).collect() })
    }

    pub(crate) fn to_header(&self) -> (HeaderName, HeaderValue) {
        (self.name.clone(), self.value.clone())
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str)
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
    fn secrets_are_marked_sensitive_and_absent_from_debug_output() {
        for credential in [
            Credential::bearer("canary-token").unwrap(),
            Credential::cookie("session=canary-token; other=canary-other").unwrap(),
            Credential::header("x-session", "canary-token").unwrap(),
            Credential::header("authorization", "Basic canary-token").unwrap(),
        ] {
            assert!(credential.secrets().any(|secret| secret == "canary-token"));
            let (name, value) = credential.to_header();
            assert!(value.is_sensitive() && !format!("{credential:?} {name:?} {value:?}").contains("canary"));
        }
    }

    #[test]
    fn an_invalid_header_value_is_refused_and_not_quoted() {
        for bad in [Credential::bearer(""), Credential::bearer("can ary"), Credential::bearer("can\u{e9}ary")] {
            assert!(!format!("{:?}", bad.unwrap_err()).contains("ary"));
        }
        assert!(Credential::cookie("a=can\nary").is_err() && Credential::header("a b", "c").is_err());
        assert!(Credential::cookie("").is_err() && Credential::header("x-session", " ").is_err());
    }
}
