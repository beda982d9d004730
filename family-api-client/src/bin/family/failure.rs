//! The failures of commands, with their messages and exit codes.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use family_api_client::Error as CallError;
use family_api_client::key::KeyMode;

const EXIT_OTHER: u8 = 1;
const EXIT_USAGE: u8 = 2;
const EXIT_AUTHENTICATION: u8 = 3;
const EXIT_NOT_FOUND: u8 = 4;
const EXIT_SERVICE: u8 = 5;
const EXIT_VERSION_CONFLICT: u8 = 6;

/// The failure of a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("{0}")]
    Usage(String),
    #[error(
        "no key: set --token-file, FAMILY_API_TOKEN or FAMILY_API_TOKEN_FILE, or store the key in {}",
        key_file_path(.file.as_ref())
    )]
    NoKey { file: Option<PathBuf> },
    #[error("not signed in: use --email to sign in with a password, or set FAMILY_API_COOKIE to a session cookie")]
    NoSession,
    #[error("this service has no password sign-in: sign in to the app and set FAMILY_API_COOKIE to its session cookie")]
    NoSignInRoute,
    #[error("{0}")]
    NotFound(String),
    /// The service knows no record with this id, and no record has this name.
    #[error("{error}")]
    UnknownName { error: CallError, message: String },
    #[error("{count} of the checks failed")]
    FailedChecks { count: usize },
    #[error("cannot write to standard output")]
    Write(#[from] io::Error),
    #[error("the new key could not be printed or saved and is lost: revoke it with `family key revoke {id}`")]
    LostKey { id: String, source: io::Error },
    #[error("the address of the new feed could not be printed and is lost: end it with `family feed end {id}`")]
    LostFeed { id: String, source: io::Error },
}

fn key_file_path(file: Option<&PathBuf>) -> String {
    file.map_or_else(|| "~/.config/family/token".to_owned(), |path| path.display().to_string())
}

impl Failure {
    /// Returns whether standard output is a pipe that its reader has closed.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns whether the service reported success, but the client could not decode the response.
    pub(crate) fn is_undecodable_success(&self) -> bool {
        matches!(self, Self::Call(error) if error.status().is_some_and(|status| (200..300).contains(&status)))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Call(error) | Self::UnknownName { error, .. } => exit_code(error),
            Self::Usage(_) | Self::NoSignInRoute => EXIT_USAGE,
            Self::NoKey { .. } | Self::NoSession => EXIT_AUTHENTICATION,
            Self::NotFound(_) => EXIT_NOT_FOUND,
            Self::FailedChecks { .. } | Self::Write(_) | Self::LostKey { .. } | Self::LostFeed { .. } => EXIT_OTHER,
        }
    }

    /// Returns the message: the failure, then each invalid field, then advice.
    pub(crate) fn to_lines(&self) -> Vec<String> {
        let mut lines = vec![self.summary()];
        match self {
            Self::Call(error) => {
                let faults = error.field_errors().iter();
                lines.extend(faults.map(|fault| format!("{}: {}", fault.pointer, fault.detail)));
                let more = error.field_error_count().saturating_sub(error.field_errors().len());
                lines.extend((more > 0).then(|| format!("and {more} more")));
                lines.extend(advice(error));
            }
            Self::UnknownName { message, .. } => lines.push(message.clone()),
            Self::NoKey { .. } => {
                lines
                    .push("create and store a key with `family key create --mode v1_full --save --email …`".to_owned());
            }
            _ => {}
        }
        lines
    }

    fn summary(&self) -> String {
        let request_id = match self {
            Self::Call(error) | Self::UnknownName { error, .. } => error.request_id(),
            _ => None,
        };
        let request_id = request_id.map(|id| format!(" [request {id}]"));
        let cause = innermost(self).map(|cause| format!(": {cause}"));
        [Some(self.to_string()), cause, request_id].into_iter().flatten().collect()
    }
}

/// Returns the innermost cause. The outer causes only name layers of the HTTP client.
fn innermost(failure: &Failure) -> Option<&dyn Error> {
    std::iter::successors(failure.source(), |source| (*source).source()).last()
}

fn exit_code(error: &CallError) -> u8 {
    match error.status() {
        _ if error.is_in_doubt() => EXIT_SERVICE,
        Some(412) => EXIT_VERSION_CONFLICT,
        Some(400 | 413 | 415 | 422) => EXIT_USAGE,
        Some(401 | 403) => EXIT_AUTHENTICATION,
        Some(404) if error.code().is_some() => EXIT_NOT_FOUND,
        // The body of a 2xx could not be decoded. A 404 without a code is not from the service.
        Some(200..=399 | 404 | 408 | 425 | 429 | 500..) => EXIT_SERVICE,
        Some(_) => EXIT_OTHER,
        None if error.is_configuration() => EXIT_USAGE,
        None => EXIT_SERVICE,
    }
}

fn advice(error: &CallError) -> Option<String> {
    if error.code() == Some("insufficient_scope") {
        return Some(advice_on_mode(error.detail().unwrap_or_default()));
    }
    let advice = match (error.status(), error.code()) {
        (_, Some("api_disabled")) => Some("turn the personal API on with `family api on`"),
        (_, Some("not_signed_in")) => Some("check the e-mail address and the password, or sign in again"),
        (Some(412), _) => Some("get the current version with `family task etag` or `family note etag`"),
        (Some(404), Some(_)) => Some(
            "a record that the arguments name does not exist, or you cannot see it; categories without a note and \
             deleted records are known only by id",
        ),
        (_, Some("invalid_token")) => Some("the key is wrong, or was revoked, or has expired"),
        (_, Some("record_limit_reached")) => Some("the family has the maximum number of these records: delete some"),
        (_, Some("not_empty")) => Some("only an empty one can be deleted: move or delete its content first"),
        (_, Some("key_limit_reached")) => Some("revoke a key with `family key revoke`"),
        (Some(300..=399), None) => Some("the service redirects: check --url, which may have to begin with https://"),
        (Some(404), None) => Some("check --url: it includes the path below which the API is mounted, without /api"),
        (None, _) if error.is_configuration() => {
            error.to_string().contains("plain http").then_some("--allow-plain-http allows plain http")
        }
        (None, _) => Some("check the address in --url or FAMILY_API_URL"),
        (Some(_), _) => None,
    };
    advice.map(str::to_owned)
}

/// Names the first mode that has the scope that the key lacks. The last word of `detail` is the scope.
fn advice_on_mode(detail: &str) -> String {
    let scope = detail.trim_end_matches('.').rsplit(' ').next().unwrap_or_default();
    let has_scope = |mode: &KeyMode| mode.scopes().iter().any(|granted| granted.as_str() == scope);
    match KeyMode::ALL.into_iter().find(has_scope) {
        Some(mode @ (KeyMode::V1ReadWrite | KeyMode::V1Full)) => {
            format!("use a key of mode {}, which can do this", mode.as_str())
        }
        _ => "a key of mode mcp_read can only read, and only with --read-path".to_owned(),
    }
}
