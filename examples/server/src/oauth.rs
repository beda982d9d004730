//! Decides whether assistants can connect without a key.

use std::net::SocketAddr;

use family_api_salvo::{OAuth, PublicUrl};

use crate::cli::{HttpOptions, OAuthOption, RateLimit};

/// Returns the options of the authorization server, or `None` if it is off.
///
/// Without a public URL, the addresses in the metadata come from the request. Only a loopback address is safe then,
/// because a name could be rebound to this server. Clients refuse `http` on any other host.
pub(crate) fn server(options: &HttpOptions, listening: SocketAddr) -> Option<OAuth> {
    let oauth = match (options.oauth, &options.public_url) {
        (OAuthOption::Auto, Some(url)) => {
            let Ok(issuer) = PublicUrl::try_from(url.clone()) else {
                tracing::warn!("assistants can connect only with a key, because the public URL is not https");
                return None;
            };
            OAuth::new(issuer)
        }
        (OAuthOption::Auto, None) if listening.ip().is_loopback() => OAuth::on_loopback(),
        (OAuthOption::Auto, None) => {
            tracing::warn!("assistants can connect only with a key: set --public-url to the https URL of this server");
            return None;
        }
        (OAuthOption::Off, _) => return None,
    };
    let oauth = oauth.with_root_aliases();
    Some(match options.rate_limit {
        RateLimit::PerMinute(_) => oauth,
        RateLimit::Off => oauth.without_registration_limit(),
    })
}
