//! The page of deleted records.

use family_api_salvo::Pages;
use salvo::{Router, Service};

use crate::support::{get, routes, serve};

#[tokio::test]
async fn the_links_work_below_a_prefix() {
    let routes = routes().pages(Pages::at("/account/keys").deleted_at("/account/more/deleted"));
    let app = Service::new(Router::with_path("family").push(routes.into_router()));
    let page = get(&app, "/family/account/more/deleted").await.text;
    for link in [
        " data-deleted=\"../../api/users/me/deleted\"",
        " data-task=\"../../api/tasks/{id}/restore\"",
        " data-note=\"../../api/notes/{id}/restore\"",
        " data-event=\"../../api/events/{id}/restore\"",
        " data-shopping_item=\"../../api/shopping-items/{id}/restore\"",
        " href=\"../../account/keys\"",
    ] {
        assert!(page.contains(link), "{link}: {page}");
    }
    let keys = get(&app, "/family/account/keys").await.text;
    assert!(keys.contains(" href=\"../account/more/deleted\""), "{keys}");
}

#[tokio::test]
async fn a_host_has_no_page_unless_it_names_one_and_mounts_the_routes() {
    let without_path = serve(routes().pages(Pages::at("/keys")));
    let without_records = serve(routes().without_records().pages(Pages::at("/keys").deleted_at("/deleted")));
    for app in [without_path, without_records] {
        assert_eq!(get(&app, "/deleted").await.status, 404);
        let keys = get(&app, "/keys").await;
        assert_eq!(keys.status, 200);
        assert!(!keys.text.contains("Recently deleted"), "{}", keys.text);
    }
}
