//! Errors of the commands.

use std::io;

use family_api_core::Error;
use family_api_core::key::InvalidEnvironmentToken;
use family_api_core::storage::StorageError;

use crate::database::OpenError;
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
    #[error("the password is empty")]
    EmptyPassword,
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
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
}
