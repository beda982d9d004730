//! `GET /logout`: the sign-out page. It works without scripts.

use family_api_core::paths;
use family_api_salvo::HttpError;

use family_api_salvo::html::{Layout, View};
use maud::{Markup, html};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::handlers::login_page::KEYS_PAGE;
use crate::handlers::text::{SignInText, Text};
use crate::session::Sessions;

/// Sends the page that asks whether to sign out, or says that the user is signed out.
pub(crate) struct LogoutPage {
    pub(crate) sessions: Sessions,
    pub(crate) layout: Layout,
}

#[async_trait]
impl Handler for LogoutPage {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let view = self.layout.view(req, paths::LOGOUT);
        let text = &Text::of(view.language()).sign_in;
        match self.sessions.find(req.headers()).await {
            Ok(Some(_)) => res.render(view.page(text.sign_out, question(&view, text)).with_form()),
            Ok(None) => res.render(view.page(text.signed_out, signed_out(&view, text))),
            Err(error) => res.render(HttpError::from(error)),
        }
    }
}

fn question(view: &View, text: &SignInText) -> Markup {
    html! {
        div.card.narrow {
            h1 { (text.sign_out) }
            p { (text.sign_out_effect) }
            form.actions method="post" action=(view.link(paths::LOGOUT)) {
                button.primary type="submit" { (text.sign_out) }
                a.button href=(view.link(KEYS_PAGE)) { (text.cancel) }
            }
        }
    }
}

fn signed_out(view: &View, text: &SignInText) -> Markup {
    html! {
        div.card.narrow {
            h1 { (text.signed_out) }
            p { (text.signed_out_effect) }
            p.actions { a.button.primary href=(view.link(paths::LOGIN)) { (text.sign_in) } }
        }
    }
}
