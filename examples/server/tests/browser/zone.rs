//! The time zone, on the page of keys.

use crate::site::browser_tests;

const SELECTED: &str = "document.querySelector('#zone select').value";

browser_tests! {
    async fn a_user_takes_the_time_zone_of_the_device(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.set_time_zone("Asia/Tokyo").await;
        page.reload().await;
        page.wait_for_control("combobox", "Time zone").await;
        assert_eq!(page.evaluate::<String>(SELECTED).await, "Europe/Madrid");
        page.click("button", "Use the time zone of this device").await;
        page.wait_for("Your time zone is now Asia/Tokyo.").await;
        page.wait_for_focus("heading", "Time zone").await;
        assert!(!page.text().await.contains("Use the time zone of this device"));
        page.reload().await;
        page.wait_for_control("combobox", "Time zone").await;
        assert_eq!(page.evaluate::<String>(SELECTED).await, "Asia/Tokyo");
    }

    async fn a_user_selects_a_time_zone_with_the_keyboard(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.tab_to("combobox", "Time zone").await;
        page.press("ArrowDown").await;
        assert_eq!(page.evaluate::<String>(SELECTED).await, "Europe/Malta");
        // Another tab can have changed what the page shows. A choice stays.
        page.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        page.tab_to("button", "Save").await;
        page.press("Enter").await;
        page.wait_for("Your time zone is now Europe/Malta.").await;
        page.wait_for_focus("heading", "Time zone").await;
    }

    async fn a_zone_that_the_server_does_not_know_is_refused(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for_control("combobox", "Time zone").await;
        let option = "document.querySelector('#zone select').replaceChildren(new Option('Mars')) ?? true";
        page.evaluate::<bool>(option).await;
        page.click("button", "Save").await;
        page.wait_for("This cannot be used: expected an IANA time zone, such as Europe/Kyiv.").await;
    }
}
