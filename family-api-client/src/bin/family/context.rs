//! The options that all commands share.

use std::path::PathBuf;

use clap::Args;
use family_api_client::{FamilyClient, Surface};

use crate::failure::Failure;
use crate::output::Output;
use crate::token;

/// The options that select the service and the key.
#[derive(Debug, Args)]
#[command(next_help_heading = "Service")]
pub(crate) struct ServiceOptions {
    /// The base URL of the API, without `/api`
    #[arg(long, global = true, env = "FAMILY_API_URL", hide_env_values = true)]
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,
    /// Allow plain http to another machine. Secrets are then readable on the network
    #[arg(long, global = true)]
    pub(crate) allow_plain_http: bool,
    /// A file that contains the key and that only its owner can read
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

/// The service to call and the output format.
pub(crate) struct Context {
    pub(crate) service: ServiceOptions,
    pub(crate) output: Output,
}

impl Context {
    /// Creates a client with the user's key.
    pub(crate) fn client(&self) -> Result<FamilyClient, Failure> {
        self.client_over(Surface::V1)
    }

    /// Creates a client with the user's key that reads over this surface.
    pub(crate) fn client_over(&self, surface: Surface) -> Result<FamilyClient, Failure> {
        self.client_with(&self.token()?, surface)
    }

    /// Returns the user's key.
    pub(crate) fn token(&self) -> Result<String, Failure> {
        token::find(self.service.token_file.as_deref())
    }

    /// Creates a client with this key that reads over this surface.
    pub(crate) fn client_with(&self, token: &str, surface: Surface) -> Result<FamilyClient, Failure> {
        let builder = FamilyClient::builder().base_url(&self.service.url).token(token).read_over(surface);
        let builder = if self.service.allow_plain_http { builder.allow_plain_http() } else { builder };
        Ok(builder.build()?)
    }
}
