//! `GET` of a page.

use std::sync::Arc;

use family_api_core::{Error, FamilyApi};
use maud::html;
use salvo::http::StatusCode;
use salvo::http::header::{CACHE_CONTROL, HeaderValue};
use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};

use super::keys::{self, Features};
use super::{Pages, deleted};
use crate::guard::InFlightPermit;
use crate::html::{Layout, Page, SignInPage, View};
use crate::{HttpError, Methods, SessionAuthenticator};

/// Renders a page for a signed-in user. The last argument is the address of the sign-in page.
type Render = Box<dyn for<'a> Fn(&Request, &'a View, Option<&str>) -> Page<'a> + Send + Sync>;

/// Sends a page to a signed-in user, and leads other visitors to the host's sign-in page.
struct GetPage {
    /// The path of the page, relative to where the routes are mounted.
    path: String,
    sign_in: Option<SignInPage>,
    layout: Layout,
    session: Arc<dyn SessionAuthenticator>,
    render: Render,
}

impl Pages {
    /// Builds the router of the page of keys and connections. `features` tells what the page explains in the answer to
    /// a request.
    pub(crate) fn keys_router(
        &self,
        features: impl Fn(&Request) -> Features + Send + Sync + 'static,
        layout: Layout,
        session: Arc<dyn SessionAuthenticator>,
    ) -> Router {
        let pages = self.clone();
        let render: Render = Box::new(move |req, view, sign_in| {
            let main = keys::keys(view, &pages, &features(req), sign_in);
            view.page(view.text().layout.keys, main).keys_module()
        });
        self.page(&self.path, layout, session, render)
    }

    /// Builds the router of the page of deleted records at its path.
    pub(crate) fn deleted_router(
        &self,
        path: &str,
        api: FamilyApi,
        layout: Layout,
        session: Arc<dyn SessionAuthenticator>,
    ) -> Router {
        let pages = self.clone();
        let render: Render = Box::new(move |_, view, sign_in| {
            let main = deleted::deleted(view, &pages, api.capabilities(), sign_in);
            view.page(view.text().deleted.name, main).deleted_module()
        });
        self.page(path, layout, session, render)
    }

    fn page(&self, path: &str, layout: Layout, session: Arc<dyn SessionAuthenticator>, render: Render) -> Router {
        let page = GetPage { path: path.to_owned(), sign_in: self.sign_in.clone(), layout, session, render };
        Methods::new().get(page).at(path.trim_matches('/'))
    }
}

impl GetPage {
    /// Returns the address of the sign-in page, from which the user returns to this page.
    fn sign_in(&self, req: &Request) -> Option<String> {
        let here = req.uri().path_and_query().map_or("/", |here| here.as_str());
        self.sign_in.as_ref().map(|sign_in| sign_in.url(here))
    }
}

#[async_trait]
impl Handler for GetPage {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let view = self.layout.view(req, &self.path);
        let sign_in = self.sign_in(req);
        let signed_in = match self.session.user(req, depot).await {
            Ok(Some(signed_in)) => InFlightPermit::credential_accepted(req).await.map(|()| Some(signed_in)),
            Ok(None) => {
                InFlightPermit::credential_refused(req, &Error::NotSignedIn);
                Ok(None)
            }
            Err(error) => Err(error),
        };
        match (signed_in, sign_in) {
            (Ok(Some(_)), sign_in) => res.render((self.render)(req, &view, sign_in.as_deref())),
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
    let problems = &view.text().shared.problems;
    let main = html! {
        div.card.narrow {
            h1 { (problems.title) }
            p { (problems.not_signed_in) }
        }
    };
    res.render(view.page(problems.title, main).status(StatusCode::UNAUTHORIZED));
}
