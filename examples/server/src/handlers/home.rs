//! `GET /`: redirects to the documentation.

use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

const DOCUMENTATION: &str = "/docs/";

/// Redirects to the documentation page.
pub(crate) struct Home;

#[async_trait]
impl Handler for Home {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render(Redirect::found(DOCUMENTATION));
    }
}
