//! Errors of the commands.

use std::io;

use family_api_core::Error;
use family_api_core::id::FamilyId;
use family_api_core::key::InvalidEnvironmentToken;
use family_api_core::storage::StorageError;

use crate::administration::{MIN_PASSWORD_LENGTH, RefusedRecord};
use crate::database::{CopyError, OpenError};
use crate::import::ImportError;
use crate::log::InvalidFilter;
use crate::password::HashError;

/// The error of a command. It is printed with its sources on one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("database error")]
    Storage(#[from] StorageError),
    #[error(transparent)]
    LogFilter(#[from] InvalidFilter),
    #[cfg(feature = "otel")]
    #[error("cannot export traces")]
    Traces(#[from] opentelemetry_otlp::ExporterBuildError),
    #[error("invalid SERVICE_MCP_READ_TOKENS")]
    EnvironmentTokens(#[from] InvalidEnvironmentToken),
    #[error("SERVICE_MCP_READ_TOKENS is not UTF-8")]
    EnvironmentTokensEncoding,
    #[error("cannot listen on {address} (set {option} to another address)")]
    Listen { address: String, option: &'static str, source: io::Error },
    #[error("cannot listen on {0} (expected an address and a port, such as 127.0.0.1:8080)")]
    ListenAddress(String),
    #[error("the metrics cannot be registered")]
    Metrics(#[from] prometheus::Error),
    #[error("cannot install the signal handlers")]
    Signals(#[source] io::Error),
    #[error("the server failed")]
    Serve(#[source] io::Error),
    #[error("the server at {address} does not answer")]
    NoAnswer { address: String, source: io::Error },
    #[error("the server at {address} answers with the status {status}")]
    Unhealthy { address: String, status: u16 },
    #[error("cannot read {name}")]
    Read { name: String, source: io::Error },
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("no user has the e-mail address {0}")]
    UnknownUser(String),
    #[error("the user {0} was removed while the command waited, so no password was set")]
    RemovedUser(String),
    #[error("another user has the e-mail address {0}")]
    EmailTaken(String),
    #[error("there is no command `user rename`: use `user set EMAIL --name NAME`")]
    NoRename,
    #[error("no family has the id {0}")]
    UnknownFamily(FamilyId),
    #[error("no active {kind} has the id {id}")]
    UnknownCredential { kind: &'static str, id: String },
    #[error("{0}; add --yes to do it without a terminal")]
    NotConfirmed(String),
    #[error("nothing was changed")]
    Declined,
    #[error("{0}")]
    RefusedRecord(RefusedRecord),
    #[error("the database is damaged")]
    Damaged,
    #[error("this version cannot use the schema of the database")]
    UnusableSchema,
    #[error("cannot create an id")]
    RandomBytes(#[source] getrandom::Error),
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error("the password is empty")]
    EmptyPassword,
    #[error("the password has fewer than {MIN_PASSWORD_LENGTH} characters")]
    ShortPassword,
    #[error("the passwords do not match")]
    DifferentPasswords,
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("cannot create the temporary folder of the demo")]
    DemoFolder(#[source] io::Error),
    #[error("cannot import the sample families into this database")]
    DemoFamilies(#[source] ImportError),
    #[error("cannot create the key of the demo")]
    DemoKey(#[source] Error),
    #[error("cannot write {name}")]
    WriteFile { name: String, source: io::Error },
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
}
