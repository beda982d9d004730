//! The HTTP service: the routes of the API, the routes that only this server has, and the middleware.

use std::num::NonZeroUsize;

use family_api_core::{FamilyApi, SystemClock, paths};
use family_api_salvo::Pages;
use family_api_salvo::html::{Brand, ErrorPages, Layout};
use family_api_salvo::{
    ContentLength, DrainBody, FamilyRoutes, HostHeader, LoadShed, Methods, NotFound, OAuth, PanicGuard,
    PrivateResponse, RequestIdGuard, SameSite, TimeoutGuard, TrustedProxies, UnreadResponseLimit,
};
use salvo::http::header::{AUTHORIZATION, COOKIE};
use salvo::{Router, Service};

use crate::access_log::{AccessLog, RequestScope};
use crate::audit::AuditLog;
use crate::cli::{HttpOptions, RateLimit};
use crate::cookie::CookieWriter;
use crate::database::Database;
use crate::handlers::{
    DELETED_PAGE, Healthz, Home, KEYS_PAGE, Login, LoginPage, Logout, LogoutPage, Readyz, Robots, UnknownPath,
};
use crate::limits::REQUEST_TIMEOUT;
use crate::metrics::RequestMetrics;
use crate::openapi;
use crate::other_host::OtherHostWarning;
use crate::password::PasswordQueue;
use crate::session::Sessions;
use crate::sign_in::SignIn;
use crate::sign_in_limits::SignInLimits;

/// Maximum number of concurrent requests of `/login` and `/logout`. Further requests get 503 at once. A sign-in takes
/// tens of milliseconds of CPU time, so further sign-ins would wait too long.
const MAX_SIGN_IN_REQUESTS: NonZeroUsize = NonZeroUsize::new(32).unwrap();

/// Maximum number of concurrent requests of `/`. Each looks a session up, also a made-up one, and there are more requests
/// than connections to the database.
const MAX_HOME_REQUESTS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// The sign-in page, with the placeholder for the page to which the user returns.
const SIGN_IN_PAGE: &str = "/login?next={return}";

/// Builds the service from its routes and middleware. Counts requests if `metrics` is `Some`. Assistants can connect
/// without a key if `oauth` is `Some`. `load_shed` limits the requests of the API.
pub(crate) fn build_service(
    api: FamilyApi,
    database: &Database,
    oauth: Option<OAuth>,
    metrics: Option<RequestMetrics>,
    load_shed: LoadShed,
    options: HttpOptions,
) -> Service {
    let sessions = Sessions::new(database.storage.clone(), SystemClock);
    let unread_limit = UnreadResponseLimit::of_bytes(usize::from(options.max_unread.get()) << 20);
    let layout = Layout::new(Brand::default());
    let home = Home {
        api: api.clone(),
        sessions: sessions.clone(),
        layout: layout.clone(),
        oauth: oauth.clone(),
        public_url: options.public_url.clone(),
    };
    let guarded =
        |router: Router| router.hoop(PanicGuard).hoop(TimeoutGuard::new(REQUEST_TIMEOUT)).hoop(unread_limit.clone());
    let for_programs = guarded(Router::new())
        .push(Methods::new().get(Healthz).at("healthz"))
        .push(Methods::new().get(Readyz { api: api.clone() }).at("readyz"))
        .push(Methods::new().get(Robots).at("robots.txt"))
        .push(Router::with_path("api/{**rest}").hoop(PrivateResponse::vary(&AUTHORIZATION)).goal(NotFound));
    // The outer handler replaces also what the guards answer.
    let for_people = guarded(Router::new().hoop(ErrorPages::new(layout.clone())))
        .push(Router::new().hoop(LoadShed::new(MAX_HOME_REQUESTS)).push(Methods::new().get(home).at("")))
        .push(sign_in_routes(&api, database, &sessions, &layout, &options))
        .push(Router::with_path("{**rest}").goal(UnknownPath { layout }));
    let proxies = TrustedProxies::new(options.trusted_proxies.clone());
    let warning = oauth.clone().map(OtherHostWarning::new);
    let other_routes = Router::new().hoop(ContentLength).push(for_programs).push(for_people);
    let family = family_routes(api, sessions, oauth, unread_limit, load_shed, options);
    let router = Router::new().push(family).push(other_routes);
    let service = Service::new(router).hoop(proxies).hoop(RequestIdGuard).hoop(RequestScope);
    let service = service.hoop(AccessLog { metrics }).hoop(DrainBody).hoop(HostHeader);
    match warning {
        Some(warning) => service.hoop(warning),
        None => service,
    }
}

fn family_routes(
    api: FamilyApi,
    sessions: Sessions,
    oauth: Option<OAuth>,
    unread_limit: UnreadResponseLimit,
    load_shed: LoadShed,
    options: HttpOptions,
) -> Router {
    let routes = FamilyRoutes::new(api)
        .session(sessions)
        .mcp()
        .pages(Pages::at(KEYS_PAGE).deleted_at(DELETED_PAGE).sign_in_at(SIGN_IN_PAGE).sign_out_at(paths::LOGOUT))
        .openapi_fragment(openapi::fragment())
        .unread_response_limit(unread_limit);
    let routes = routes.max_in_flight(load_shed).request_timeout(REQUEST_TIMEOUT).cors(options.cors_origins);
    let routes = match options.rate_limit {
        RateLimit::PerMinute(_) => routes,
        RateLimit::Off => routes.without_invalid_credential_limit(),
    };
    let routes = match oauth {
        Some(oauth) => routes.oauth(oauth),
        None => routes,
    };
    match options.public_url {
        Some(address) => routes.public_address(address),
        None => routes,
    }
    .into_router()
}

fn sign_in_routes(
    api: &FamilyApi,
    database: &Database,
    sessions: &Sessions,
    layout: &Layout,
    options: &HttpOptions,
) -> Router {
    let sign_in = SignIn {
        api: api.clone(),
        credentials: database.storage.clone(),
        passwords: PasswordQueue::new(),
        sessions: sessions.clone(),
        limits: SignInLimits::new(SystemClock),
        audit: AuditLog::new(options.audit_addresses),
    };
    let cookie_writer = CookieWriter::new(options.public_url.clone());
    let same_site = SameSite::new(options.public_url.clone());
    let page = LoginPage { layout: layout.clone() };
    let login =
        Login { sign_in, cookie_writer: cookie_writer.clone(), page: page.clone(), same_site: same_site.clone() };
    let logout = Logout { sessions: sessions.clone(), cookie_writer, same_site };
    let logout_page = LogoutPage { sessions: sessions.clone(), layout: layout.clone() };
    Router::new()
        .hoop(PrivateResponse::vary(&COOKIE))
        .hoop(LoadShed::new(MAX_SIGN_IN_REQUESTS))
        .push(Methods::new().get(page).post(login).at(paths::LOGIN))
        .push(Methods::new().get(logout_page).post(logout).at(paths::LOGOUT))
}
