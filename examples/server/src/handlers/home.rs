//! `GET /`: to the documentation.

use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Where the API is explained.
const DOCUMENTATION: &str = "/docs/";

/// Sends a browser to the page that explains the API.
pub(crate) struct Home;

#[async_trait]
impl Handler for Home {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render(Redirect::found(DOCUMENTATION));
    }
}
