//! `GET` of the page.

use std::sync::Arc;

use family_api_core::Error;
use maud::html;
use salvo::http::StatusCode;
use salvo::http::header::{CACHE_CONTROL, HeaderValue};
use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};

use super::Pages;
use super::markup::{self, Features};
use crate::guard::InFlightPermit;
use crate::html::{Layout, View};
use crate::{HttpError, Methods, SessionAuthenticator};

/// Sends the page to a signed-in user, and leads other visitors to the host's sign-in page.
struct GetKeysPage {
    pages: Pages,
    features: Box<dyn Fn(&Request) -> Features + Send + Sync>,
    layout: Layout,
    session: Arc<dyn SessionAuthenticator>,
}

impl Pages {
    /// Builds the router of the page. `features` tells what the page explains in the answer to a request.
    pub(crate) fn router(
        self,
        features: impl Fn(&Request) -> Features + Send + Sync + 'static,
        layout: Layout,
        session: Arc<dyn SessionAuthenticator>,
    ) -> Router {
        let path = self.path.trim_matches('/').to_owned();
        Methods::new().get(GetKeysPage { pages: self, features: Box::new(features), layout, session }).at(&path)
    }
}

impl GetKeysPage {
    /// Returns the address of the sign-in page, from which the user returns to this page.
    fn sign_in(&self, req: &Request) -> Option<String> {
        let here = req.uri().path_and_query().map_or("/", |here| here.as_str());
        self.pages.sign_in.as_ref().map(|sign_in| sign_in.url(here))
    }
}

#[async_trait]
impl Handler for GetKeysPage {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let view = self.layout.view(req, &self.pages.path);
        let sign_in = self.sign_in(req);
        let signed_in = match self.session.user(req, depot).await {
            Ok(Some(signed_in)) => InFlightPermit::accept(req).await.map(|()| Some(signed_in)),
            Ok(None) => {
                InFlightPermit::refuse(req, &Error::NotSignedIn);
                Ok(None)
            }
            Err(error) => Err(error),
        };
        match (signed_in, sign_in) {
            (Ok(Some(_)), sign_in) => {
                let main = markup::keys(&view, &self.pages, &(self.features)(req), sign_in.as_deref());
                res.render(view.page(view.text().layout.keys, main).keys_module());
            }
            (Ok(None), Some(sign_in)) => {
                res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
                res.render(Redirect::other(sign_in));
            }
            (Ok(None), None) => not_signed_in(&view, res),
            // `ErrorPages` turns it into a page.
            (Err(error), _) => res.render(HttpError::from(error)),
        }
    }
}

fn not_signed_in(view: &View, res: &mut Response) {
    let problems = &view.text().keys.problems;
    let main = html! {
        div.card.narrow {
            h1 { (problems.title) }
            p { (problems.not_signed_in) }
        }
    };
    res.render(view.page(problems.title, main).status(StatusCode::UNAUTHORIZED));
}
