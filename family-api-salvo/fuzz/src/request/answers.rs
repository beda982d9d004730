//! Properties of every response.

use family_api_core::ErrorCode;
use salvo::http::Method;

use crate::app::Answer;
use crate::request::parse::ParsedRequest;

pub(super) fn every(asked: &ParsedRequest, answer: &Answer) {
    assert!(answer.status < 500, "{answer:?} for {asked:?}");
    let id = answer.header("x-request-id").unwrap_or_default();
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    assert!((1..=64).contains(&id.len()) && id.bytes().all(allowed), "{answer:?} for {asked:?}");
    if asked.is_bearer() {
        let private = ["private, no-cache", "no-store"].map(Some).contains(&answer.header("cache-control"));
        assert!(private && answer.header("vary") == Some("Authorization"), "{answer:?} for {asked:?}");
    }
    if answer.status >= 400 && asked.method != Method::HEAD {
        problem(answer);
    }
}

fn problem(answer: &Answer) {
    let problem = answer.json();
    assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{problem}");
    let row =
        ErrorCode::ALL.into_iter().find(|code| (problem["code"] == code.as_str()) && code.status() == answer.status);
    let row = row.unwrap_or_else(|| panic!("no row of the table: {problem}"));
    assert_eq!((&problem["type"], &problem["title"]), (&"about:blank".into(), &row.title().into()), "{problem}");
    assert_eq!(problem["status"], answer.status, "{problem}");
    assert_eq!(problem["requestId"].as_str(), answer.header("x-request-id"), "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.ends_with('.')), "{problem}");
    assert_eq!(
        problem["errors"].as_array().is_some_and(|errors| !errors.is_empty()),
        answer.status == 422,
        "{problem}"
    );
    assert_eq!(answer.header("allow").is_some(), answer.status == 405, "{answer:?}");
}
