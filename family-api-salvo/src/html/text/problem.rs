//! Failures in words.

use serde::Deserialize;

/// Failures in words, for a person who has just tried something.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProblemsText {
    /// The title of a page that only reports a failure.
    pub(crate) title: &'static str,
    pub(crate) network: &'static str,
    pub(crate) not_signed_in: &'static str,
    /// The session ended while the page was open.
    pub(crate) signed_out: &'static str,
    /// The link to the sign-in page.
    pub(crate) sign_in: &'static str,
    pub(crate) cross_site: &'static str,
    pub(crate) api_disabled: &'static str,
    pub(crate) not_found: &'static str,
    pub(crate) key_limit_reached: &'static str,
    pub(crate) invalid: &'static str,
    /// A key was perhaps created, but the answer with it did not arrive.
    pub(crate) maybe_created: &'static str,
    /// `{seconds}` is the time to wait.
    pub(crate) rate_limited: &'static str,
    pub(crate) unavailable: &'static str,
    /// `{id}` is the id of the request, which is also in the log of the server.
    pub(crate) unexpected: &'static str,
}

impl ProblemsText {
    /// Returns the failures that a call of a script can have, by name.
    pub(crate) const fn of_calls(&self) -> [(&'static str, &'static str); 11] {
        [
            ("network", self.network),
            ("signed_out", self.signed_out),
            ("cross_site", self.cross_site),
            ("api_disabled", self.api_disabled),
            ("not_found", self.not_found),
            ("limit_reached", self.key_limit_reached),
            ("invalid", self.invalid),
            ("maybe_created", self.maybe_created),
            ("rate_limited", self.rate_limited),
            ("unavailable", self.unavailable),
            ("unexpected", self.unexpected),
        ]
    }
}
