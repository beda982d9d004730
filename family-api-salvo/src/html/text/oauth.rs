//! The texts of the consent page and of the errors that users see while they connect an app.

use serde::Deserialize;

use super::Message;

/// The texts of the authorization server.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub(crate) struct OAuthText {
    pub(crate) consent: ConsentText,
    pub(crate) errors: OAuthErrorText,
}

/// The texts of the consent page.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConsentText {
    pub(crate) title: &'static str,
    pub(crate) question: &'static str,
    /// The label of the name that the client claims.
    pub(crate) client: &'static str,
    pub(crate) no_name: &'static str,
    pub(crate) unchecked_name: &'static str,
    /// The label of the host of the client's metadata document.
    pub(crate) publisher: &'static str,
    /// The label of the host of the redirect address.
    pub(crate) destination: &'static str,
    /// The words for a loopback address.
    pub(crate) this_device: &'static str,
    /// The label of the user.
    pub(crate) user: &'static str,
    pub(crate) web_warning: &'static str,
    pub(crate) loopback_warning: &'static str,
    pub(crate) app_warning: &'static str,
    pub(crate) access: &'static str,
    /// The personal API is off.
    pub(crate) api_is_off: &'static str,
    pub(crate) enable_api: &'static str,
    pub(crate) enable_api_hint: &'static str,
    pub(crate) enable_api_required: &'static str,
    pub(crate) allow: &'static str,
    pub(crate) deny: &'static str,
    pub(crate) time_limit: &'static str,
    /// `{page}` is the page of keys and connections.
    pub(crate) end_later: &'static str,
}

/// The errors of a connection.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OAuthErrorText {
    /// What has happened although nothing was connected.
    pub(crate) personal_api_is_on: &'static str,
    pub(crate) malformed_request: Message,
    /// The client is known, but its request has a fault.
    pub(crate) refused_request: Message,
    /// Precedes the host of the redirect address, as a link.
    pub(crate) back_to_client: &'static str,
    pub(crate) unknown_client: Message,
    pub(crate) client_document: Message,
    pub(crate) foreign_redirect: Message,
    pub(crate) invalid_form: Message,
    pub(crate) expired: Message,
    pub(crate) used: Message,
    pub(crate) other_user: Message,
    pub(crate) signed_out: Message,
    pub(crate) cross_site: Message,
    pub(crate) limit_reached: Message,
    pub(crate) too_many_requests: Message,
    pub(crate) unavailable: Message,
    pub(crate) internal: Message,
}
