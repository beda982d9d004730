//! Headers above the limit, even if the host's server accepts them.

use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::{OnStorage, StorageKind};
use crate::support::{Answer, App, CookieUser, anonymous, bearer, session};

const KIB: usize = 1024;

async fn with_padding(app: &App, request: RequestBuilder, bytes: usize) -> Answer {
    app.send(request.add_header("x-padding", "x".repeat(bytes), true)).await
}

#[tokio::test]
async fn headers_above_16_kib_are_431_on_every_guarded_route() {
    let app = App::on(StorageKind::Memory).await;
    for (request, vary) in [
        ((|| bearer("ann-read", Method::GET, "/api/v1/me")) as fn() -> RequestBuilder, "Authorization"),
        (|| bearer("ann-read", Method::GET, "/api/mcp/read/notes"), "Authorization"),
        (|| session("ann", Method::GET, "/api/users/me"), "Cookie"),
    ] {
        with_padding(&app, request(), 15 * KIB).await.is_ok();
        let answer = with_padding(&app, request(), 16 * KIB).await;
        assert_eq!((answer.status, answer.text().as_str()), (431, ""));
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
        assert_eq!(answer.header("vary"), Some(vary));
        assert!(answer.header("x-request-id").is_some() && answer.header("content-type").is_none());
    }
    assert_eq!(with_padding(&app, anonymous(Method::GET, "/api/v1/me"), 16 * KIB).await.status, 431);
    // Every header counts, including its name.
    let many = |count: usize| {
        let request = bearer("ann-read", Method::GET, "/api/v1/me");
        (0..count).fold(request, |request, _| request.add_header("x-many", "y".repeat(90), false))
    };
    app.send(many(150)).await.is_ok();
    assert_eq!(app.send(many(170)).await.status, 431);
}

#[tokio::test]
async fn host_can_change_or_remove_the_limit() {
    let app = App::on(StorageKind::Memory).await;
    let mounted = |routes: fn(FamilyRoutes) -> FamilyRoutes| {
        app.mounted(|api| Router::new().push(routes(FamilyRoutes::new(api).session(CookieUser)).into_router()))
    };
    let request = || bearer("ann-read", Method::GET, "/api/v1/me");
    let small = mounted(|routes| routes.header_limit(KIB));
    small.send(request()).await.is_ok();
    assert_eq!(with_padding(&small, request(), KIB).await.status, 431);
    with_padding(&mounted(FamilyRoutes::without_header_limit), request(), 100 * KIB).await.is_ok();
}
