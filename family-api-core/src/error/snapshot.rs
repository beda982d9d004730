//! A snapshot of the table of errors: the status, the code and the message of each error.

use std::fmt::Write;
use std::time::Duration;

use serde_json::json;

use crate::ErrorCode;
use crate::change::Editable;
use crate::error::Error;
use crate::key::Scope;
use crate::resource::{InvalidQuery, Task, UnknownParameter};
use crate::validation::Json;

#[test]
fn error_table_equals_its_snapshot() {
    let errors = errors();
    let mut table = String::new();
    for code in ErrorCode::ALL {
        let (status, name) = code.row();
        writeln!(table, "{status} {}: {name}", code.title()).unwrap();
        for error in errors.iter().filter(|error| error.code() == code) {
            writeln!(table, "    {}", error.problem("").detail).unwrap();
        }
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("errors", table);
    });
}

/// Returns every error. Only the HTTP layer refuses a request with a code that none of them has.
fn errors() -> Vec<Error> {
    vec![
        Error::InvalidJson("the reason".to_owned()),
        Error::InvalidQuery(InvalidQuery { parameter: "name", expected: "a value" }),
        Error::UnknownParameter(UnknownParameter { name: "name".to_owned(), known: vec!["limit", "cursor"] }),
        Error::InvalidIdempotencyKey,
        Error::MissingToken,
        Error::InvalidToken,
        Error::ApiDisabled,
        Error::NoFamily,
        Error::InsufficientScope(Scope::V1Read),
        Error::NotSignedIn,
        Error::WrongPassword,
        Error::ApiDisabledForKey,
        Error::NotFound,
        Error::KeyLimitReached { limit: 1 },
        Error::FeedLimitReached { limit: 1 },
        Error::ConnectionLimitReached { limit: 1 },
        Error::ConsentUsed,
        Error::NotEmpty,
        Error::RecordLimitReached { limit: 1 },
        Error::IdempotencyRunning,
        Error::SyncExpired,
        Error::PreconditionFailed,
        Error::IdempotencyMismatch,
        invalid_body(&json!({ "title": 1 })),
        invalid_body(&json!({ "title": 1, "order": "x" })),
        Error::RateLimited { retry_after: Duration::from_secs(1) },
        Error::Unavailable("the cause".into()),
        Error::Overloaded,
        Error::Internal("the cause".into()),
    ]
}

fn invalid_body(body: &serde_json::Value) -> Error {
    Error::InvalidField(Task::parse_update(Json::of(body)).unwrap_err())
}
