//! The harness notices what it must notice.

use crate::axe;
use crate::site::browser_tests;

browser_tests! {
    async fn the_server_shows_its_first_page(site: &Site) {
        let page = site.open("/").await;
        page.wait_for("Connect an assistant").await;
        page.evaluate::<bool>("document.querySelector('.programs > summary').click() ?? true").await;
        page.click("link", "API documentation").await;
        page.wait_for_url("/docs/").await;
        page.wait_for("GET").await;
    }

    async fn a_violation_of_the_policy_is_noticed(site: &Site) {
        let page = site.open("/").await;
        page.evaluate::<bool>("document.body.append(Object.assign(new Image(), { src: 'http://other.localhost/' })) ?? true").await;
        page.wait_for_log("Content Security Policy").await;
    }

    async fn an_error_of_a_script_is_noticed(site: &Site) {
        let page = site.open("/").await;
        page.evaluate::<bool>("setTimeout(() => missing()) > 0").await;
        page.wait_for_log("missing is not defined").await;
    }
}

family_api_testing::on_axe! {
    crate::site::browser_test,
    async fn an_image_without_a_text_is_noticed(site: &Site) {
        let page = site.open("/").await;
        page.evaluate::<bool>("document.body.append(new Image()) ?? true").await;
        let violations = axe::violations(&page).await;
        assert!(violations.iter().any(|violation| violation.starts_with("image-alt: ")), "{violations:?}");
    }
}
