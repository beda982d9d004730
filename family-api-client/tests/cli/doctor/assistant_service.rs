//! A simulated service that assistants can connect to without a key.

use family_api_core::ErrorCode;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

/// Answers as the contract says, except what a test replaces.
pub(crate) struct AssistantService {
    runtime: Runtime,
    server: MockServer,
}

/// The answer to a request without a key, with these further parameters of the challenge.
pub(crate) fn challenge(parameters: &str) -> ResponseTemplate {
    let separator = if parameters.is_empty() { "" } else { ", " };
    let challenge = format!(r#"Bearer realm="family-api"{separator}{parameters}"#);
    ResponseTemplate::new(401).insert_header("www-authenticate", challenge).set_body_json(problem())
}

pub(crate) fn problem() -> Value {
    json!({ "status": 401, "code": ErrorCode::MissingToken.as_str() })
}

impl AssistantService {
    pub(crate) const METADATA: &str = "/.well-known/oauth-authorization-server";

    pub(crate) fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let server = runtime.block_on(MockServer::start());
        let service = Self { runtime, server };
        service.mount_right_answers();
        service
    }

    /// Removes the replaced answers.
    pub(crate) fn restore(&self) {
        self.runtime.block_on(self.server.reset());
        self.mount_right_answers();
    }

    fn mount_right_answers(&self) {
        let url = self.url();
        for (endpoint, scope) in [("/api/v1/mcp", "v1.read"), ("/api/mcp", "mcp.read")] {
            let metadata = format!("/.well-known/oauth-protected-resource{endpoint}");
            let unauthorized = challenge(&format!(r#"resource_metadata="{url}{metadata}", scope="{scope}""#));
            self.mount("GET", endpoint, unauthorized.clone(), 5);
            self.mount("POST", endpoint, unauthorized, 5);
            let document = json!({ "resource": format!("{url}{endpoint}"), "authorization_servers": [url] });
            self.mount("GET", &metadata, ResponseTemplate::new(200).set_body_json(document), 5);
        }
        let document = ResponseTemplate::new(200).set_body_json(self.authorization_server());
        self.mount("GET", Self::METADATA, document, 5);
        let client = json!({ "client_id": "doctor" });
        self.mount("POST", "/oauth/register", ResponseTemplate::new(201).set_body_json(client), 5);
        let redirect = ResponseTemplate::new(303).insert_header("location", "/login?next=%2Foauth%2Fauthorize");
        self.mount("GET", "/oauth/authorize", redirect, 5);
        self.mount("GET", "/login", ResponseTemplate::new(200).set_body_raw("<html>", "text/html; charset=utf-8"), 5);
        let error = json!({ "error": "invalid_request" });
        self.mount("POST", "/oauth/token", ResponseTemplate::new(400).set_body_json(error), 5);
    }

    /// Replaces an answer.
    pub(crate) fn replace(&self, verb: &str, at: &str, answer: ResponseTemplate) {
        self.mount(verb, at, answer, 1);
    }

    fn mount(&self, verb: &str, at: &str, answer: ResponseTemplate, priority: u8) {
        let mock = Mock::given(method(verb)).and(path(at)).respond_with(answer).with_priority(priority);
        self.runtime.block_on(mock.mount(&self.server));
    }

    pub(crate) fn url(&self) -> String {
        self.server.uri()
    }

    /// Returns the right metadata of the authorization server.
    pub(crate) fn authorization_server(&self) -> Value {
        let url = self.url();
        json!({
            "issuer": url,
            "authorization_endpoint": format!("{url}/oauth/authorize"),
            "token_endpoint": format!("{url}/oauth/token"),
            "registration_endpoint": format!("{url}/oauth/register"),
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": true,
        })
    }
}
