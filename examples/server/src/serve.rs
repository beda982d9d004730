//! The command `serve`: runs the server until a signal stops it.

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;

use family_api_core::FamilyApi;
use family_api_core::key::{EnvironmentTokens, KeyPrefix};
use family_api_core::limit::Rate;
use family_api_salvo::LoadShed;
use prometheus::IntGauge;
use salvo::Service;
use salvo::conn::tcp::TcpAcceptor;
use tokio::net::TcpListener;

use crate::audit::AuditLog;
use crate::cli::{Cache, DatabaseOption, HttpOptions, RateLimit, ServeOptions};
use crate::database::{Database, Missing};
use crate::error::CommandError;
use crate::listening_socket::ListeningSocket;
use crate::metrics::{Endpoint, Metrics};
use crate::shutdown::StopSignals;
use crate::{app, limits, log, oauth, open_files, output, readiness, shutdown};

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

/// A server that listens on its socket but does not accept connections yet.
pub(crate) struct Server {
    api: FamilyApi,
    database: Database,
    service: Service,
    acceptor: TcpAcceptor,
    max_connections: NonZeroUsize,
    address: SocketAddr,
    /// The URL under which assistants can connect without a key.
    oauth_url: Option<String>,
    signals: StopSignals,
    /// The gauge of open connections and the listener of the metrics, if there are metrics.
    metrics: Option<(IntGauge, Endpoint)>,
}

impl Server {
    /// Binds the socket and builds the service.
    pub(crate) async fn bind(
        options: HttpOptions,
        database: Database,
        tokens: EnvironmentTokens,
        metrics: Option<Metrics>,
    ) -> Result<Self, CommandError> {
        let signals = StopSignals::catch().map_err(CommandError::Signals)?;
        let listen_error = |source: io::Error| match (options.listen.clone(), source.kind()) {
            (address, io::ErrorKind::InvalidInput) => CommandError::ListenAddress(address),
            (address, _) => CommandError::Listen { address, option: "--listen", source },
        };
        let listener = TcpListener::bind(&options.listen).await.map_err(listen_error)?;
        limits::set_send_buffer(&listener).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let acceptor = listener.try_into().map_err(listen_error)?;
        let endpoint = match options.metrics.as_deref().zip(metrics.as_ref()) {
            Some((address, metrics)) => Some(Endpoint::bind(address, metrics).await?),
            None => None,
        };
        tracing::info!(%address, rate_limit = %options.rate_limit, "started");
        let oauth = oauth::server(&options, address);
        let api = FamilyApi::builder(database.storage.clone()).credentials(database.storage.clone());
        let api = api.environment_tokens(tokens).audit(AuditLog::new(options.audit_addresses)).full_access(true);
        let api = match options.rate_limit {
            RateLimit::PerMinute(number) => api.rate_limit(Rate::per_minute(number)),
            RateLimit::Off => api.without_rate_limit().without_session_write_limit(),
        };
        let api = match options.cache {
            Cache::MiB(number) => api.document_cache(u64::from(number.get()) << 20),
            Cache::Off => api.without_document_cache(),
        };
        let api = match oauth {
            Some(_) => api.grants(database.storage.clone()),
            None => api,
        }
        .build();
        let max_connections = open_files::raise_limit(options.max_connections, database.backend.max_connections());
        let public_url = options.public_url.as_ref().map(ToString::to_string);
        let oauth_url = oauth.is_some().then(|| public_url.unwrap_or_else(|| url(address)));
        let load_shed = LoadShed::new(options.max_in_flight);
        if let Some(metrics) = &metrics {
            metrics.sample(&api, &database, &load_shed, max_connections)?;
        }
        let (requests, connections) = metrics.map(|metrics| (metrics.requests, metrics.connections)).unzip();
        let service = app::build_service(api.clone(), &database, oauth, requests, load_shed, options);
        let metrics = connections.zip(endpoint);
        Ok(Self { api, database, service, acceptor, max_connections, address, oauth_url, signals, metrics })
    }

    /// Returns the URL of the listening address.
    pub(crate) fn url(&self) -> String {
        url(self.address)
    }

    /// Returns the URL under which assistants can connect without a key, or `None` if they cannot.
    pub(crate) fn oauth_url(&self) -> Option<&str> {
        self.oauth_url.as_deref()
    }

    /// Prints the URL of the metrics, if there are metrics.
    pub(crate) fn print_metrics_url(&self) -> Result<(), CommandError> {
        self.metrics.iter().try_for_each(|(_, endpoint)| output::print(&format!("metrics on {}", endpoint.url())))
    }

    /// Serves until a stop signal arrives. Then finishes the running requests, writes the last uses of keys, and closes
    /// the database.
    pub(crate) async fn run(self) -> Result<(), CommandError> {
        let (connections, endpoint) = self.metrics.unzip();
        let (socket, closed_receiver) =
            ListeningSocket::new(self.acceptor, self.max_connections, self.signals, connections);
        let server = limits::apply(salvo::Server::new(socket));
        tokio::spawn(shutdown::finish(closed_receiver, server.handle()));
        if let Some(endpoint) = endpoint {
            tokio::spawn(endpoint.serve());
        }
        let outcome = server.try_serve(self.service).await;
        if let Err(error) = self.api.record_uses().await {
            tracing::warn!(%error, "cannot write the last uses of keys");
        }
        self.database.close().await;
        outcome.map_err(CommandError::Serve)
    }
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}")
}
