//! Connects an assistant, as a user would do it in a browser.

use std::path::Path;
use std::sync::Arc;

use family_api_core::grant::{Approval, CodeRedemption, CodeVerifier, OAuthClient};
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::KeyMode;
use family_api_core::storage::{GrantStorage, Storage};
use family_api_core::{FamilyApi, Surface};
use family_api_sql::postgres::PostgresOptions;
use family_api_sql::sqlite::SqliteOptions;
use serde_json::Value;

use super::answer;
use crate::dataset::{self, MEASURED_FAMILY};
use crate::failure::Result;
use crate::http::Request;
use crate::process::Server;

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const CLIENT: &str = "https://assistant.example/client.json";
const REDIRECT_URI: &str = "https://assistant.example/callback";

/// Returns an access token of a member of the measured family, who also has the key of the other scenarios. The token is
/// valid for an hour.
pub(super) async fn access_token(database: &str, server: &Server) -> Result<String> {
    let profile = answer(server, &Request::get("/api/v1/me").token(&dataset::token(MEASURED_FAMILY, 0))).await?;
    let profile: Value = serde_json::from_slice(&profile)?;
    let user: UserId = profile["id"].as_str().ok_or("the profile has no id")?.parse()?;
    let api = open(database).await?;
    let caller = api.session_caller(&user.into()).await?;
    let grants = api.grants().ok_or("the API has no grants")?;
    let approval = Approval {
        request: GrantId::new_v7(api.now(), [0; 10]),
        client: OAuthClient::new(CLIENT.to_owned(), None, "assistant.example".to_owned())?,
        redirect_uri: REDIRECT_URI.to_owned(),
        surface: Surface::V1,
        scopes: KeyMode::V1Read.scopes(),
        challenge: CHALLENGE.parse()?,
    };
    let code = grants.approve(&caller, approval).await?;
    let redemption = CodeRedemption {
        code,
        client_id: CLIENT.to_owned(),
        verifier: Some(VERIFIER.parse::<CodeVerifier>()?),
        redirect_uri: None,
        surface: Ok(None),
    };
    let tokens = grants.redeem(redemption).await?;
    Ok(tokens.access_token.expose().to_owned())
}

async fn open(database: &str) -> Result<FamilyApi> {
    if database.starts_with("sqlite:") {
        Ok(api(SqliteOptions::new(Path::new(database)).open().await?))
    } else {
        Ok(api(PostgresOptions::new(database).open().await?))
    }
}

fn api(storage: impl Storage + GrantStorage + Clone + 'static) -> FamilyApi {
    FamilyApi::builder(Arc::new(storage.clone())).grants(Arc::new(storage)).build()
}
