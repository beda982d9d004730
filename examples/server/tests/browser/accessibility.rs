//! Everyone can use the pages: on small and large screens, light and dark, and with a screen reader.

use crate::appearance::{Appearance, DESKTOP, LARGE, PHONE, TABLET};
use crate::assistant::{Assistant, EVERYTHING, READ_AND_CHANGE};
use crate::axe;
use crate::deleted::Session;
use crate::page::Page;
use crate::screenshot;

/// Checks a page in all appearances. Saves a screenshot of each.
async fn check(page: &Page, name: &str) {
    for appearance in Appearance::ALL {
        page.set_appearance(appearance).await;
        for size in [PHONE, TABLET, DESKTOP, LARGE] {
            page.set_size(size).await;
            let name = format!("{name}-{}-{}", size.0, appearance.name());
            screenshot::save(page, &name).await;
            assert!(fits(page).await, "{name} is wider than the window");
            // The other sizes have the same layout.
            if size == PHONE || size == DESKTOP {
                assert_eq!(axe::violations(page).await, [""; 0], "{name}");
            }
        }
    }
    check_right_to_left(page, name).await;
}

/// Checks that a page also fits if a translation is read from right to left.
async fn check_right_to_left(page: &Page, name: &str) {
    page.set_size(PHONE).await;
    page.evaluate::<String>("document.documentElement.dir = 'rtl'").await;
    screenshot::save(page, &format!("{name}-right-to-left")).await;
    assert!(fits(page).await, "{name} is wider than the window from right to left");
    page.evaluate::<String>("document.documentElement.dir = ''").await;
}

async fn fits(page: &Page) -> bool {
    page.evaluate("document.documentElement.scrollWidth <= innerWidth").await
}

/// Turns each test into one with axe-core. It is ignored if the build found no axe-core.
macro_rules! axe_tests {
    ($(async fn $name:ident($site:ident: &Site) $body:block)*) => {$(
        family_api_testing::on_axe! { crate::site::browser_test, async fn $name($site: &Site) $body }
    )*};
}

axe_tests! {
    async fn everyone_can_use_the_first_page(site: &Site) {
        let page = site.open("/").await;
        check(&page, "home").await;
        page.click("link", "Sign in").await;
        page.sign_in("ana").await;
        page.wait_for("Signed in as").await;
        page.open(&site.url("/")).await;
        page.wait_for("Signed in as ana").await;
        page.evaluate::<bool>("document.querySelector('.programs > summary').click() ?? true").await;
        check(&page, "home-signed-in").await;
    }

    async fn everyone_can_use_the_pages_to_sign_in_and_out(site: &Site) {
        let page = site.open("/login").await;
        check(&page, "sign-in").await;
        page.sign_in_with("ana@family.example", "wrong").await;
        page.wait_for("is wrong").await;
        check(&page, "sign-in-failed").await;
        page.sign_in("ana").await;
        page.wait_for("Signed in as").await;
        page.open(&site.url("/logout")).await;
        check(&page, "sign-out").await;
        page.click("button", "Sign out").await;
        page.wait_for("You are signed out").await;
        check(&page, "signed-out").await;
    }

    async fn everyone_can_use_the_page_of_keys(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for("You have no keys.").await;
        check(&page, "keys-empty").await;
        page.fill("Name", "Kitchen display, which has quite a long name").await;
        page.click("button", "Create key").await;
        page.wait_for("Your new key").await;
        page.evaluate::<bool>("document.querySelectorAll('details').forEach(one => one.open = true) ?? true").await;
        check(&page, "keys-created").await;
        page.click("button", "Delete: Kitchen display, which has quite a long name").await;
        check(&page, "keys-question").await;
        page.click("button", "Cancel").await;
        page.click("button", "Stop everything").await;
        page.wait_for("Stop everything?").await;
        check(&page, "keys-stop").await;
    }

    async fn everyone_can_use_the_calendar_feeds(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.fill("Calendar name", "The calendar of the whole family, which has quite a long name").await;
        page.click("button", "Create subscription").await;
        page.wait_for("Your new calendar address").await;
        check(&page, "feed-created").await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("no calendar can read its subscription").await;
        check(&page, "feeds-api-off").await;
        page.click("button", "End: The calendar of the whole family, which has quite a long name").await;
        check(&page, "feed-question").await;
    }

    async fn everyone_can_use_the_page_of_deleted_records(site: &Site) {
        let page = site.open("/deleted").await;
        page.sign_in("ana").await;
        page.wait_for("There is nothing to bring back.").await;
        check(&page, "deleted-empty").await;
        let session = Session::of(site, "ana").await;
        session.delete_note("Gate code").await;
        session.delete_note("What the neighbour said about the fence, which is quite a long story").await;
        page.reload().await;
        page.click("button", "Bring back: Gate code").await;
        page.wait_for("“Gate code” is back.").await;
        check(&page, "deleted").await;
    }

    async fn everyone_can_use_the_consent_page(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = site.open(&assistant.authorization(site, EVERYTHING)).await;
        page.sign_in("ana").await;
        page.wait_for_control("button", "Allow").await;
        check(&page, "consent").await;
        let keys = site.open("/keys").await;
        keys.click("switch", "Allow programs and assistants").await;
        keys.wait_for("Programs and assistants are now switched off.").await;
        check(&keys, "keys-api-off").await;
        page.reload().await;
        page.wait_for("Programs and assistants are switched off, so the app could do nothing.").await;
        check(&page, "consent-api-off").await;
        page.open(&site.url(&assistant.authorization_to("https://evil.example/", site, READ_AND_CHANGE))).await;
        check(&page, "consent-error").await;
    }

    async fn everyone_can_use_the_list_of_connections(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = site.open(&assistant.authorization(site, READ_AND_CHANGE)).await;
        page.sign_in("ana").await;
        assistant.allow(site, &page).await;
        page.open(&site.url("/keys")).await;
        page.wait_for_control("button", "Disconnect: Kitchen assistant").await;
        check(&page, "connections").await;
    }
}
