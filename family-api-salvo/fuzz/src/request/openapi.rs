//! Checks a response against the OpenAPI document.

use salvo::http::Method;
use serde_json::Value;

use crate::app::{App, TestResponse};
use crate::request::parse::ParsedRequest;

#[path = "../../../tests/http/support/schema.rs"]
mod schema;

/// The OpenAPI document of the mounted routes.
pub(super) struct OpenApiDocument {
    document: Value,
    /// The segments of each path template, and the path item of the template.
    paths: Vec<(Vec<String>, Value)>,
}

impl OpenApiDocument {
    pub(super) fn of(app: &App) -> Self {
        let request = ParsedRequest::parse(b"GET /openapi.json").unwrap();
        let document = app.send(request.to_salvo()).json();
        let segments = |path: &str| path.split('/').skip(1).map(str::to_owned).collect();
        let paths = document["paths"].as_object().unwrap();
        let paths = paths.iter().map(|(path, item)| (segments(path), item.clone())).collect();
        Self { document, paths }
    }

    /// Checks that the status is documented, and that the body matches the documented schema.
    pub(super) fn check(&self, request: &ParsedRequest, response: &TestResponse) {
        let segments = request.segments();
        match self.paths.iter().find(|(template, _)| matches_template(&segments, template)) {
            Some((_, item)) if request.is_plain() => match operation(item, &request.method) {
                Some(operation) => self.check_operation(operation, request, response),
                None => assert!(matches!(response.status, 401 | 403 | 405 | 429), "{response:?} for {request:?}"),
            },
            // Ids can be percent-encoded, and `/docs/` ends with a slash: such paths need not match a template.
            _ if !request.is_plain() && !request.has_empty_segment() => {}
            _ => assert!(matches!(response.status, 401 | 404 | 429), "{response:?} for {request:?}"),
        }
    }

    fn check_operation(&self, operation: &Value, request: &ParsedRequest, response: &TestResponse) {
        let documented = &operation["responses"][response.status.to_string()];
        assert!(documented.is_object(), "{response:?} is not documented for {request:?}");
        for (name, header) in documented["headers"].as_object().into_iter().flatten() {
            let header =
                header["$ref"].as_str().and_then(|reference| self.document.pointer(reference.trim_start_matches('#')));
            let required = header.is_some_and(|header| header["required"] == true);
            assert!(
                !required || response.headers.contains_key(name),
                "{name} is missing in {response:?} for {request:?}"
            );
        }
        let Some(content) = documented["content"].as_object().filter(|_| request.method != Method::HEAD) else {
            return;
        };
        let media_type = response.header("content-type").unwrap_or_default();
        let media_content = content
            .get(media_type)
            .or_else(|| content.get("*/*"))
            .unwrap_or_else(|| panic!("{response:?} for {request:?}"));
        if media_type.ends_with("json") && !request.is_public() {
            let matches = schema::validate(&self.document, &media_content["schema"], &response.json());
            assert_eq!(matches, Ok(()), "{response:?} for {request:?}");
        }
    }
}

/// Returns the documented operation of the method. Method names are case-sensitive and in upper case.
fn operation<'a>(item: &'a Value, method: &Method) -> Option<&'a Value> {
    let name = if *method == Method::HEAD { "GET" } else { method.as_str() };
    let operation = item.get(name.to_ascii_lowercase())?;
    (operation.get("operationId").is_some() && name.bytes().all(|byte| byte.is_ascii_uppercase())).then_some(operation)
}

fn matches_template(path: &[String], template: &[String]) -> bool {
    let same = |(segment, part): (&String, &String)| part.starts_with('{') || segment == part;
    path.len() == template.len() && path.iter().zip(template).all(same)
}
