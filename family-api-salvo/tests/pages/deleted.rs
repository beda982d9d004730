//! The page of deleted records.

use std::collections::BTreeSet;

use family_api_salvo::Pages;
use salvo::{Router, Service};

use crate::support::{app, attributes, get, get_with, quoted, routes, scripts, serve};

#[tokio::test]
async fn the_page_has_the_same_security_headers_as_the_page_of_keys() {
    let app = app();
    let (page, keys) = (get(&app, "/deleted").await, get(&app, "/keys").await);
    for name in ["content-security-policy", "cache-control", "referrer-policy", "x-frame-options", "vary"] {
        assert!(page.header(name).is_some(), "{name}");
        assert_eq!(page.header(name), keys.header(name), "{name}");
    }
}

#[tokio::test]
async fn a_signed_out_visitor_is_led_to_the_sign_in_and_back() {
    let answer = get_with(&app(), "/deleted?lang=de", &[]).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/login?next=%2Fdeleted%3Flang%3Dde")));
    let answer = get_with(&serve(routes().pages(Pages::at("/keys").deleted_at("/deleted"))), "/deleted", &[]).await;
    assert_eq!(answer.status, 401);
    assert!(answer.text.contains("You are not signed in."), "{}", answer.text);
}

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

#[tokio::test]
async fn the_page_has_every_element_and_text_that_the_scripts_use() {
    let app = app();
    let page = get(&app, "/deleted").await.text;
    let script = scripts(&app, &page).await;
    for (name, prefix, least) in [("id", "getElementById(", 9), ("data-slot", "slot(", 5), ("data-text", " text(", 2)] {
        let present: BTreeSet<&str> = attributes(&page, name).into_iter().collect();
        let used = quoted(&script, prefix);
        assert!(used.len() >= least && used.is_subset(&present), "{name}: {:?}", used.difference(&present));
    }
    let texts: BTreeSet<&str> = attributes(&page, "data-text").into_iter().collect();
    let mut failures = quoted(&script, "new Failure(");
    // Only the creation of a key gets it.
    failures.remove("api_disabled");
    assert!(failures.len() > 7 && failures.is_subset(&texts), "{:?}", failures.difference(&texts));
}
