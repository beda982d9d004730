//! Checks an MCP endpoint: a request without a key must get the service's own 401.

use family_api_client::reqwest::header::{LOCATION, WWW_AUTHENTICATE};
use family_api_client::{ErrorCode, Surface};
use family_api_types::paths;

use super::challenge::Challenge;
use super::probe::{Answer, Probe};
use super::report::Check;
use super::target::Target;

const MESSAGE: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;

/// Checks the endpoint of a surface. Returns its challenge if the endpoint is right.
pub(crate) async fn check(target: &Target, probe: &Probe, surface: Surface) -> (Check, Option<Challenge>) {
    let path = paths::mcp(surface);
    let answer = probe.post(&target.endpoint(surface), "application/json", MESSAGE).await;
    let challenge = match answer.and_then(|answer| judge(&answer)) {
        Ok(challenge) => challenge,
        Err(fault) => return (Check::failed(path, fault), None),
    };
    if is_missing(target, probe, path).await {
        return (Check::failed(path, "the service does not mount this endpoint: mount it, as in `.mcp()`"), None);
    }
    (Check::ok(path, "refuses requests without a key, as it should"), Some(challenge))
}

/// Returns the challenge, or the fault and what to mend.
fn judge(answer: &Answer) -> Result<Challenge, String> {
    match answer.status {
        401 => judge_challenge(answer),
        300..=399 => Err(format!(
            "redirects to {}: use the final URL, because MCP clients do not send a key to a redirect",
            answer.header(LOCATION).unwrap_or("no address")
        )),
        200..=299 => Err("accepts requests without a key: another program answers at this URL".to_owned()),
        403 => Err("403: a firewall or a bot protection refuses the request. Exempt /api/* from it".to_owned()),
        404 | 405 => Err(format!("{}: the path does not reach the service. Pass /api/* to it", answer.status)),
        502 | 504 => Err(format!("{}: the proxy does not reach the service. Start the service", answer.status)),
        status => Err(format!("{status} instead of 401: see the logs of the proxy and the service")),
    }
}

fn judge_challenge(answer: &Answer) -> Result<Challenge, String> {
    let mut challenges = answer.headers(WWW_AUTHENTICATE).peekable();
    if challenges.peek().is_none() {
        return Err("the 401 has no header WWW-Authenticate: let the proxy pass the header".to_owned());
    }
    let challenge =
        challenges.find_map(Challenge::parse).ok_or("the proxy asks for a sign-in of its own: exempt /api/*")?;
    if answer.json()["code"] != ErrorCode::MissingToken.as_str() {
        return Err("the 401 is not from this service: exempt /api/* from the sign-in of the proxy".to_owned());
    }
    if challenge.error.is_some() {
        return Err("the 401 names an error although no key was sent, so clients do not start a sign-in".to_owned());
    }
    Ok(challenge)
}

/// Returns whether the OpenAPI document lacks the path. Without a key, all paths below `/api` get the same 401.
async fn is_missing(target: &Target, probe: &Probe, path: &str) -> bool {
    let document = probe.get(&target.openapi()).await.map(|answer| answer.json()).unwrap_or_default();
    document["paths"].as_object().is_some_and(|paths| !paths.contains_key(path))
}
