//! Answers people with a page, also if a guard or a limit has refused the request.

use salvo::http::header::CONTENT_TYPE;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::html::Layout;
use crate::oauth::error_page::PageError;

/// Replaces each error that is no page, such as a problem document, by a page with the same status and headers.
pub(super) struct ErrorPages {
    pub(super) layout: Layout,
}

#[async_trait]
impl Handler for ErrorPages {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let view = self.layout.view(req, req.uri().path());
        ctrl.call_next(req, depot, res).await;
        let content_type = res.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_page = content_type.is_some_and(|value| value.starts_with("text/html"));
        match res.status_code {
            Some(status) if !is_page && (status.is_client_error() || status.is_server_error()) => {
                PageError::Status(status).render(&view, res);
            }
            _ => {}
        }
    }
}
