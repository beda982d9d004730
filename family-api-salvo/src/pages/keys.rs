//! `GET` of the page.

use std::sync::Arc;

use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use super::Pages;
use crate::SessionAuthenticator;
use crate::html::Layout;

pub(super) struct GetKeysPage {
    pub(super) pages: Pages,
    pub(super) layout: Layout,
    pub(super) session: Arc<dyn SessionAuthenticator>,
}

#[async_trait]
impl Handler for GetKeysPage {
    async fn handle(&self, _: &mut Request, _: &mut Depot, _: &mut Response, _: &mut FlowCtrl) {}
}
