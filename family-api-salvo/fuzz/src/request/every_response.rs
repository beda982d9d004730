//! Checks that hold for every response: the status, the common headers and the error body.

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
        assert!(private && response.vary_headers().first() == Some(&"Authorization"), "{response:?} for {request:?}");
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
    response.problem_code();
    assert!(response.status != 422 || !response.error_pointers().is_empty(), "{response:?}");
    assert_eq!(response.header("allow").is_some(), response.status == 405, "{response:?}");
}
