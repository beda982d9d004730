//! The documents from which clients learn how to connect: the protected resource metadata (RFC 9728) and the
//! authorization server metadata (RFC 8414).

use family_api_core::key::{Scope, ScopeSet};
use family_api_core::{Surface, paths};
use salvo::http::header::CACHE_CONTROL;
use salvo::http::{HeaderValue, StatusCode};
use salvo::{Request, Response, Router, handler};
use serde_json::{Value, json as document};

use crate::oauth::client::register;
use crate::oauth::public_cors::PublicCors;
use crate::oauth::public_url_source::PublicUrlSource;
use crate::oauth::{AuthorizationServer, OAuth, PublicUrl, authorize, json_body, revoke, token};
use crate::{HttpError, Methods};

const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";
const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";

/// The documents of a fixed URL change only when the operator changes the options.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// On loopback, the documents depend on the headers of the request.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// Returns the URL of the metadata of a surface's MCP endpoint.
pub(super) fn resource_metadata_url(url: &PublicUrl, surface: Surface) -> String {
    format!("{}{PROTECTED_RESOURCE}{}{}", url.origin(), url.path(), paths::mcp(surface))
}

/// Returns the names of scopes, as a document or a challenge lists them.
pub(super) fn names(scopes: &ScopeSet) -> Vec<&str> {
    scopes.iter().map(Scope::as_str).collect()
}

/// Builds the router of the documents. It belongs to the root of the origin, because an issuer's path follows the
/// well-known part of the URL (RFC 8414, section 3.1).
pub(crate) fn router(server: &AuthorizationServer, grantable: &ScopeSet, surfaces: &[Surface]) -> Router {
    let prefix = server.public_url().path();
    let resource =
        |surface: Surface| ResourceMetadata { server: server.clone(), surface, scopes: grantable.on(surface) };
    let mut router = Router::new().hoop(PublicCors::GET);
    for surface in surfaces.iter().copied() {
        let path = format!("{PROTECTED_RESOURCE}{prefix}{}", paths::mcp(surface));
        router = router.push(Methods::new().get(resource(surface)).at(&path));
    }
    if surfaces.contains(&server.main()) {
        router = router.push(Methods::new().get(resource(server.main())).at(PROTECTED_RESOURCE));
    }
    if let Some(oauth) = server.built_in() {
        let metadata = ServerMetadata { oauth: oauth.clone(), scopes: grantable.clone() };
        router = router.push(Methods::new().get(metadata).at(&format!("{AUTHORIZATION_SERVER}{prefix}")));
    }
    router
}

/// Serves the metadata of an MCP endpoint.
struct ResourceMetadata {
    server: AuthorizationServer,
    surface: Surface,
    /// The scopes that a client can request for the endpoint.
    scopes: ScopeSet,
}

#[handler]
impl ResourceMetadata {
    fn handle(&self, req: &Request, res: &mut Response) -> Result<(), HttpError> {
        let source = self.server.public_url();
        let url = source.require(req)?;
        let issuer = match &self.server {
            AuthorizationServer::BuiltIn(_) => url.to_string(),
            AuthorizationServer::External(external) => external.issuer.clone(),
        };
        render(
            source,
            &document!({
                "resource": url.resource(self.surface),
                "authorization_servers": [issuer],
                "scopes_supported": names(&self.scopes),
                "bearer_methods_supported": ["header"],
            }),
            res,
        );
        Ok(())
    }
}

/// Serves the metadata of the authorization server.
struct ServerMetadata {
    oauth: OAuth,
    /// The scopes that a client can request for any endpoint.
    scopes: ScopeSet,
}

#[handler]
impl ServerMetadata {
    fn handle(&self, req: &Request, res: &mut Response) -> Result<(), HttpError> {
        let issuer = self.oauth.issuer.require(req)?;
        render(
            &self.oauth.issuer,
            &document!({
                "issuer": issuer.to_string(),
                "authorization_endpoint": issuer.url(authorize::PATH),
                "token_endpoint": issuer.url(token::PATH),
                "registration_endpoint": issuer.url(register::PATH),
                "revocation_endpoint": issuer.url(revoke::PATH),
                "scopes_supported": names(&self.scopes),
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint_auth_methods_supported": ["none"],
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": true,
                "client_id_metadata_document_supported": self.oauth.documents.is_some(),
            }),
            res,
        );
        Ok(())
    }
}

/// Renders a document. Only that of a fixed URL can be cached.
fn render(url: &PublicUrlSource, document: &Value, res: &mut Response) {
    json_body::render(StatusCode::OK, document, res);
    let cache = match url {
        PublicUrlSource::Fixed(_) => CACHE,
        PublicUrlSource::Loopback => NO_CACHE,
    };
    res.headers_mut().insert(CACHE_CONTROL, cache);
}
