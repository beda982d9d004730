//! Several writes in one request (HTTP reference, "Batches").

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::validation::body_fields::{BodyFields, BodySchema};
use crate::validation::rules::ValueRule;
use crate::validation::{BodyReader, Faults, FieldErrors, Json};

/// The maximum number of requests of a batch.
pub const MAX_REQUESTS: usize = 100;

/// Maximum number of JSON values in the requests of a batch. They stay in memory while the writes wait, with at most
/// about 250 bytes each beside their text. A hundred records with all their labels and participants have fewer.
const MAX_VALUES: usize = 20_000;

/// Maximum length in bytes of a URL and of what a request of its own has in a header.
const MAX_LENGTH: usize = 4096;

/// The requests of a batch, in their order. Each is parsed on its own, so that a fault of one affects no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    requests: Vec<Json>,
}

/// One request of a batch: the write that a request of its own with this method, path, headers and body would make.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchRequest {
    /// The method.
    pub method: BatchMethod,
    /// The path below `/api/v1`, and the query.
    pub url: String,
    /// The value of `If-Match`.
    pub if_match: Option<String>,
    /// The value of `Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// The body.
    pub body: Option<Json>,
}

/// The method of a request of a batch: one that writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchMethod {
    /// `POST`
    Post,
    /// `PATCH`
    Patch,
    /// `DELETE`
    Delete,
}

/// The answer to a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BatchResponses {
    /// One response to each request, in their order.
    pub responses: Vec<BatchResponse>,
}

/// The response to one request of a batch: what a request of its own would be answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BatchResponse {
    /// The HTTP status.
    pub status: u16,
    /// The entity tag of the record, with its quotes.
    pub etag: Option<String>,
    /// The path of the created record.
    pub location: Option<String>,
    /// What is special about the times of the body: the value of `Family-Api-Notice`.
    pub notice: Option<String>,
    /// The number of seconds to wait before the request is repeated.
    pub retry_after: Option<u64>,
    /// The record, the deletion, or the problem if the status is not a success.
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Value>"))]
    pub body: Box<RawValue>,
}

impl BatchResponses {
    /// Creates the answer with these responses.
    #[must_use]
    pub fn new(responses: Vec<BatchResponse>) -> Self {
        Self { responses }
    }
}

impl Batch {
    /// Parses the body of a batch.
    ///
    /// # Errors
    /// The faults of the body. Faults of the requests are not among them.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        BodyReader::new(body)?.read(|fields| {
            let requests = fields.required_owned("requests", |requests| match requests {
                Json::Array(requests) if (1..=MAX_REQUESTS).contains(&requests.len()) => {
                    let values = requests.iter().map(Json::count_values).sum::<usize>();
                    let expected = || format!("expected at most {MAX_VALUES} JSON values: send several batches");
                    if values <= MAX_VALUES { Ok(requests) } else { Err(FieldErrors::from(expected())) }
                }
                _ => Err(FieldErrors::from(format!("expected a list of 1 to {MAX_REQUESTS} requests"))),
            });
            Some(Self { requests: requests? })
        })
    }

    /// Returns the JSON schema of the body.
    #[must_use]
    pub fn schema() -> Value {
        let request = BatchRequest::schema();
        json!({
            "type": "object",
            "description": "Writes that are made one after the other, each in a transaction of its own.",
            "properties": {
                "requests": {
                    "type": "array", "minItems": 1, "maxItems": MAX_REQUESTS, "items": request,
                    "description": format!(
                        "The requests, in the order in which they are made. At most {MAX_VALUES} JSON values."
                    ),
                },
            },
            "required": ["requests"],
            "additionalProperties": false,
            "example": { "requests": [request["example"]] },
        })
    }

    /// Parses each request.
    ///
    /// # Errors
    /// An item is the faults of its request, with pointers from the body of the batch, such as `/requests/3/method`.
    #[must_use = "the requests are parsed when they are taken"]
    pub fn into_requests(self) -> impl ExactSizeIterator<Item = Result<BatchRequest, Faults>> {
        self.requests.into_iter().enumerate().map(|(index, request)| {
            BatchRequest::parse(request).map_err(|faults| faults.below(&BatchRequest::pointer(index)))
        })
    }
}

