//! The server's part of the OpenAPI document: the operations that only this server has, and the name of its session
//! cookie.

use family_api_core::{ErrorCode, Problem, paths};
use serde_json::{Value, json};

use crate::cookie;

/// Returns the fragment that is merged into the OpenAPI document of the API.
pub(crate) fn fragment() -> Value {
    json!({
        "tags": [
            { "name": "Sign-in", "description": "Sessions of the server's own users." },
            { "name": "Service", "description": "The server itself." },
        ],
        "paths": {
            "/": { "get": home() },
            "/healthz": { "get": healthz() },
            "/readyz": { "get": readyz() },
            (paths::LOGIN): { "post": login() },
            (paths::LOGOUT): { "post": logout() },
        },
        "components": {
            "schemas": { "SignIn": sign_in() },
            "headers": { "Set-Cookie": { "description": "The session cookie.", "schema": { "type": "string" } } },
            "securitySchemes": { "session": { "name": cookie::NAME } },
        },
    })
}

fn home() -> Value {
    let content = json!({ "text/html": { "schema": { "type": "string" } } });
    let page = json!({ "description": "The page.", "headers": request_id(), "content": content });
    operation("getHome", "Service", "A page that explains how to connect an assistant", json!({ "200": page }), &[])
}

fn healthz() -> Value {
    operation("getHealth", "Service", "Check that the process runs", json!({ "200": status() }), &[])
}

fn readyz() -> Value {
    let errors = [ErrorCode::Unavailable, ErrorCode::Internal];
    operation("getReadiness", "Service", "Check that the storage answers", json!({ "200": status() }), &errors)
}

fn login() -> Value {
    let profile = json!({ "$ref": "#/components/schemas/Profile" });
    let responses = json!({
        "200": with_cookie(response("Signed in.", &profile)),
        "303": with_cookie(redirect("Signed in by a form: redirects to `/`.")),
    });
    let summary = "Sign in: a JSON request gets the profile, a form is redirected";
    let errors = [
        ErrorCode::NotSignedIn,
        ErrorCode::CrossSiteRequest,
        ErrorCode::InvalidJson,
        ErrorCode::PayloadTooLarge,
        ErrorCode::UnsupportedMediaType,
        ErrorCode::InvalidField,
        ErrorCode::RateLimited,
        ErrorCode::Unavailable,
        ErrorCode::Internal,
    ];
    let mut operation = operation("signIn", "Sign-in", summary, responses, &errors);
    let schema = json!({ "schema": { "$ref": "#/components/schemas/SignIn" } });
    operation["requestBody"] = json!({
        "required": true,
        "content": { "application/json": schema, "application/x-www-form-urlencoded": schema },
    });
    operation
}

fn logout() -> Value {
    let ok = object(&["ok"], &json!({ "ok": { "const": true } }));
    let responses = json!({ "200": with_cookie(response("Signed out.", &ok)) });
    let errors = [ErrorCode::NotSignedIn, ErrorCode::CrossSiteRequest, ErrorCode::Unavailable, ErrorCode::Internal];
    let mut operation = operation("signOut", "Sign-in", "End the session", responses, &errors);
    operation["security"] = json!([{ "session": [] }]);
    operation
}

fn sign_in() -> Value {
    let text = json!({ "type": "string" });
    object(&["email", "password"], &json!({ "email": text, "password": text }))
}

fn status() -> Value {
    response("The check succeeded.", &object(&["status"], &json!({ "status": { "const": "ok" } })))
}

fn operation(id: &str, tag: &str, summary: &str, mut responses: Value, errors: &[ErrorCode]) -> Value {
    for error in errors {
        let status = error.status().to_string();
        let earlier_codes = responses[&status]["description"].as_str().map(|codes| format!("{codes}, "));
        responses[&status] = problem(&[earlier_codes.unwrap_or_default().as_str(), error.as_str()].concat());
        if matches!(error, ErrorCode::RateLimited | ErrorCode::Unavailable) {
            responses[&status]["headers"]["Retry-After"] = json!({ "$ref": "#/components/headers/Retry-After" });
        }
    }
    json!({
        "operationId": id,
        "tags": [tag],
        "summary": summary,
        "security": [],
        "parameters": [{ "$ref": "#/components/parameters/RequestId" }],
        "responses": responses,
    })
}

fn problem(codes: &str) -> Value {
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    json!({ "description": codes, "headers": request_id(), "content": { (Problem::MEDIA_TYPE): { "schema": schema } } })
}

fn response(description: &str, schema: &Value) -> Value {
    let content = json!({ "application/json": { "schema": schema } });
    json!({ "description": description, "headers": request_id(), "content": content })
}

fn redirect(description: &str) -> Value {
    let mut redirect = json!({ "description": description, "headers": request_id() });
    redirect["headers"]["Location"] = json!({ "$ref": "#/components/headers/Location" });
    redirect
}

fn with_cookie(mut response: Value) -> Value {
    response["headers"]["Set-Cookie"] = json!({ "$ref": "#/components/headers/Set-Cookie" });
    response
}

fn request_id() -> Value {
    json!({ "X-Request-Id": { "$ref": "#/components/headers/X-Request-Id" } })
}

fn object(required: &[&str], properties: &Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
}
