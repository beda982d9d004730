//! Answers people with a page, also if a guard or a limit has refused the request.

use maud::html;
use salvo::http::StatusCode;
use salvo::http::header::{ACCEPT, CONTENT_TYPE};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use super::layout::Layout;
use super::text::{ErrorsText, Message};
use super::view::View;
use crate::MediaTypes;

/// Replaces each error that is no page, such as a problem document, by a page with the same status and headers.
///
/// It belongs before the limits of a page, so that it also sees what they answer. Programs still get the problem
/// document: only a request that accepts HTML, and does not send JSON, gets the page.
#[derive(Debug, Clone)]
pub struct ErrorPages {
    layout: Layout,
    /// The path of the page, relative to where the routes are mounted. `None` is the path of the request.
    path: Option<String>,
    audience: Audience,
    render: fn(StatusCode, &View, &mut Response),
}

/// The clients that get a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    Browsers,
    #[cfg(any(feature = "pages", feature = "oauth"))]
    Everyone,
}

impl ErrorPages {
    /// Creates the middleware for pages whose path begins at the root of the origin.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Self { layout, path: None, audience: Audience::Browsers, render }
    }

    /// Sets the path of the page, relative to where the routes are mounted.
    #[cfg(any(feature = "pages", feature = "oauth"))]
    pub(crate) fn at(mut self, path: &str) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Also answers clients with a page that do not accept HTML explicitly, because the route answers with nothing
    /// else.
    #[cfg(any(feature = "pages", feature = "oauth"))]
    pub(crate) fn for_everyone(mut self) -> Self {
        self.audience = Audience::Everyone;
        self
    }

    /// Sets the function that renders the page.
    #[cfg(feature = "oauth")]
    pub(crate) fn rendered_by(mut self, render: fn(StatusCode, &View, &mut Response)) -> Self {
        self.render = render;
        self
    }
}

#[async_trait]
impl Handler for ErrorPages {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let view = self.layout.view(req, self.path.as_deref().unwrap_or_else(|| req.uri().path()));
        let is_for_a_person = self.audience != Audience::Browsers || is_of_a_person(req);
        ctrl.call_next(req, depot, res).await;
        let content_type = res.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_page = content_type.is_some_and(|value| value.starts_with("text/html"));
        match res.status_code {
            Some(status) if is_for_a_person && !is_page && (status.is_client_error() || status.is_server_error()) => {
                (self.render)(status, &view, res);
            }
            _ => {}
        }
    }
}

/// Returns whether a browser shows the answer as a page. A script of a page sends JSON, but also accepts HTML.
fn is_of_a_person(req: &Request) -> bool {
    accepts_html(req) && !MediaTypes::Json.matches(req)
}

/// Returns whether the client is a browser that shows a page: `Accept` names HTML.
#[must_use]
pub fn accepts_html(req: &Request) -> bool {
    let accept = req.headers().get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accept.flat_map(|value| value.split(',')).any(|range| range.trim().to_ascii_lowercase().starts_with("text/html"))
}

fn render(status: StatusCode, view: &View, res: &mut Response) {
    let Message { title, advice } = message(status, &view.text().layout.errors);
    let main = html! {
        div.card.narrow {
            h1 { (title) }
            p { (advice) }
        }
    };
    res.render(view.page(title, main).status(status));
}

fn message(status: StatusCode, text: &ErrorsText) -> Message {
    match status {
        StatusCode::SERVICE_UNAVAILABLE => text.unavailable,
        status if status.is_client_error() => text.refused,
        _ => text.internal,
    }
}
