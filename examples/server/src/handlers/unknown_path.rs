//! Answers 404 to a path that the server does not have.

use family_api_core::paths;
use family_api_salvo::HttpError;
use family_api_salvo::html::{Layout, accepts_html};
use maud::html;
use salvo::http::StatusCode;
use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::handlers::text::Text;
use crate::handlers::{DELETED_PAGE, KEYS_PAGE};

const HINT: &str = "The MCP endpoints are /api/v1/mcp and /api/mcp, without a slash at the end";

/// The pages that people type with a slash at the end.
const PAGES: [&str; 4] = [KEYS_PAGE, DELETED_PAGE, paths::LOGIN, paths::LOGOUT];

/// Returns 404: a page to a browser, and otherwise a hint at the MCP endpoints, because users of assistants guess paths
/// such as `/mcp`. A browser is redirected from `/keys/` to `/keys`.
pub(crate) struct UnknownPath {
    pub(crate) layout: Layout,
}

#[async_trait]
impl Handler for UnknownPath {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let path = req.uri().path();
        if !accepts_html(req) {
            res.render(HttpError::UnknownPath { hint: HINT.into() });
        } else if let Some(page) = PAGES.into_iter().find(|page| path.strip_suffix('/') == Some(page)) {
            res.render(Redirect::other(page));
        } else {
            // The path of a page ends with a name, from which its relative links start.
            let view = self.layout.view(req, &format!("{path}page"));
            let text = &Text::of(view.language()).unknown_path;
            let main = html! {
                div.card.narrow {
                    h1 { (text.title) }
                    p { a href=(view.link("/")) { (text.home) } }
                }
            };
            res.render(view.page(text.title, main).status(StatusCode::NOT_FOUND));
        }
    }
}
