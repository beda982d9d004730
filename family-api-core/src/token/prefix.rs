//! The prefixes of the tokens of grants.

/// The prefix of the access tokens of grants.
pub(crate) const ACCESS: &str = "fama_";

/// The prefix of the codes of grants.
pub(crate) const CODE: &str = "famc_";

/// The prefix of the refresh tokens of grants.
pub(crate) const REFRESH: &str = "famr_";

/// Returns whether a text has the prefix of a token of a grant. The prefix of keys must not begin with it.
pub(crate) fn is_grant_token_like(text: &str) -> bool {
    [ACCESS, CODE, REFRESH].iter().any(|prefix| text.starts_with(prefix))
}
