//! Builds the service: the routes of the API, the server's own routes, and the middleware.

use std::num::NonZeroUsize;

use family_api_core::{FamilyApi, SystemClock, paths};
use family_api_salvo::{
    ContentLength, FamilyRoutes, HostHeader, LoadShed, Methods, NotFound, Origin, PanicGuard, Private, RequestIdGuard,
    SameSite, TimeoutGuard, UnreadAnswers, UnreadBody,
};
use salvo::http::header::{AUTHORIZATION, COOKIE};
use salvo::{Router, Service};

use crate::access_log::AccessLog;
use crate::cli::{HttpOptions, RateLimit};
use crate::cookie::Transport;
use crate::database::Database;
use crate::handlers::{Healthz, Home, Login, Logout, Readyz};
use crate::limits::REQUEST;
use crate::openapi;
use crate::password::Passwords;
use crate::request_scope::RequestScope;
use crate::session::Sessions;
use crate::sign_in::SignIn;
use crate::throttle::Throttle;

/// Maximum number of sign-ins at once. Each takes tens of milliseconds of CPU time, so more would wait too long.
const MAX_SIGN_INS: NonZeroUsize = NonZeroUsize::new(32).unwrap();

/// Builds the service.
pub(crate) fn service(api: FamilyApi, database: &Database, options: HttpOptions) -> Service {
    let sessions = Sessions::new(database.credentials.clone(), SystemClock);
    let unread = UnreadAnswers::of_bytes(usize::from(options.max_unread.get()) << 20);
    let own = Router::new()
        .hoop(ContentLength)
        .hoop(PanicGuard)
        .hoop(TimeoutGuard::new(REQUEST))
        .hoop(unread.clone())
        .push(own_routes(&api))
        .push(sign_in_routes(&api, database, &sessions, options.public_url.clone()))
        .push(Router::with_path("api/{**rest}").hoop(Private::vary(&AUTHORIZATION)).goal(NotFound))
        .push(Router::with_path("{**rest}").goal(NotFound));
    let router = Router::new().push(family_routes(api, sessions, unread, options)).push(own);
    Service::new(router).hoop(AccessLog).hoop(RequestIdGuard).hoop(RequestScope).hoop(UnreadBody).hoop(HostHeader)
}

fn family_routes(api: FamilyApi, sessions: Sessions, unread: UnreadAnswers, options: HttpOptions) -> Router {
    let routes = FamilyRoutes::new(api).session(sessions).describe(openapi::fragment()).unread_answers(unread);
    let routes = routes.max_in_flight(options.max_in_flight).request_timeout(REQUEST).cors(options.cors_origins);
    let routes = match options.rate_limit {
        RateLimit::PerMinute(_) => routes,
        RateLimit::Off => routes.without_failure_limit(),
    };
    match options.public_url {
        Some(address) => routes.public_address(address),
        None => routes,
    }
    .into_router()
}

fn own_routes(api: &FamilyApi) -> Router {
    Router::new()
        .push(Methods::new().get(Home).at(""))
        .push(Methods::new().get(Healthz).at("healthz"))
        .push(Methods::new().get(Readyz { api: api.clone() }).at("readyz"))
}

fn sign_in_routes(api: &FamilyApi, database: &Database, sessions: &Sessions, public_url: Option<Origin>) -> Router {
    let sign_in = SignIn {
        api: api.clone(),
        credentials: database.credentials.clone(),
        passwords: Passwords::new(),
        sessions: sessions.clone(),
        throttle: Throttle::new(SystemClock),
    };
    let transport = Transport::new(public_url.clone());
    let same_site = SameSite::new(public_url);
    let login = Methods::new().post(Login { sign_in, transport: transport.clone() }).at(paths::LOGIN);
    let logout = Logout { sessions: sessions.clone(), transport, same_site: same_site.clone() };
    Router::new()
        .hoop(Private::vary(&COOKIE))
        .hoop(LoadShed::new(MAX_SIGN_INS))
        .push(Router::new().hoop(same_site).push(login))
        .push(Methods::new().post(logout).at(paths::LOGOUT))
}
