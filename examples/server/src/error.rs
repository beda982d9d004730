//! Why a command failed.

use std::io;

use family_api_core::Error;
use family_api_core::key::InvalidEnvironmentToken;
use family_api_core::storage::StorageError;

use crate::database::OpenError;
use crate::import::ImportError;
use crate::log::InvalidFilter;
use crate::password::HashError;

/// Why a command failed; printed with its sources on one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database failed")]
    Storage(#[from] StorageError),
    #[error(transparent)]
    LogFilter(#[from] InvalidFilter),
    #[error("SERVICE_MCP_READ_TOKENS is not usable")]
    EnvironmentTokens(#[from] InvalidEnvironmentToken),
    #[error("SERVICE_MCP_READ_TOKENS is not UTF-8")]
    EnvironmentTokensEncoding,
    #[error("cannot listen on {address}, --listen takes another")]
    Listen { address: String, source: io::Error },
    #[error("cannot wait for signals")]
    Signals(#[source] io::Error),
    #[error("the server failed")]
    Serve(#[source] io::Error),
    #[error("cannot read {name}")]
    Read { name: String, source: io::Error },
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("there is no user with the e-mail address {0}")]
    UnknownUser(String),
    #[error("the password is empty")]
    EmptyPassword,
    #[error("the two passwords are not the same")]
    DifferentPasswords,
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("cannot make the demo's folder")]
    DemoFolder(#[source] io::Error),
    #[error("the demo's families do not fit into this database")]
    DemoFamilies(#[source] ImportError),
    #[error("cannot make the demo's key")]
    DemoKey(#[source] Error),
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
}
