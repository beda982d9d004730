//! The router: the app's own routes, and the API below `/family`.

use family_api_core::{FamilyApi, key::InvalidPrefix};
use family_api_salvo::{FamilyRoutes, OAuth, Pages, PrivateResponse, PublicUrl, SameSite};
use salvo::{Router, Service, http::header::COOKIE};

use crate::{household::Statement, session::SignIn, session::sign_in_page, storage::Hearth};

/// Maximum size of a body in bytes, for the app's own routes and for the API.
pub(crate) const MAX_BODY: usize = 64 * 1024;
/// The app's sign-in page. It sends the user back to the page of the API that needs a session.
const SIGN_IN: &str = "/sign-in?next={return}";

impl Hearth {
    /// Builds the service: the app's routes, and the API. The issuer is the API's public URL. Without it, assistants
    /// need a key.
    pub fn service(self, issuer: Option<PublicUrl>) -> Result<Service, InvalidPrefix> {
        let route = |sql| Statement(self.clone(), sql);
        let own = Router::new()
            .hoop(PrivateResponse::vary(&COOKIE))
            .hoop(SameSite::default())
            .push(
                Router::with_path("sign-in")
                    .get(sign_in_page)
                    .post(SignIn(self.clone()))
                    .delete(route(include_str!("sql/sign_out.sql"))),
            )
            .push(Router::with_path("household").get(route(include_str!("sql/show_household.sql"))))
            .push(Router::with_path("household/chores").post(route(include_str!("sql/add_chore.sql"))))
            .push(Router::with_path("household/members/{id}").delete(route(include_str!("sql/remove_member.sql"))));
        let api =
            FamilyApi::builder(std::sync::Arc::new(self.clone())).clock(self.clock.clone()).grants(self.grants.clone());
        let api = api.calendar_feeds(self.grants.clone()).key_prefix("hearth_".parse()?).key_limit(5).build();
        let family = FamilyRoutes::new(api).session(self).body_limit(MAX_BODY).without_records().without_docs();
        let family = family.pages(Pages::at("/keys").sign_in_at(SIGN_IN)).mcp();
        let family = match issuer {
            Some(issuer) => family.oauth(OAuth::new(issuer).sign_in_at(SIGN_IN)),
            None => family,
        };
        let own = own.push(family.oauth_metadata_router());
        Ok(Service::new(Router::new().push(own).push(Router::with_path("family").push(family.into_router()))))
    }
}
