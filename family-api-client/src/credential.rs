//! The secret that calls carry, in the header that carries it.

use std::fmt;

use reqwest::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};

use crate::Error;

/// A header with a secret in it; `Debug` shows its name only.
#[derive(Clone)]
pub(crate) struct Credential {
    name: HeaderName,
    value: HeaderValue,
}

impl Credential {
    /// A token as RFC 6750 sends it.
    pub(crate) fn bearer(token: &str) -> Result<Self, Error> {
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::configuration("the token is empty or holds characters that no token has"));
        }
        Self::header(AUTHORIZATION.as_str(), &format!("Bearer {token}"))
    }

    /// A cookie, `name=value`.
    pub(crate) fn cookie(cookie: &str) -> Result<Self, Error> {
        Self::header(COOKIE.as_str(), cookie)
    }

    pub(crate) fn header(name: &str, value: &str) -> Result<Self, Error> {
        let name = HeaderName::try_from(name).map_err(|_| Error::configuration("that is no name of a header"))?;
        let value = HeaderValue::try_from(value);
        let mut value = value.map_err(|_| Error::configuration("the secret does not fit into a header"))?;
        value.set_sensitive(true);
        Ok(Self { name, value })
    }

    pub(crate) fn to_header(&self) -> (HeaderName, HeaderValue) {
        (self.name.clone(), self.value.clone())
    }

    /// Takes the secret out of a text that somebody else wrote.
    pub(crate) fn redact(&self, text: &str) -> String {
        let value = self.value.to_str().unwrap_or_default();
        let secrets = value.split([' ', '=', ';']).filter(|secret| secret.len() >= SHORTEST_SECRET);
        secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "[redacted]"))
    }
}

/// What is shorter is a word like `Bearer`.
const SHORTEST_SECRET: usize = 8;

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