impl BatchRequest {
    /// Returns the JSON Pointer of a request in the body of its batch.
    #[must_use]
    pub fn pointer(index: usize) -> String {
        format!("/requests/{index}")
    }

    fn parse(request: Json) -> Result<Self, Faults> {
        BodyReader::new(request)?.read(|fields| {
            let body = fields.take("body");
            Some(Self { body, ..Self::declare(fields)? })
        })
    }

    fn schema() -> Value {
        let example = json!({ "method": "DELETE", "url": "/tasks/0197a3c1-5d2e-7000-8000-000000000000" });
        let mut schema = BodySchema::of("One write.", example, Self::declare);
        schema["title"] = "BatchRequest".into();
        schema["properties"]["body"] = json!({
            "type": ["object", "null"],
            "description": "The body that a request of its own would have.",
        });
        schema
    }

    /// Declares all fields but `body`, which is moved and not copied.
    fn declare(fields: &mut impl BodyFields) -> Option<Self> {
        let method = fields.required("method", METHOD, "The method.");
        let url = fields.required("url", URL, "The path below `/api/v1`, and the query, such as `/tasks/0197…`.");
        let if_match = fields.nullable("ifMatch", HEADER, "The `If-Match` of the request.");
        let key = fields.nullable("idempotencyKey", HEADER, "The `Idempotency-Key` of the request, if it creates.");
        Some(Self { method: method?, url: url?, if_match: if_match.set(), idempotency_key: key.set(), body: None })
    }
}

impl BatchMethod {
    /// Returns the name, in upper case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

const METHOD: ValueRule<BatchMethod> = ValueRule {
    read: |value| {
        let methods = [BatchMethod::Post, BatchMethod::Patch, BatchMethod::Delete];
        let method = methods.into_iter().find(|method| value.as_str() == Some(method.as_str()));
        Ok(method.ok_or("expected POST, PATCH or DELETE: a batch only writes")?)
    },
    schema: || json!({ "type": "string", "enum": ["POST", "PATCH", "DELETE"] }),
};

const URL: ValueRule<String> = ValueRule {
    read: |value| {
        let url = value.as_str().filter(|url| url.starts_with('/') && url.len() <= MAX_LENGTH);
        let expected =
            "expected a path below /api/v1 of at most 4096 bytes that begins with a slash, such as /tasks/0197";
        Ok(url.ok_or(expected)?.to_owned())
    },
    schema: || json!({ "type": "string", "pattern": "^/", "maxLength": MAX_LENGTH }),
};

/// The rule for a value that a request of its own has in a header.
const HEADER: ValueRule<String> = ValueRule {
    read: |value| {
        let is_valid = |text: &&str| text.len() <= MAX_LENGTH && !text.chars().any(char::is_control);
        let text = value.as_str().filter(is_valid);
        Ok(text.ok_or("expected a string of at most 4096 bytes without control characters, or null")?.to_owned())
    },
    schema: || json!({ "type": "string", "maxLength": MAX_LENGTH }),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &str) -> Result<Vec<Result<BatchRequest, Faults>>, Faults> {
        Batch::from_body(Json::parse(body.as_bytes()).unwrap()).map(|batch| batch.into_requests().collect())
    }

    fn pointers(faults: &Faults) -> Vec<&str> {
        faults.listed().iter().map(|fault| fault.pointer.as_str()).collect()
    }

