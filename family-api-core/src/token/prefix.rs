//! The prefixes of the credentials that are no keys.

/// The prefix of the access tokens of grants.
pub(crate) const ACCESS: &str = "fama_";

/// The prefix of the codes of grants.
pub(crate) const CODE: &str = "famc_";

/// The prefix of the refresh tokens of grants.
pub(crate) const REFRESH: &str = "famr_";

/// The prefix of the secrets of calendar feeds.
pub(crate) const FEED: &str = "famcal_";

/// Returns whether a text has the prefix of a credential that is no key. The prefix of keys must not begin with it.
pub(crate) fn has_reserved_prefix(text: &str) -> bool {
    [ACCESS, CODE, REFRESH, FEED].iter().any(|prefix| text.starts_with(prefix))
}
