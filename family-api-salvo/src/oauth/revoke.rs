//! Ends a connection at the client's request (RFC 7009).

use bytes::Bytes;
use family_api_core::grant::TokenError;
use salvo::http::{ResBody, StatusCode};
use salvo::{Depot, Request, Response, handler};

use crate::guard::PrivateResponse;
use crate::oauth::OAuthContext;
use crate::oauth::endpoint_error::EndpointError;
use crate::oauth::token::read_parameters;

/// The path of the revocation endpoint.
pub(crate) const PATH: &str = "/oauth/revoke";

/// Handles `POST /oauth/revoke`. An access token and a refresh token both end the whole connection.
///
/// An unknown token gets 200, too, but counts as invalid. `token_type_hint` is ignored, because a token shows its type.
pub(crate) struct Revoke;

#[handler]
impl Revoke {
    async fn handle(req: &mut Request, depot: &Depot, res: &mut Response) -> Result<(), EndpointError> {
        let oauth = OAuthContext::of(depot)?;
        let parameters = read_parameters(req).await?;
        let (token, client_id) = (parameters.get("token")?, parameters.find("client_id")?);
        match oauth.grants()?.revoke_token(token, client_id).await {
            Ok(()) => {}
            Err(TokenError::InvalidGrant(_)) => oauth.count_invalid(req)?,
            Err(error) => return Err(error.into()),
        }
        PrivateResponse::no_store(res);
        res.status_code(StatusCode::OK);
        // salvo logs a warning for each success without a body, even if it is meant to be empty.
        res.replace_body(ResBody::Once(Bytes::new()));
        Ok(())
    }
}
