//! Checks the metadata of an endpoint (RFC 9728), which names the authorization server.

use family_api_client::Surface;
use family_api_client::reqwest::Url;
use family_api_types::paths;

use super::challenge::Challenge;
use super::probe::Probe;
use super::report::Check;
use super::target::Target;

/// Checks the metadata that the challenge of an endpoint names. Returns the issuer of the authorization server.
pub(crate) async fn check(
    target: &Target,
    probe: &Probe,
    surface: Surface,
    challenge: &Challenge,
) -> (Check, Option<String>) {
    let name = format!("metadata of {}", paths::mcp(surface));
    match find_issuer(target, probe, surface, challenge).await {
        Ok(Some(issuer)) => (Check::ok(name, format!("names the authorization server {issuer}")), Some(issuer)),
        Ok(None) => {
            let advice = format!(
                "connecting without a key is off, so assistants on the web and on phones cannot connect: set the \
                 public URL of the service to {}",
                target.base()
            );
            (Check::warning(name, advice), None)
        }
        Err(fault) => (Check::failed(name, fault), None),
    }
}

/// Returns the issuer, or `None` if connecting without a key is off.
async fn find_issuer(
    target: &Target,
    probe: &Probe,
    surface: Surface,
    challenge: &Challenge,
) -> Result<Option<String>, String> {
    let expected = target.metadata(surface);
    let Some(named) = &challenge.resource_metadata else {
        let is_served = probe.get(&expected).await.is_ok_and(|answer| answer.json()["resource"].is_string());
        return if is_served {
            Err("the 401 does not name the metadata: let the proxy pass WWW-Authenticate unchanged".to_owned())
        } else {
            Ok(None)
        };
    };
    if named != &expected {
        let advice = if named.parse::<Url>().is_ok() {
            "set the public URL of the service to"
        } else {
            "it must be absolute. Set the public URL to"
        };
        return Err(format!("the 401 names {named} and not {expected}: {advice} {}", target.base()));
    }
    if challenge.scope.is_none() {
        return Err("the 401 names no scope, so clients do not know what to ask for".to_owned());
    }
    let answer = probe.get(named).await?;
    let document = answer.json();
    if answer.status != 200 || !document.is_object() {
        return Err(format!(
            "{named} answers with {} and no metadata: pass /.well-known/oauth-* to the service",
            answer.status
        ));
    }
    let resource = document["resource"].as_str().unwrap_or_default();
    if resource != target.endpoint(surface) {
        return Err(format!(
            "its resource is {resource} and not the URL of the endpoint: set the public URL to {}",
            target.base()
        ));
    }
    let issuer = document["authorization_servers"][0].as_str();
    issuer.map(|issuer| Some(issuer.to_owned())).ok_or_else(|| "it names no authorization server".to_owned())
}
