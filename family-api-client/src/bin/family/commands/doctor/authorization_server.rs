//! Checks the metadata of the authorization server (RFC 8414) and the routes that it names.

use family_api_client::reqwest::Url;
use serde_json::Value;

use super::probe::{Answer, Probe};
use super::report::Check;
use super::sign_in;
use super::target::{Target, is_loopback};

const METADATA: &str = "authorization server";
const AUTHORIZE: &str = "authorization page";
const TOKEN: &str = "token route";

/// Checks the metadata of an issuer, then the routes that the metadata names.
pub(crate) async fn check(target: &Target, probe: &Probe, issuer: &str) -> Vec<Check> {
    let document = match find_metadata(probe, issuer).await {
        Ok(document) => document,
        Err(fault) => return vec![Check::failed(METADATA, fault)],
    };
    if let Err(fault) = judge(issuer, &document) {
        return vec![Check::failed(METADATA, fault)];
    }
    let url = |name: &str| document[name].as_str().unwrap_or_default().to_owned();
    let authorize = probe.get(&url("authorization_endpoint")).await;
    // The empty request is invalid. So the route answers with an error and issues nothing.
    let token = probe.post(&url("token_endpoint"), "application/x-www-form-urlencoded", "").await;
    let mut checks = vec![
        judge_registration(&document),
        judge_route(AUTHORIZE, &url("authorization_endpoint"), authorize, |answer| {
            answer.status < 500 && !matches!(answer.status, 404 | 405)
        }),
        judge_route(TOKEN, &url("token_endpoint"), token, |answer| {
            matches!(answer.status, 400 | 401) && answer.json()["error"].is_string()
        }),
    ];
    // The service stores no clients. Another authorization server would keep the client of this check.
    if issuer == target.base() && !checks.iter().any(Check::has_failed) {
        checks.extend(sign_in::check(probe, &document).await);
    }
    checks
}

/// Loads the metadata from its address in RFC 8414. An external server may have it only at `openid-configuration`.
async fn find_metadata(probe: &Probe, issuer: &str) -> Result<Value, String> {
    let url: Url =
        issuer.parse().map_err(|_| format!("the issuer {issuer} is not an absolute URL: set the public URL"))?;
    let path = url.path().trim_end_matches('/');
    let address = format!("{}/.well-known/oauth-authorization-server{path}", url.origin().ascii_serialization());
    let answer = probe.get(&address).await?;
    let document = answer.json();
    if answer.status == 200 && document.is_object() {
        return Ok(document);
    }
    let openid = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let document = probe.get(&openid).await.map(|answer| answer.json()).unwrap_or_default();
    if document.is_object() && document["issuer"].is_string() {
        return Ok(document);
    }
    Err(format!("{address} answers with {} and no metadata: pass /.well-known/oauth-* to the service", answer.status))
}

fn judge(issuer: &str, document: &Value) -> Result<(), String> {
    let named = document["issuer"].as_str().unwrap_or_default();
    if named != issuer {
        return Err(format!("its issuer is {named} and not {issuer}: set the public URL of the service to {issuer}"));
    }
    for name in ["authorization_endpoint", "token_endpoint"] {
        let text = document[name].as_str().unwrap_or_default();
        if !text.parse::<Url>().is_ok_and(|url| url.scheme() == "https" || is_loopback(&url)) {
            return Err(format!(
                "{name} is not an absolute https URL, but {text:?}: set the public URL of the service"
            ));
        }
    }
    let lists = |name: &str, value: &str| document[name].as_array().is_some_and(|list| list.contains(&value.into()));
    if !lists("code_challenge_methods_supported", "S256") {
        return Err("it does not support the code challenge S256, which MCP clients require".to_owned());
    }
    Ok(())
}

/// Judges whether an assistant that the server does not know can connect.
fn judge_registration(document: &Value) -> Check {
    let can_register =
        document["client_id_metadata_document_supported"] == true || document["registration_endpoint"].is_string();
    if can_register {
        Check::ok(METADATA, "the metadata is exact, and assistants can register")
    } else {
        Check::warning(METADATA, "assistants cannot register by themselves: enter a client id in each assistant")
    }
}

fn judge_route(name: &str, url: &str, answer: Result<Answer, String>, is_right: impl FnOnce(&Answer) -> bool) -> Check {
    match answer {
        Ok(answer) if is_right(&answer) => Check::ok(name, "answers"),
        Ok(answer) => Check::failed(
            name,
            format!("{url} answers with {}: pass this path to the service unchanged", answer.status),
        ),
        Err(cause) => Check::failed(name, format!("{url} cannot be reached ({cause})")),
    }
}
