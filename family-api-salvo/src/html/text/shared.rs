//! The texts that the page of keys and connections and the page of deleted records share.

use serde::Deserialize;

use super::problem::ProblemsText;

/// The texts of both pages.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SharedText {
    pub(crate) signed_in_as: &'static str,
    pub(crate) sign_out: &'static str,
    pub(crate) needs_script: &'static str,
    pub(crate) loading: &'static str,
    pub(crate) problems: ProblemsText,
}
