//! `GET /`: the page that explains how to connect an assistant, with links to the other pages and the documentation.

use family_api_core::resource::Profile;
use family_api_core::{Error, FamilyApi, paths};
use family_api_salvo::html::{Assistant, Layout, View};
use family_api_salvo::{HttpError, OAuth, Origin, SessionAuthenticator};
use maud::{Markup, html};
use salvo::http::header::HOST;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::handlers::KEYS_PAGE;
use crate::handlers::text::{HomeText, Text};
use crate::session::Sessions;

/// The URL in the page if a request names no host, as HTTP/1.0 permits.
const UNKNOWN_ORIGIN: &str = "http://localhost";

/// The page from which users bring back deleted records.
pub(crate) const DELETED_PAGE: &str = "/deleted";

/// The placeholder of the server's URL.
const ORIGIN: &str = "{origin}";

/// The placeholder of the key.
const KEY: &str = "fam_…";

/// The command that checks a key.
const CHECK: &str = r#"curl -sS -H 'Authorization: Bearer fam_…' -H 'Content-Type: application/json' \
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_overview"}}' \
  '{origin}/api/v1/mcp'"#;

/// Sends the page with the URL of the server filled in, and with the name of the signed-in user.
pub(crate) struct Home {
    pub(crate) api: FamilyApi,
    pub(crate) sessions: Sessions,
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

    /// Returns the profile of the signed-in user. A request without a session needs no storage.
    async fn profile(&self, req: &Request, depot: &Depot) -> Result<Option<Profile>, Error> {
        let Some(signed_in) = self.sessions.user(req, depot).await? else { return Ok(None) };
        let caller = match self.api.session_caller(&signed_in).await {
            Err(Error::NotSignedIn) => return Ok(None),
            caller => caller?,
        };
        Ok(Some(self.api.profile(&caller)?.get().await?))
    }
}

#[async_trait]
impl Handler for Home {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let profile = match self.profile(req, depot).await {
            Ok(profile) => profile,
            Err(error) => return res.render(HttpError::from(error)),
        };
        let view = self.layout.view(req, "/");
        let text = &Text::of(view.language()).home;
        let origin = self.origin(req);
        let is_open = self.oauth.as_ref().is_some_and(|oauth| oauth.issuer_of(req).is_some());
        let main = html! {
            (introduction(&view, text, profile.as_ref()))
            section.card aria-labelledby="connect" {
                h2 #connect { (text.connect) }
                @if is_open {
                    (steps(text, &origin))
                } @else {
                    p { (text.needs_key) " " a href=(view.link(KEYS_PAGE)) { (text.keys) } }
                }
            }
            (programs(&view, text, &origin))
        };
        res.render(view.page(text.title, main));
    }
}

fn introduction(view: &View, text: &HomeText, user: Option<&Profile>) -> Markup {
    html! {
        div.card {
            h1 { (text.title) }
            p { (text.explanation) }
            @if let Some(user) = user {
                p { (text.signed_in_as) " " strong dir="auto" { (user.name) } }
                p.actions {
                    a.button.primary href=(view.link(KEYS_PAGE)) { (text.keys) }
                    a.button href=(view.link(DELETED_PAGE)) { (text.deleted) }
                    a.button href=(view.link(paths::LOGOUT)) { (text.sign_out) }
                }
            } @else {
                p.actions {
                    a.button.primary href=(view.link(paths::LOGIN)) { (text.sign_in) }
                    a.button href=(view.link(KEYS_PAGE)) { (text.keys) }
                }
            }
        }
    }
}

fn steps(text: &HomeText, origin: &str) -> Markup {
    let [open, enter, choose] = text.steps;
    html! {
        ol {
            li { (open) }
            li { (enter) " " code dir="ltr" { (origin) (paths::V1_MCP) } }
            li { (choose) }
        }
    }
}

fn programs(view: &View, text: &HomeText, origin: &str) -> Markup {
    html! {
        details.card.programs {
            summary { (text.programs) }
            p { (text.endpoints) }
            dl {
                dt { code dir="ltr" { (origin) (paths::V1_MCP) } }
                dd { (text.full_endpoint) }
                dt { code dir="ltr" { (origin) (paths::READ_PATH_MCP) } }
                dd { (text.read_endpoint) }
            }
            p { (emphasize_key(text.secret)) }
            @for assistant in Assistant::ALL {
                h3 { (assistant.name) }
                p.hint { code dir="ltr" { (assistant.file) } }
                pre dir="ltr" { (assistant.settings(&format!("{origin}{}", paths::V1_MCP), KEY)) }
            }
            h3 { (text.check) }
            p { (text.check_explanation) }
            pre dir="ltr" { (CHECK.replace(ORIGIN, origin)) }
            p.actions {
                a href=(view.link("/docs/")) { (text.documentation) }
                a href=(view.link(paths::OPENAPI)) { (text.openapi) }
            }
        }
    }
}

/// Marks the placeholder of the key in a text.
fn emphasize_key(text: &str) -> Markup {
    let (before, after) = text.split_once(KEY).unwrap_or((text, ""));
    html! { (before) code { (KEY) } (after) }
}
