//! The routes on the database of a site, in this process, with a clock that a test moves.

use std::sync::Arc;

use family_api_core::id::UserId;
use family_api_core::storage::SignedIn;
use family_api_core::{Clock, Error, FamilyApi, ManualClock, SystemClock};
use family_api_salvo::{FamilyRoutes, OAuth, SessionAuthenticator};
use family_api_sql::sqlite::SqliteStorage;
use salvo::conn::tcp::TcpAcceptor;
use salvo::{Depot, Request, async_trait};
use tokio::net::TcpListener;

use crate::site::Site;

/// Every request is one of Ana's.
struct AnaIsSignedIn;

#[async_trait]
impl SessionAuthenticator for AnaIsSignedIn {
    async fn user(&self, _: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        Ok("ana".parse().ok().map(|user: UserId| SignedIn::from(user)))
    }
}

/// A service whose clock stands still.
pub(crate) struct ClockedService {
    pub(crate) clock: ManualClock,
    address: String,
}

impl ClockedService {
    /// Serves the data of a site. Clients that are registered there are registered here.
    pub(crate) async fn of(site: &Site) -> Self {
        let storage = Arc::new(SqliteStorage::open(site.sandbox.path("family.db")).await.unwrap());
        let clock = ManualClock::new(SystemClock.now());
        let api = FamilyApi::builder(storage.clone()).grants(storage).clock(clock.clone()).build();
        let routes = FamilyRoutes::new(api).session(AnaIsSignedIn).oauth(OAuth::on_loopback());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let acceptor: TcpAcceptor = listener.try_into().unwrap();
        tokio::spawn(salvo::Server::new(acceptor).serve(routes.into_router()));
        Self { clock, address }
    }

    /// Returns the URL of an authorization request to the site, sent to this service instead.
    pub(crate) fn authorization(&self, site: &Site, path: &str) -> String {
        let encoded = |address: &str| address.replace(':', "%3A");
        let path = path.replace(&encoded(site.server.address()), &encoded(&self.address));
        format!("http://{}{path}", self.address)
    }
}
