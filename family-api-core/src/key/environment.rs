//! Environment tokens: tokens from the configuration, for controlled environments (HTTP reference, "Environment
//! tokens").

use std::fmt;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::id::UserId;
use crate::key::{KeyDigest, KeyPrefix, MAX_TOKEN_BYTES};
use crate::token::has_reserved_prefix;

/// Tokens from the configuration of a server. They grant access to the read path only.
#[derive(Clone, Default)]
pub struct EnvironmentTokens(Vec<(KeyDigest, UserId)>);

/// An entry of the list is invalid. The message contains the number of the entry, and never its secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("entry {number} of the environment tokens {fault}")]
pub struct InvalidEnvironmentToken {
    /// The position of the entry in the list. The first entry is 1, and empty entries count.
    pub number: usize,
    /// The reason why the entry is invalid.
    pub fault: &'static str,
}

impl EnvironmentTokens {
    /// Returns whether there is no token.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Parses a comma-separated list of `<user_id>|<SECRET>`. No secret may begin with `prefix`, the prefix of keys.
    ///
    /// # Errors
    /// [`InvalidEnvironmentToken`] for the first invalid entry (HTTP reference, "Environment tokens").
    pub fn parse(list: &str, prefix: &KeyPrefix) -> Result<Self, InvalidEnvironmentToken> {
        let mut tokens = Self::default();
        for (number, entry) in (1..).zip(list.split(',')) {
            let entry = entry.trim();
            if !entry.is_empty() {
                let token = parse_entry(entry, prefix).map_err(|fault| InvalidEnvironmentToken { number, fault })?;
                if tokens.0.iter().any(|(digest, _)| *digest == token.0) {
                    return Err(InvalidEnvironmentToken { number, fault: "repeats the secret of an earlier entry" });
                }
                tokens.0.push(token);
            }
        }
        Ok(tokens)
    }

    /// Returns the digests of all tokens.
    pub(crate) fn digests(&self) -> Vec<KeyDigest> {
        self.0.iter().map(|(digest, _)| *digest).collect()
    }

    /// Returns the user whose token has the digest.
    ///
    /// Compares all digests, each in constant time, so that the duration does not reveal which token matches.
    #[must_use]
    pub fn find(&self, presented: &KeyDigest) -> Option<&UserId> {
        let mut found = 0_u64;
        for (number, (digest, _)) in (1_u64..).zip(&self.0) {
            let is_equal: Choice = digest.ct_eq(presented);
            found.conditional_assign(&number, is_equal);
        }
        let index = usize::try_from(found).ok()?.checked_sub(1)?;
        self.0.get(index).map(|(_, user)| user)
    }
}

fn parse_entry(entry: &str, prefix: &KeyPrefix) -> Result<(KeyDigest, UserId), &'static str> {
    let (user, secret) = entry.split_once('|').ok_or("has no `|`")?;
    let (user, secret) = (user.trim(), secret.trim());
    if user.is_empty() {
        return Err("has no user id");
    }
    if secret.is_empty() {
        return Err("has no secret");
    }
    if secret.len() > MAX_TOKEN_BYTES {
        return Err("has a secret of more than 512 bytes");
    }
    if !secret.bytes().all(|b| b.is_ascii_graphic()) {
        return Err("has a secret with characters outside visible ASCII");
    }
    if secret.starts_with(prefix.as_str()) {
        return Err("has a secret that begins with the prefix of integration keys");
    }
    if has_reserved_prefix(secret) {
        return Err("has a secret that begins with a prefix of OAuth tokens");
    }
    let user = user.parse().map_err(|_| "has an invalid user id")?;
    Ok((KeyDigest::of(secret), user))
}

impl fmt::Debug for EnvironmentTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EnvironmentTokens({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(list: &str) -> Result<EnvironmentTokens, (usize, String)> {
        EnvironmentTokens::parse(list, &KeyPrefix::default()).map_err(|e| (e.number, e.to_string()))
    }

    #[test]
    fn entries_split_at_commas_and_the_first_bar_and_are_trimmed() {
        let tokens = parse(" , u1 | a|b , u2|c,").unwrap();
        assert_eq!(tokens.find(&KeyDigest::of("a|b")).unwrap().as_str(), "u1");
        assert_eq!(tokens.find(&KeyDigest::of("c")).unwrap().as_str(), "u2");
        assert_eq!(tokens.find(&KeyDigest::of("a")), None);
        assert_eq!(EnvironmentTokens::default().find(&KeyDigest::of("")), None);
    }

    #[test]
    fn debug_output_contains_only_the_number_of_tokens() {
        assert_eq!(format!("{:?}", parse("u|canary,v|other").unwrap()), "EnvironmentTokens(2)");
    }

    #[test]
    fn the_error_contains_the_entry_number_and_never_the_secret() {
        let long = format!("u|{}", "x".repeat(513));
        for bad in [
            "u",
            "|canary",
            "u|",
            "u|\u{e9}canary",
            "u|can ary",
            "u|fam_canary",
            "u|fama_canary",
            &long,
            "a b|canary",
            "u|canary,v|canary",
        ] {
            let (number, message) = parse(&format!(",{bad}")).unwrap_err();
            assert_eq!(number, if bad.contains(',') { 3 } else { 2 }, "{bad}");
            assert!(!message.contains("canary"), "{message}");
        }
        assert!(parse(&format!("u|{}", "x".repeat(512))).is_ok());
    }
}
