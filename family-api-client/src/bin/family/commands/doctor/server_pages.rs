//! Checks the pages and the short paths that only the standalone server has.

use family_api_client::reqwest::header::{CONTENT_TYPE, LOCATION};
use family_api_types::paths;

use super::probe::{Answer, Probe};
use super::report::Check;
use super::target::Target;

const KEYS: &str = "/keys";
const FORM: &str = "application/x-www-form-urlencoded";

/// Checks the pages if the OpenAPI document says that the service is the standalone server. Checks the short paths if it
/// is its own authorization server.
pub(crate) async fn check(target: &Target, probe: &Probe, is_own_issuer: bool) -> Vec<Check> {
    let document = probe.get(&target.openapi()).await.map(|answer| answer.json()).unwrap_or_default();
    if document["paths"][paths::LOGOUT].is_null() {
        return Vec::new();
    }
    let mut checks = Vec::new();
    for path in [KEYS, paths::LOGOUT] {
        checks.push(judge(path, probe.get(&url(target, path)).await, is_page));
    }
    if is_own_issuer {
        checks.push(judge("/authorize", probe.get(&url(target, "/authorize")).await, is_page));
        // The empty requests are invalid. So the routes answer with an error and have no effect.
        checks.push(judge("/token", probe.post(&url(target, "/token"), FORM, "").await, is_oauth_error));
        let registration = probe.post(&url(target, "/register"), "application/json", "{}").await;
        checks.push(judge("/register", registration, is_oauth_error));
    }
    checks
}

fn url(target: &Target, path: &str) -> String {
    format!("{}{path}", target.base())
}

/// Returns whether an answer is a page, or leads to the sign-in page.
fn is_page(answer: &Answer) -> bool {
    let is_html = answer.header(CONTENT_TYPE).is_some_and(|media_type| media_type.starts_with("text/html"));
    let leads_to_sign_in = answer.header(LOCATION).is_some_and(|location| location.contains(paths::LOGIN));
    (is_html && matches!(answer.status, 200 | 400)) || (answer.status == 303 && leads_to_sign_in)
}

fn is_oauth_error(answer: &Answer) -> bool {
    answer.status == 400 && answer.json()["error"].is_string()
}

fn judge(path: &str, answer: Result<Answer, String>, is_right: fn(&Answer) -> bool) -> Check {
    match answer {
        Ok(answer) if is_right(&answer) => Check::ok(path, "answers"),
        Ok(answer) => {
            Check::failed(path, format!("answers with {}: pass this path to the service unchanged", answer.status))
        }
        Err(cause) => Check::failed(path, format!("cannot be reached ({cause})")),
    }
}
