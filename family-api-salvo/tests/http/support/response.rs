//! A response, and checks that apply to every problem document.

use bytes::Bytes;
use family_api_core::ErrorCode;
use salvo::http::{HeaderMap, ResBody};
use salvo::test::RequestBuilder;
use salvo::{Response, Service};
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

pub(crate) async fn send(service: &Service, request: RequestBuilder) -> TestResponse {
    TestResponse::of(Box::pin(request.send(service)).await)
}

impl TestResponse {
    pub(crate) fn of(mut response: Response) -> Self {
        let body = match response.take_body() {
            ResBody::None => Bytes::new(),
            ResBody::Once(bytes) => bytes,
            other => panic!("unexpected kind of body: {other:?}"),
        };
        let status = response.status_code.unwrap().as_u16();
        Self { status, headers: response.headers().clone(), body }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next().map(|value| value.to_str().unwrap());
        assert!(values.next().is_none(), "header {name} occurs twice: {self:?}");
        value
    }

    /// Returns the values of all `Vary` headers.
    pub(crate) fn vary_headers(&self) -> Vec<&str> {
        self.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect()
    }

    /// Checks every member of the problem document, and returns its `code`.
    #[track_caller]
    pub(crate) fn problem_code(&self) -> String {
        let problem = self.json();
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{problem}");
        assert_eq!(problem["type"], "about:blank");
        assert_eq!(problem["status"], self.status);
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.ends_with('.')), "{problem}");
        assert_eq!(problem["requestId"].as_str(), self.header("x-request-id"), "{problem}");
        let code = problem["code"].as_str().unwrap();
        let row = ErrorCode::ALL.into_iter().find(|row| row.row() == (self.status, code));
        assert_eq!(problem["title"], row.expect("a code of the error table").title());
        assert_eq!(problem.get("errors").is_some(), code == "invalid_field", "{problem}");
        assert_eq!(problem["errorCount"].is_u64(), code == "invalid_field", "{problem}");
        assert!(self.body.len() <= 16 * 1024, "{} bytes", self.body.len());
        let members: Vec<&str> = problem.as_object().unwrap().keys().map(String::as_str).collect();
        let documented = ["type", "title", "status", "code", "detail", "errors", "errorCount", "requestId"];
        assert!(members.iter().all(|member| documented.contains(member)), "{problem}");
        code.to_owned()
    }

    /// Asserts a 422, and returns the JSON Pointers of its field errors.
    #[track_caller]
    pub(crate) fn error_pointers(&self) -> Vec<String> {
        assert_eq!(self.problem_code(), "invalid_field");
        let problem = self.json();
        let errors = problem["errors"].as_array().unwrap();
        assert!(errors.iter().all(|error| error["detail"].as_str().is_some_and(|detail| !detail.is_empty())));
        errors.iter().map(|error| error["pointer"].as_str().unwrap().to_owned()).collect()
    }

    /// Asserts that the response is a problem document with this status and code.
    #[track_caller]
    pub(crate) fn assert_problem(&self, status: u16, code: &str) -> &Self {
        assert_eq!((self.status, self.problem_code().as_str()), (status, code), "{self:?}");
        self
    }

    /// Asserts status 200 with a JSON body.
    #[track_caller]
    pub(crate) fn assert_ok(&self) -> &Self {
        assert_eq!(self.status, 200, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        self
    }
}