    #[test]
    fn a_request_has_what_a_request_of_its_own_has() {
        let body = r#"{"requests":[
            {"method":"DELETE","url":"/tasks/t"},
            {"method":"PATCH","url":"/notes/n?x","ifMatch":"\"a\"","body":{"title":"x"}},
            {"method":"POST","url":"/tasks","ifMatch":null,"idempotencyKey":"k","body":null}
        ]}"#;
        let requests: Vec<_> = parse(body).unwrap().into_iter().map(Result::unwrap).collect();
        let delete = BatchRequest {
            method: BatchMethod::Delete,
            url: "/tasks/t".to_owned(),
            if_match: None,
            idempotency_key: None,
            body: None,
        };
        let patch = BatchRequest {
            method: BatchMethod::Patch,
            url: "/notes/n?x".to_owned(),
            if_match: Some("\"a\"".to_owned()),
            body: Some(Json::Object(vec![("title".to_owned(), Json::String("x".to_owned()))])),
            ..delete.clone()
        };
        let post = BatchRequest {
            method: BatchMethod::Post,
            url: "/tasks".to_owned(),
            idempotency_key: Some("k".to_owned()),
            body: Some(Json::Null),
            ..delete.clone()
        };
        assert_eq!(requests, [delete, patch, post]);
    }

    #[test]
    fn faults_of_the_batch_refuse_the_whole() {
        let entry = r#"{"method":"DELETE","url":"/tasks/t"}"#;
        let of_length = |length: usize| format!(r#"{{"requests":[{}]}}"#, vec![entry; length].join(","));
        assert_eq!(parse(&of_length(100)).unwrap().len(), 100);
        for (body, expected) in [
            ("[]".to_owned(), vec![""]),
            ("{}".to_owned(), vec!["/requests"]),
            (r#"{"requests":{},"atomic":true}"#.to_owned(), vec!["/requests", "/atomic"]),
            (of_length(0), vec!["/requests"]),
            (of_length(101), vec!["/requests"]),
        ] {
            assert_eq!(pointers(&parse(&body).unwrap_err()), expected, "{body:.60}");
        }
    }

    #[test]
    fn a_batch_has_at_most_20000_values() {
        // The request, its two strings and its body are four values. Each element of the body is two.
        let of_values = |elements: usize| {
            let body = vec!["[0]"; elements].join(",");
            format!(r#"{{"requests":[{{"method":"POST","url":"/tasks","body":[{body}]}}]}}"#)
        };
        assert!(parse(&of_values((MAX_VALUES - 4) / 2)).is_ok());
        assert_eq!(pointers(&parse(&of_values((MAX_VALUES - 2) / 2)).unwrap_err()), ["/requests"]);
    }

    #[test]
    fn a_url_and_a_header_have_at_most_4_kib() {
        for field in ["url", "ifMatch", "idempotencyKey"] {
            let request = |length: usize| {
                let text = format!("/{}", "x".repeat(length - 1));
                let url = if field == "url" { &text } else { "/tasks/t" };
                let mut request = json!({ "method": "PATCH", "url": url });
                request[field] = text.into();
                parse(&json!({ "requests": [request] }).to_string()).unwrap().remove(0)
            };
            assert!(request(4096).is_ok(), "{field}");
            assert_eq!(pointers(&request(4097).unwrap_err()), [format!("/requests/0/{field}")]);
        }
    }

    #[test]
    fn faults_of_a_request_are_its_own() {
        for (request, expected) in [
            ("7", vec!["/requests/1"]),
            ("{}", vec!["/requests/1/method", "/requests/1/url"]),
            (r#"{"method":"GET","url":"/tasks/t"}"#, vec!["/requests/1/method"]),
            (r#"{"method":"delete","url":"tasks"}"#, vec!["/requests/1/method", "/requests/1/url"]),
            (r#"{"method":"DELETE","url":"/tasks/t","id":"1"}"#, vec!["/requests/1/id"]),
            (r#"{"method":"DELETE","url":"/tasks/t","ifMatch":7}"#, vec!["/requests/1/ifMatch"]),
            (r#"{"method":"POST","url":"/tasks","idempotencyKey":"a\nb"}"#, vec!["/requests/1/idempotencyKey"]),
        ] {
            let body = format!(r#"{{"requests":[{{"method":"DELETE","url":"/tasks/t"}},{request}]}}"#);
            let requests = parse(&body).unwrap();
            assert!(requests[0].is_ok());
            assert_eq!(pointers(requests[1].as_ref().unwrap_err()), expected, "{request}");
        }
    }
}
