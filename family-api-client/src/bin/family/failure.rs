//! Why a command failed: what is said of it, and its exit code.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use family_api_client::Error as CallError;

const ANYTHING_ELSE: u8 = 1;
const USAGE: u8 = 2;
const AUTHENTICATION: u8 = 3;
const NOT_FOUND: u8 = 4;
const SERVICE: u8 = 5;
const CHANGED: u8 = 6;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("{0}")]
    Usage(String),
    #[error(
        "there is no key: --token-file, FAMILY_API_TOKEN, FAMILY_API_TOKEN_FILE or {} may hold one",
        display(.file.as_ref())
    )]
    NoKey { file: Option<PathBuf> },
    #[error("nobody is signed in: --email asks for a password, or FAMILY_API_COOKIE holds a session's cookie")]
    NoSession,
    #[error("this service has a sign-in of its own: FAMILY_API_COOKIE takes the cookie of a session there")]
    NoSignIn,
    #[error("the answer is not what this version reads")]
    NotUnderstood,
    #[error("there is no such note")]
    NoNote,
    #[error("cannot write to standard output")]
    Write(#[from] io::Error),
    #[error("the new key could not be written and is lost: `family keys revoke {id}` revokes it")]
    LostKey { id: String, source: io::Error },
}

fn display(file: Option<&PathBuf>) -> String {
    file.map_or_else(|| "~/.config/family/token".to_owned(), |path| path.display().to_string())
}

impl Failure {
    /// Whether nobody reads the output any more.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Whether the call succeeded, and its answer says nothing that this version reads.
    pub(crate) fn is_unreadable(&self) -> bool {
        matches!(self, Self::Call(error) if error.status().is_some_and(|status| (200..300).contains(&status)))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Call(error) => exit_code(error),
            Self::Usage(_) | Self::NoSignIn => USAGE,
            Self::NotUnderstood => SERVICE,
            Self::NoKey { .. } | Self::NoSession => AUTHENTICATION,
            Self::NoNote => NOT_FOUND,
            Self::Write(_) | Self::LostKey { .. } => ANYTHING_ELSE,
        }
    }

    /// What is said of it: the failure, then each fault of a value, then what may help.
    pub(crate) fn to_lines(&self) -> Vec<String> {
        let mut lines = vec![self.summary()];
        match self {
            Self::Call(error) => {
                let faults = error.field_errors().iter();
                lines.extend(faults.map(|fault| format!("{}: {}", fault.pointer, fault.detail)));
                let more = error.field_error_count().saturating_sub(error.field_errors().len());
                lines.extend((more > 0).then(|| format!("and {more} more")));
                lines.extend(advice(error).map(str::to_owned));
            }
            Self::NoKey { .. } => lines.push("`family keys create --help` says how to make and keep one".to_owned()),
            _ => {}
        }
        lines
    }

    fn summary(&self) -> String {
        let request = match self {
            Self::Call(error) => error.request_id(),
            _ => None,
        };
        let request = request.map(|id| format!(" [request {id}]"));
        let cause = innermost(self).map(|cause| format!(": {cause}"));
        [Some(self.to_string()), cause, request].into_iter().flatten().collect()
    }
}

/// The cause of all causes; those between say where in the machinery it was met.
fn innermost(failure: &Failure) -> Option<&dyn Error> {
    std::iter::successors(failure.source(), |source| (*source).source()).last()
}

fn exit_code(error: &CallError) -> u8 {
    match error.status() {
        _ if error.is_in_doubt() => SERVICE,
        Some(412) => CHANGED,
        Some(400 | 413 | 415 | 422) => USAGE,
        Some(401 | 403) => AUTHENTICATION,
        Some(404) if error.code().is_some() => NOT_FOUND,
        // Not the service, or not as it should be: a success that says nothing of what was asked for, a redirect.
        Some(200..=399 | 404 | 408 | 425 | 429 | 500..) => SERVICE,
        Some(_) => ANYTHING_ELSE,
        None if error.is_configuration() => USAGE,
        None => SERVICE,
    }
}

fn advice(error: &CallError) -> Option<&'static str> {
    let lacks_a_write = error.detail().is_some_and(|detail| detail.contains(".write"));
    match (error.status(), error.code()) {
        (_, Some("api_disabled")) => Some("`family api on` switches the personal API on"),
        (_, Some("insufficient_scope")) if lacks_a_write => Some("a key of mode v1_read_write may write"),
        (_, Some("insufficient_scope")) => Some("a key of mode mcp_read reads with --read-path and does no more"),
        (_, Some("not_signed_in")) => Some("the address and the password are not a user's, or the session has ended"),
        (Some(412), _) => Some("`family task etag` and `family note etag` show what it is now"),
        (_, Some("key_limit_reached")) => Some("`family keys revoke` makes room"),
        (Some(300..=399), None) => Some("it is elsewhere: --url says where, https:// perhaps"),
        (Some(404), None) => Some("--url is the address with the prefix of a host, without /api"),
        (None, _) if error.is_configuration() => {
            error.to_string().contains("plain http").then_some("--allow-plain-http allows it")
        }
        (None, _) => Some("--url or FAMILY_API_URL says where it is"),
        (Some(_), _) => None,
    }
}
