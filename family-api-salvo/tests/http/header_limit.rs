//! Headers above the limit get 431, even if the host's server accepts larger headers.

use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::{OnStorage, StorageKind};
use crate::support::{App, TestResponse, anonymous, bearer, session};

const KIB: usize = 1024;

async fn with_padding(app: &App, request: RequestBuilder, bytes: usize) -> TestResponse {
    app.send(request.add_header("x-padding", "x".repeat(bytes), true)).await
}

#[tokio::test]
async fn headers_above_16_kib_get_431_on_every_api_route() {
    let app = App::on(StorageKind::Memory).await;
    for (request, vary) in [
        ((|| bearer("ann-read", Method::GET, "/api/v1/me")) as fn() -> RequestBuilder, "Authorization"),
        (|| bearer("ann-read", Method::GET, "/api/mcp/read/notes"), "Authorization"),
        (|| session("ann", Method::GET, "/api/users/me"), "Cookie"),
    ] {
        with_padding(&app, request(), 15 * KIB).await.assert_ok();
        let response = with_padding(&app, request(), 16 * KIB).await;
        assert_eq!((response.status, response.text().as_str()), (431, ""));
        assert_eq!(response.header("cache-control"), Some("private, no-cache"));
        assert_eq!(response.header("vary"), Some(vary));
        assert!(response.header("x-request-id").is_some() && response.header("content-type").is_none());
    }
    assert_eq!(with_padding(&app, anonymous(Method::GET, "/api/v1/me"), 16 * KIB).await.status, 431);
    // Every header counts, including its name.
    let many = |count: usize| {
        let request = bearer("ann-read", Method::GET, "/api/v1/me");
        (0..count).fold(request, |request, _| request.add_header("x-many", "y".repeat(90), false))
    };
    app.send(many(150)).await.assert_ok();
    assert_eq!(app.send(many(170)).await.status, 431);
}

#[tokio::test]
async fn host_can_change_or_remove_the_header_limit() {
    let app = App::on(StorageKind::Memory).await;
    let request = || bearer("ann-read", Method::GET, "/api/v1/me");
    let small = app.configured(|routes| routes.header_limit(KIB));
    small.send(request()).await.assert_ok();
    assert_eq!(with_padding(&small, request(), KIB).await.status, 431);
    with_padding(&app.configured(FamilyRoutes::without_header_limit), request(), 100 * KIB).await.assert_ok();
}
