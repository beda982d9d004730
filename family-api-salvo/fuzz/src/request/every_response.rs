//! Checks that hold for every response: the status, the common headers and the error body.

use family_api_core::ErrorCode;
use salvo::http::Method;

use crate::app::TestResponse;
use crate::request::parse::ParsedRequest;

pub(super) fn check(request: &ParsedRequest, response: &TestResponse) {
    assert!(response.status < 500, "{response:?} for {request:?}");
    let id = response.header("x-request-id").unwrap_or_default();
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    assert!((1..=64).contains(&id.len()) && id.bytes().all(allowed), "{response:?} for {request:?}");
    if request.is_bearer() {
        let private = ["private, no-cache", "no-store"].map(Some).contains(&response.header("cache-control"));
        assert!(private && response.header("vary") == Some("Authorization"), "{response:?} for {request:?}");
    }
    let is_json = response.header("content-type") == Some("application/json");
    if request.is_mcp() && is_json {
        check_message(response);
    } else if response.status >= 400 && request.method != Method::HEAD {
        check_problem(response);
    }
}

/// Checks an answer of an MCP endpoint that is not a problem.
fn check_message(response: &TestResponse) {
    let message = response.json();
    assert!(response.body.len() <= 80 * 1024, "{response:?}");
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    assert!(matches!(response.status, 200 | 400 | 404), "{response:?}");
    assert_ne!(message.get("result").is_some(), message.get("error").is_some(), "{message}");
    assert!(response.status == 200 || message["error"]["code"].is_i64(), "{message}");
}

fn check_problem(response: &TestResponse) {
    let problem = response.json();
    assert_eq!(response.header("content-type"), Some("application/problem+json"), "{problem}");
    let listed =
        ErrorCode::ALL.into_iter().find(|code| (problem["code"] == code.as_str()) && code.status() == response.status);
    let listed = listed.unwrap_or_else(|| panic!("no error code has this code and status: {problem}"));
    assert_eq!((&problem["type"], &problem["title"]), (&"about:blank".into(), &listed.title().into()), "{problem}");
    assert_eq!(problem["status"], response.status, "{problem}");
    assert_eq!(problem["requestId"].as_str(), response.header("x-request-id"), "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.ends_with('.')), "{problem}");
    assert_eq!(
        problem["errors"].as_array().is_some_and(|errors| !errors.is_empty()),
        response.status == 422,
        "{problem}"
    );
    assert_eq!(response.header("allow").is_some(), response.status == 405, "{response:?}");
}
