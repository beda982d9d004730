//! The command `serve`: runs the server until a signal stops it.

use family_api_core::key::{EnvironmentTokens, KeyPrefix};

use crate::cli::{DatabaseOption, ServeOptions};
use crate::database::{Database, Missing};
use crate::error::CommandError;
use crate::metrics::Metrics;
use crate::server::Server;
use crate::{log, output, readiness};

const ENVIRONMENT_TOKENS_VARIABLE: &str = "SERVICE_MCP_READ_TOKENS";

/// Follows the name of the database in the first line of the output.
const NEW_DATABASE: &str = ", new and empty: `family-api-server family add NAME` adds a family";

/// Runs the command.
pub(crate) async fn run(options: ServeOptions) -> Result<(), CommandError> {
    let metrics = Metrics::of(&options.http)?;
    let _log = log::start(options.http.log, metrics.as_ref())?;
    let tokens = environment_tokens()?;
    let DatabaseOption { url, connections } = &options.database;
    let database = Database::open(url, connections, options.http.cache, Missing::Create).await?;
    let server = Server::bind(options.http, database, tokens, metrics).await?;
    let newness = if server.database.is_new { NEW_DATABASE } else { "" };
    output::print(&format!("database {}{newness}\nlistening on {}", server.database.location, server.url()))?;
    server.print_metrics_url()?;
    readiness::notify();
    server.run().await
}

fn environment_tokens() -> Result<EnvironmentTokens, CommandError> {
    match std::env::var(ENVIRONMENT_TOKENS_VARIABLE) {
        Ok(list) => Ok(EnvironmentTokens::parse(&list, &KeyPrefix::default())?),
        Err(std::env::VarError::NotPresent) => Ok(EnvironmentTokens::default()),
        Err(std::env::VarError::NotUnicode(_)) => Err(CommandError::EnvironmentTokensEncoding),
    }
}
