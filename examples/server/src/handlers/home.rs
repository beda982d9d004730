//! `GET /`: the page that explains how to connect an assistant, with links to the other pages and the documentation.

use family_api_core::paths;
use family_api_salvo::html::{Assistant, Layout, View};
use family_api_salvo::{OAuth, Origin};
use maud::{Markup, html};
use salvo::http::header::HOST;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::handlers::KEYS_PAGE;
use crate::handlers::home_text::HomeText;

/// The URL in the page if a request names no host, as HTTP/1.0 permits.
const UNKNOWN_ORIGIN: &str = "http://localhost";

/// The placeholder of the server's URL.
const ORIGIN: &str = "{origin}";

/// The placeholder of the key.
const KEY: &str = "fam_…";

/// The command that checks a key.
const CHECK: &str = r#"curl -sS -H 'Authorization: Bearer fam_…' -H 'Content-Type: application/json' \
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_overview"}}' \
  '{origin}/api/v1/mcp'"#;

/// Sends the page with the URL of the server filled in.
pub(crate) struct Home {
    pub(crate) layout: Layout,
    /// With which assistants connect without a key. `None` if it is off.
    pub(crate) oauth: Option<OAuth>,
    /// The URL from the options. If it is `None`, the page contains the host of the request.
    pub(crate) public_url: Option<Origin>,
}

impl Home {
    fn origin(&self, req: &Request) -> String {
        let requested = || {
            let host = req.headers().get(HOST)?.to_str().ok()?;
            format!("{}://{host}", req.scheme()).parse().ok()
        };
        let origin = self.public_url.clone().or_else(requested);
        origin.map_or_else(|| UNKNOWN_ORIGIN.to_owned(), |origin| origin.to_string())
    }
}

#[async_trait]
impl Handler for Home {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let view = self.layout.view(req, "/");
        let text = HomeText::of(view.language());
        let origin = self.origin(req);
        let is_open = self.oauth.as_ref().is_some_and(|oauth| oauth.issuer_of(req).is_some());
        let needs = if is_open { text.without_key } else { text.needs };
        let main = html! {
            (introduction(&view, text))
            (connect(&view, text, needs, &origin))
            section.card aria-labelledby="check" {
                h2 #check { (text.check) }
                p { (text.check_explanation) }
                pre dir="ltr" { (CHECK.replace(ORIGIN, &origin)) }
            }
        };
        res.render(view.page(text.title, main));
    }
}

fn introduction(view: &View, text: &HomeText) -> Markup {
    html! {
        div.card {
            h1 { (text.title) }
            p { (text.explanation) }
            p.actions {
                a.button.primary href=(view.link(KEYS_PAGE)) { (text.keys) }
                a.button href=(view.link(paths::LOGIN)) { (text.sign_in) }
            }
            p.actions {
                a href=(view.link("/docs/")) { (text.documentation) }
                a href=(view.link(paths::OPENAPI)) { (text.openapi) }
            }
        }
    }
}

fn connect(view: &View, text: &HomeText, needs: &str, origin: &str) -> Markup {
    html! {
        section.card aria-labelledby="connect" {
            h2 #connect { (text.connect) }
            p { (needs) " " a href=(view.link(KEYS_PAGE)) { (text.keys) } }
            dl {
                dt { code dir="ltr" { (origin) (paths::V1_ENDPOINT) } }
                dd { (text.full_endpoint) }
                dt { code dir="ltr" { (origin) (paths::MCP_ENDPOINT) } }
                dd { (text.read_endpoint) }
            }
            p { (emphasize_key(text.secret)) }
            @for assistant in Assistant::ALL {
                h3 { (assistant.name) }
                p.hint { code dir="ltr" { (assistant.file) } }
                pre dir="ltr" { (assistant.settings(&format!("{origin}{}", paths::V1_ENDPOINT), KEY)) }
            }
        }
    }
}

/// Marks the placeholder of the key in a text.
fn emphasize_key(text: &str) -> Markup {
    let (before, after) = text.split_once(KEY).unwrap_or((text, ""));
    html! { (before) code { (KEY) } (after) }
}
