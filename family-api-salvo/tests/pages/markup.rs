//! The markup of the pages.

use std::collections::BTreeSet;
use std::sync::Arc;

use family_api_core::FamilyApi;
use family_api_memory::MemoryStorage;
use family_api_salvo::html::Brand;
use family_api_salvo::{FamilyRoutes, Pages};
use salvo::{Router, Service};

use crate::session::CookieAuthenticator;
#[cfg(feature = "oauth")]
use crate::support::routes_without_feeds;
use crate::support::{app, attributes, get, quoted, routes, routes_without_grants, scripts, serve};

#[tokio::test]
async fn nothing_is_inline() {
    for path in ["/keys", "/deleted"] {
        let page = get(&app(), path).await.text;
        assert_eq!(page.matches("<script").count(), page.matches("<script type=\"module\" src=\"").count());
        for inline in ["<style", " style=", " onclick=", " onload=", " onsubmit=", "javascript:"] {
            assert!(!page.contains(inline), "{path}: {inline}");
        }
    }
}

#[tokio::test]
async fn the_brand_is_shown_and_escaped() {
    let brand = Brand::new("R&D <home>").logo("/logo.svg\" onload=\"x").link_back("/?a=\"b", "Back & home");
    let page = get(&serve(routes().brand(brand).pages(Pages::at("/keys"))), "/keys").await.text;
    assert!(page.contains("<title>Programs and assistants · R&amp;D &lt;home&gt;</title>"), "{page}");
    assert!(page.contains("src=\"/logo.svg&quot; onload=&quot;x\""), "{page}");
    assert!(page.contains("<a href=\"/?a=&quot;b\">Back &amp; home</a>"), "{page}");
}

#[tokio::test]
async fn links_work_below_a_prefix() {
    let routes = routes().pages(Pages::at("/account/keys").sign_out_at("/logout"));
    let app = Service::new(Router::with_path("family").push(routes.into_router()));
    let page = get(&app, "/family/account/keys").await.text;
    assert!(page.contains(" data-keys=\"../api/users/me/mcp-tokens\"") && page.contains(" href=\"/logout\""), "{page}");
    let files: Vec<&str> = attributes(&page, "href").into_iter().filter(|link| link.contains("assets")).collect();
    assert_eq!(files.len(), 5);
    for file in files {
        let path = file.strip_prefix("../").unwrap();
        assert_eq!(get(&app, &format!("/family/{path}")).await.status, 200, "{file}");
    }
}

#[tokio::test]
async fn a_host_without_grants_shows_no_connections() {
    let app = serve(routes_without_grants().pages(Pages::at("/keys")));
    let page = get(&app, "/keys").await.text;
    for trace in ["connections-", "connection-entry", "data-connections", "need no key"] {
        assert!(!page.contains(trace), "{trace}: {page}");
    }
    assert!(get(&self::app(), "/keys").await.text.contains("connection-entry"));
}

#[tokio::test]
async fn each_page_has_every_element_and_text_that_its_scripts_use() {
    let app = app();
    for (path, elements) in [("/keys", [16, 7, 2]), ("/deleted", [9, 5, 2])] {
        let page = get(&app, path).await.text;
        let script = scripts(&app, &page).await;
        let prefixes = [("id", "getElementById("), ("data-slot", "slot("), ("data-text", " text(")];
        for ((name, prefix), least) in prefixes.into_iter().zip(elements) {
            let present: BTreeSet<&str> = attributes(&page, name).into_iter().collect();
            let used = quoted(&script, prefix);
            assert!(used.len() >= least && used.is_subset(&present), "{path} {name}: {:?}", used.difference(&present));
        }
        let texts: BTreeSet<&str> = attributes(&page, "data-text").into_iter().collect();
        let mut failures = quoted(&script, "new Failure(");
        if path == "/deleted" {
            // Only the creation of a key gets it.
            failures.remove("api_disabled");
        }
        assert!(failures.len() > 7 && failures.is_subset(&texts), "{path}: {:?}", failures.difference(&texts));
    }
}

#[tokio::test]
async fn every_label_and_reference_leads_to_an_element() {
    for path in ["/keys", "/deleted"] {
        let page = get(&app(), path).await.text;
        let ids = attributes(&page, "id");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path}: an id occurs twice");
        for name in ["for", "aria-labelledby", "aria-describedby"] {
            for id in attributes(&page, name).into_iter().flat_map(str::split_whitespace) {
                assert!(ids.contains(&id), "{path}: {name}={id}");
            }
        }
    }
}

#[tokio::test]
async fn the_form_offers_full_access_only_if_the_host_allows_it() {
    let page = |full_access| async move {
        let api = FamilyApi::builder(Arc::new(MemoryStorage::new())).full_access(full_access).build();
        get(&serve(FamilyRoutes::new(api).session(CookieAuthenticator).pages(Pages::at("/keys"))), "/keys").await.text
    };
    let choices = |page: &str| attributes(page, "value").into_iter().filter(|value| value.contains('_')).count();
    let (standard, full) = (page(false).await, page(true).await);
    assert!(!standard.contains("value=\"v1_full\"") && full.contains("value=\"v1_full\""), "{full}");
    assert_eq!((choices(&standard), choices(&full)), (3, 4));
}

#[cfg(feature = "oauth")]
#[tokio::test]
async fn the_page_names_only_what_is_mounted() {
    use family_api_salvo::OAuth;

    type Without = fn(FamilyRoutes) -> FamilyRoutes;
    let modes = ["mcp_read", "v1_read", "v1_read_write"];
    let cases: [(Without, &[&str], &str); 3] = [
        (|routes| routes, &modes, "api/v1/mcp"),
        (FamilyRoutes::without_v1, &["mcp_read"], "api/mcp"),
        (FamilyRoutes::without_read_path, &["v1_read", "v1_read_write"], "api/v1/mcp"),
    ];
    for (without, offered, address) in cases {
        let oauth = OAuth::new("http://127.0.0.1".parse().unwrap());
        let page =
            get(&serve(without(routes_without_feeds().oauth(oauth)).pages(Pages::at("/keys"))), "/keys").await.text;
        let values = attributes(&page, "value").into_iter().filter(|value| modes.contains(value));
        assert_eq!(values.collect::<Vec<_>>(), offered);
        assert_eq!(attributes(&page, "data-address"), [address]);
        let has_switch = !page.contains("<div id=\"api\" hidden>");
        assert_eq!(has_switch, offered.contains(&"v1_read"), "{page}");
        // While the switch is off, keys read only on the read path.
        assert_eq!(page.contains("these can still read"), offered.contains(&"mcp_read"), "{page}");
    }
}
