//! Starts a connection as an assistant does, up to the sign-in page.

use family_api_client::reqwest::Url;
use family_api_client::reqwest::header::{CONTENT_TYPE, LOCATION};
use serde_json::Value;

use super::probe::{Answer, Probe};
use super::report::Check;

const REGISTRATION: &str = "registration";
const SIGN_IN: &str = "sign-in page";
const REDIRECT_URI: &str = "http://127.0.0.1/callback";
const CLIENT: &str = r#"{"client_name": "family doctor", "redirect_uris": ["http://127.0.0.1/callback"]}"#;
/// The code challenge in RFC 7636, appendix B. No code is issued, because no user signs in.
const CODE_CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Registers a client, asks for authorization without a session, and loads the page to which the service redirects.
/// Checks nothing if the metadata names no registration.
pub(crate) async fn check(probe: &Probe, metadata: &Value) -> Vec<Check> {
    let Some(registration) = metadata["registration_endpoint"].as_str() else { return Vec::new() };
    let client = match register(probe, registration).await {
        Ok(client) => client,
        Err(fault) => return vec![Check::failed(REGISTRATION, fault)],
    };
    let authorize = metadata["authorization_endpoint"].as_str().unwrap_or_default();
    let page = match load_page(probe, authorize, &client).await {
        Ok(()) => Check::ok(SIGN_IN, "the authorization page leads to it"),
        Err(fault) => Check::failed(SIGN_IN, fault),
    };
    vec![Check::ok(REGISTRATION, "answers"), page]
}

/// Returns the id of the client.
async fn register(probe: &Probe, url: &str) -> Result<String, String> {
    let answer = probe.post(url, "application/json", CLIENT).await?;
    let client = answer.json()["client_id"].as_str().map(str::to_owned);
    client.filter(|_| answer.status == 201).ok_or_else(|| refused(url, &answer))
}

async fn load_page(probe: &Probe, authorize: &str, client: &str) -> Result<(), String> {
    let parameters = [
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", REDIRECT_URI),
        ("code_challenge", CODE_CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    let request = Url::parse_with_params(authorize, parameters).map_err(|error| error.to_string())?;
    let answer = probe.get(request.as_str()).await?;
    let location = answer.header(LOCATION).filter(|_| (300..400).contains(&answer.status));
    let mut page = location
        .and_then(|location| request.join(location).ok())
        .ok_or_else(|| format!("{authorize} answers with {} and does not lead to a sign-in", answer.status))?;
    let answer = probe.get(page.as_str()).await?;
    let is_page = answer.header(CONTENT_TYPE).is_some_and(|media_type| media_type.starts_with("text/html"));
    if answer.status == 200 && is_page {
        return Ok(());
    }
    page.set_query(None);
    Err(refused(page.as_str(), &answer))
}

fn refused(url: &str, answer: &Answer) -> String {
    format!("{url} answers with {}: pass this path to the service unchanged", answer.status)
}
