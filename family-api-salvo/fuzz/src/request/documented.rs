//! Checks a response against the OpenAPI document.

use salvo::http::Method;
use serde_json::Value;

use crate::app::{Answer, App};
use crate::request::parse::ParsedRequest;

#[path = "../../../tests/http/support/schema.rs"]
mod schema;

/// The OpenAPI document of the mounted routes.
pub(super) struct Documented {
    document: Value,
    /// The segments of each path template, and its path item.
    paths: Vec<(Vec<String>, Value)>,
}

impl Documented {
    pub(super) fn of(app: &App) -> Self {
        let asked = ParsedRequest::parse(b"GET /openapi.json").unwrap();
        let document = app.send(asked.request()).json();
        let segments = |path: &str| path.split('/').skip(1).map(str::to_owned).collect();
        let paths = document["paths"].as_object().unwrap();
        let paths = paths.iter().map(|(path, item)| (segments(path), item.clone())).collect();
        Self { document, paths }
    }

    /// Checks that the status is documented, and that the body matches its schema.
    pub(super) fn check(&self, asked: &ParsedRequest, answer: &Answer) {
        let segments = asked.segments();
        match self.paths.iter().find(|(template, _)| is_at(&segments, template)) {
            Some((_, item)) if asked.is_plain() => match operation(item, &asked.method) {
                Some(operation) => self.fits(operation, asked, answer),
                None => assert!(matches!(answer.status, 401 | 403 | 405 | 429), "{answer:?} for {asked:?}"),
            },
            // An id may be percent-encoded, and the page has a trailing slash.
            _ if !asked.is_plain() && !asked.is_misspelled() => {}
            _ => assert!(matches!(answer.status, 401 | 404 | 429), "{answer:?} for {asked:?}"),
        }
    }

    fn fits(&self, operation: &Value, asked: &ParsedRequest, answer: &Answer) {
        let response = &operation["responses"][answer.status.to_string()];
        assert!(response.is_object(), "{answer:?} is not documented for {asked:?}");
        for (name, header) in response["headers"].as_object().into_iter().flatten() {
            let header = header["$ref"].as_str().and_then(|place| self.document.pointer(place.trim_start_matches('#')));
            let required = header.is_some_and(|header| header["required"] == true);
            assert!(!required || answer.headers.contains_key(name), "{name} is missing in {answer:?} for {asked:?}");
        }
        let Some(content) = response["content"].as_object().filter(|_| asked.method != Method::HEAD) else { return };
        let media_type = answer.header("content-type").unwrap_or_default();
        let described = content
            .get(media_type)
            .or_else(|| content.get("*/*"))
            .unwrap_or_else(|| panic!("{answer:?} for {asked:?}"));
        if media_type.ends_with("json") && !asked.is_open() {
            let fits = schema::fits(&self.document, &described["schema"], &answer.json());
            assert_eq!(fits, Ok(()), "{answer:?} for {asked:?}");
        }
    }
}

/// Methods are case-sensitive and in upper case.
fn operation<'a>(item: &'a Value, method: &Method) -> Option<&'a Value> {
    let name = if *method == Method::HEAD { "GET" } else { method.as_str() };
    let operation = item.get(name.to_ascii_lowercase())?;
    (operation.get("operationId").is_some() && name.bytes().all(|byte| byte.is_ascii_uppercase())).then_some(operation)
}

fn is_at(path: &[String], template: &[String]) -> bool {
    let same = |(segment, part): (&String, &String)| part.starts_with('{') || segment == part;
    path.len() == template.len() && path.iter().zip(template).all(same)
}
