//! The app: its own routes, and the API below a prefix.

use family_api_core::{FamilyApi, key::InvalidPrefix};
use family_api_salvo::{FamilyRoutes, Private, SameSite};
use salvo::{Router, Service, http::header::COOKIE};

use crate::household::{ADD_CHORE, Act, REMOVE_MEMBER, SHOW};
use crate::session::SignIn;
use crate::storage::Hearth;

impl Hearth {
    /// Puts the app together: its own are the storage, the clock, the sessions, and what tokens begin with.
    pub fn service(self) -> Result<Service, InvalidPrefix> {
        let own = Router::new()
            .hoop(Private::vary(&COOKIE))
            .hoop(SameSite::default())
            .push(Router::with_path("sign-in").post(SignIn(self.clone())))
            .push(Router::with_path("household").get(Act(self.clone(), SHOW)))
            .push(Router::with_path("household/chores").post(Act(self.clone(), ADD_CHORE)))
            .push(Router::with_path("household/members/{id}").delete(Act(self.clone(), REMOVE_MEMBER)));
        let api = FamilyApi::builder(std::sync::Arc::new(self.clone())).clock(self.clone());
        let api = api.key_prefix("hearth_".parse()?).key_limit(5).build();
        let family = FamilyRoutes::new(api).session(self).body_limit(64 * 1024).without_records().without_page();
        Ok(Service::new(Router::new().push(own).push(Router::with_path("family").push(family.into_router()))))
    }
}
