//! Leads clients from a 401 of an MCP endpoint to the metadata (RFC 9728, section 5.1).

use family_api_core::Surface;
use salvo::http::header::WWW_AUTHENTICATE;
use salvo::http::{HeaderValue, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::oauth::AuthorizationServer;
use crate::oauth::builder::IssuerSource;
use crate::oauth::metadata::{resource_metadata_url, scopes};

/// Adds `resource_metadata` and `scope` to the challenge in each 401 of a surface's MCP endpoint. All other responses stay
/// the same.
///
/// The scopes are all that the surface has, because a client does not ask for more later. The user narrows them.
pub(crate) struct Challenge {
    address: IssuerSource,
    surface: Surface,
}

impl Challenge {
    pub(crate) fn new(server: &AuthorizationServer, surface: Surface) -> Self {
        Self { address: server.address().clone(), surface }
    }
}

#[async_trait]
impl Handler for Challenge {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let address = self.address.of(req);
        ctrl.call_next(req, depot, res).await;
        let Some(address) = address.filter(|_| res.status_code == Some(StatusCode::UNAUTHORIZED)) else {
            return;
        };
        let url = resource_metadata_url(&address, self.surface);
        if let Some(challenge) = res.headers_mut().get_mut(WWW_AUTHENTICATE)
            && let Some(extended) = extend(challenge, &url, self.surface)
        {
            *challenge = extended;
        }
    }
}

/// Returns a challenge with the parameters. Keeps a `scope` that it already has.
fn extend(challenge: &HeaderValue, url: &str, surface: Surface) -> Option<HeaderValue> {
    let challenge = challenge.to_str().ok()?;
    let scope = if challenge.contains("scope=") {
        String::new()
    } else {
        format!(r#", scope="{}""#, scopes(surface).join(" "))
    };
    HeaderValue::try_from(format!(r#"{challenge}, resource_metadata="{url}"{scope}"#)).ok()
}
