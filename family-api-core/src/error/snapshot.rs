//! A snapshot of the table of errors: the status, the code and the message of each error.

use std::fmt::Write;
use std::time::Duration;

use crate::error::{Error, ErrorCode};
use crate::key::Scope;
use crate::problem::Problem;
use crate::resource::InvalidQuery;
use crate::validation::{Faults, FieldFault};

#[test]
fn error_table_equals_its_snapshot() {
    let mut table = String::new();
    for code in ErrorCode::ALL {
        let (status, name) = code.row();
        writeln!(table, "{status} {}: {name}", code.title()).unwrap();
        for error in errors(code) {
            assert_eq!(error.code(), code);
            writeln!(table, "    {}", Problem::of(&error, "").detail).unwrap();
        }
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("errors", table);
    });
}

/// Returns the errors with this code. Only the HTTP layer refuses a request with a code that has none.
fn errors(code: ErrorCode) -> Vec<Error> {
    match code {
        ErrorCode::InvalidJson => vec![Error::InvalidJson("the reason".to_owned())],
        ErrorCode::InvalidQuery => {
            vec![Error::InvalidQuery(InvalidQuery { parameter: "name", expected: "a value" })]
        }
        ErrorCode::InvalidIdempotencyKey => vec![Error::InvalidIdempotencyKey],
        ErrorCode::MissingToken => vec![Error::MissingToken],
        ErrorCode::InvalidToken => vec![Error::InvalidToken],
        ErrorCode::ApiDisabled => vec![Error::ApiDisabled],
        ErrorCode::NoFamily => vec![Error::NoFamily],
        ErrorCode::InsufficientScope => vec![Error::InsufficientScope(Scope::V1Read)],
        ErrorCode::NotSignedIn => vec![Error::NotSignedIn, Error::WrongPassword],
        ErrorCode::ApiDisabledForKey => vec![Error::ApiDisabledForKey],
        ErrorCode::NotFound => vec![Error::NotFound],
        ErrorCode::KeyLimitReached => vec![Error::KeyLimitReached { limit: 1 }],
        ErrorCode::ConnectionLimitReached => vec![Error::ConnectionLimitReached { limit: 1 }],
        ErrorCode::ConsentUsed => vec![Error::ConsentUsed],
        ErrorCode::NotEmpty => vec![Error::NotEmpty],
        ErrorCode::RecordLimitReached => vec![Error::RecordLimitReached { limit: 1 }],
        ErrorCode::IdempotencyRunning => vec![Error::IdempotencyRunning],
        ErrorCode::PreconditionFailed => vec![Error::PreconditionFailed],
        ErrorCode::IdempotencyMismatch => vec![Error::IdempotencyMismatch],
        ErrorCode::InvalidField => [1, 2].map(faults).map(Error::InvalidField).into(),
        ErrorCode::RateLimited => vec![Error::RateLimited { retry_after: Duration::from_secs(1) }],
        ErrorCode::Unavailable => vec![Error::Unavailable("the cause".into()), Error::Overloaded],
        ErrorCode::Internal => vec![Error::Internal("the cause".into())],
        ErrorCode::InvalidRequest
        | ErrorCode::CrossSiteRequest
        | ErrorCode::MethodNotAllowed
        | ErrorCode::PayloadTooLarge
        | ErrorCode::UnsupportedMediaType => Vec::new(),
    }
}

fn faults(count: usize) -> Faults {
    let mut faults = Faults::default();
    for _ in 0..count {
        faults.add(|| FieldFault::of_member("name", "what is expected"));
    }
    faults
}
