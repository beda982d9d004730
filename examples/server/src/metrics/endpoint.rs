//! `GET /metrics` on a separate address.

use std::net::SocketAddr;
use std::num::NonZeroUsize;

use family_api_core::Error;
use family_api_salvo::{ContentLength, DrainBody, HttpError, Methods, NotFound, PanicGuard, RequestIdGuard};
use prometheus::{Registry, TEXT_FORMAT, TextEncoder};
use salvo::conn::tcp::TcpAcceptor;
use salvo::http::header::CONTENT_TYPE;
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Service, async_trait};
use tokio::net::TcpListener;

use crate::error::CommandError;
use crate::limits;
use crate::metrics::Metrics;
use crate::server::ListeningSocket;
use crate::shutdown::StopSignals;

/// Maximum number of open connections.
const MAX_CONNECTIONS: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// The listener of the metrics. It does not accept connections yet.
pub(crate) struct Endpoint {
    acceptor: TcpAcceptor,
    address: SocketAddr,
    signals: StopSignals,
    registry: Registry,
}

impl Endpoint {
    /// Binds the socket.
    ///
    /// # Errors
    /// [`CommandError::Listen`] or [`CommandError::Signals`].
    pub(crate) async fn bind(address: &str, metrics: &Metrics) -> Result<Self, CommandError> {
        let listen_error = |source| CommandError::Listen { address: address.to_owned(), option: "--metrics", source };
        let signals = StopSignals::catch().map_err(CommandError::Signals)?;
        let listener = TcpListener::bind(address).await.map_err(listen_error)?;
        limits::set_send_buffer(&listener).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let acceptor = listener.try_into().map_err(listen_error)?;
        Ok(Self { acceptor, address, signals, registry: metrics.registry.clone() })
    }

    /// Returns the URL of the metrics.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/metrics", self.address)
    }

    /// Serves the metrics until a stop signal arrives.
    pub(crate) async fn serve(self) {
        let (socket, _) = ListeningSocket::new(self.acceptor, MAX_CONNECTIONS, self.signals, None);
        limits::apply(salvo::Server::new(socket)).serve(service(self.registry)).await;
    }
}

fn service(registry: Registry) -> Service {
    let router = Router::new()
        .hoop(ContentLength)
        .hoop(PanicGuard)
        .push(Methods::new().get(Scrape { registry }).at("metrics"))
        .push(Router::with_path("{**rest}").goal(NotFound));
    Service::new(router).hoop(RequestIdGuard).hoop(DrainBody)
}

/// Writes all metrics in Prometheus' text format 0.0.4.
struct Scrape {
    registry: Registry,
}

#[async_trait]
impl Handler for Scrape {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        match TextEncoder::new().encode_to_string(&self.registry.gather()) {
            Ok(text) => {
                res.status_code(StatusCode::OK);
                res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(TEXT_FORMAT));
                res.replace_body(ResBody::Once(text.into()));
            }
            Err(error) => res.render(HttpError::from(Error::Internal(Box::new(error)))),
        }
    }
}
