//! An e-mail address on the command line.

use std::str::FromStr;

/// Maximum length, as in an import.
const MAX_LENGTH: usize = 320;

/// The address of a new user, or a new address, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmailAddress(String);

impl EmailAddress {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EmailAddress {
    type Err = &'static str;

    /// Accepts every address with one `@` between two other characters. Only a mail server knows more.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_address = text.split_once('@').is_some_and(|(user, host)| {
            !user.is_empty() && !host.is_empty() && !host.contains('@') && !text.contains(char::is_whitespace)
        });
        match text.chars().count() {
            ..=MAX_LENGTH if is_address => Ok(Self(text.to_ascii_lowercase())),
            ..=MAX_LENGTH => Err("expected an e-mail address, such as mia@family.example"),
            _ => Err("expected an e-mail address of at most 320 characters"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_at_sign_and_becomes_lower_case() {
        assert_eq!("Mia@Family.example".parse::<EmailAddress>().unwrap().as_str(), "mia@family.example");
        for text in ["", "mia", "@", "mia@", "@family.example", "a@b@c", "mia @family.example", "mia@x\n"] {
            assert!(text.parse::<EmailAddress>().is_err(), "{text:?}");
        }
        assert!(format!("{}@x", "a".repeat(318)).parse::<EmailAddress>().is_ok());
        assert!(format!("{}@x", "a".repeat(319)).parse::<EmailAddress>().is_err());
    }
}
