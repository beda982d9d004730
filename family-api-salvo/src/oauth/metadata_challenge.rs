//! Leads clients from a challenge of an MCP endpoint to the metadata (RFC 9728, section 5.1).

use family_api_core::Surface;
use family_api_core::key::ScopeSet;
use salvo::http::header::WWW_AUTHENTICATE;
use salvo::http::{HeaderValue, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::oauth::AuthorizationServer;
use crate::oauth::metadata::{names, resource_metadata_url};
use crate::oauth::public_url_source::PublicUrlSource;

/// Adds `resource_metadata` to the challenge in each 401 and 403 of a surface's MCP endpoint, and all scopes of the
/// surface if the challenge has none. All other responses stay the same.
///
/// A 401 asks for all scopes, so that the user is asked once. The user narrows them. If a client later needs a scope
/// that the user withheld, the 403 asks for it.
pub(crate) struct MetadataChallenge {
    public_url: PublicUrlSource,
    surface: Surface,
    /// The scopes that a client can request for the endpoint.
    scopes: ScopeSet,
}

impl MetadataChallenge {
    pub(crate) fn new(server: &AuthorizationServer, grantable: &ScopeSet, surface: Surface) -> Self {
        Self { public_url: server.public_url().clone(), surface, scopes: grantable.on(surface) }
    }
}

#[async_trait]
impl Handler for MetadataChallenge {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        if !matches!(res.status_code, Some(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)) {
            return;
        }
        let Some(public_url) = self.public_url.of(req) else { return };
        let url = resource_metadata_url(&public_url, self.surface);
        if let Some(challenge) = res.headers_mut().get_mut(WWW_AUTHENTICATE)
            && let Some(extended) = extend(challenge, &url, &self.scopes)
        {
            *challenge = extended;
        }
    }
}

/// Returns a challenge with the parameters. Keeps a `scope` that it already has.
fn extend(challenge: &HeaderValue, url: &str, scopes: &ScopeSet) -> Option<HeaderValue> {
    let challenge = challenge.to_str().ok()?;
    let scope =
        if challenge.contains("scope=") { String::new() } else { format!(r#", scope="{}""#, names(scopes).join(" ")) };
    HeaderValue::try_from(format!(r#"{challenge}, resource_metadata="{url}"{scope}"#)).ok()
}
