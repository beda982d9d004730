//! Connecting an assistant without a key.

use crate::assistant::{Assistant, EVERYTHING, READ_AND_CHANGE, STATE, call};
use crate::other_site::OtherSite;
use crate::page::Page;
use crate::site::{Site, browser_tests};

const QUESTION: &str = "Allow this app to use your family’s data?";

/// Opens the consent page of a signed-in user.
async fn open_consent(site: &Site, assistant: &Assistant, user: &str) -> Page {
    open_consent_to(site, assistant, READ_AND_CHANGE, user).await
}

/// Opens the consent page for scopes.
async fn open_consent_to(site: &Site, assistant: &Assistant, scope: &str, user: &str) -> Page {
    let page = site.open(&assistant.authorization(site, scope)).await;
    page.sign_in(user).await;
    page.wait_for(QUESTION).await;
    page
}

/// Returns the request that is signed in the form.
async fn signed_request(page: &Page) -> String {
    page.evaluate("document.querySelector('[name=request]').value").await
}

browser_tests! {
    async fn an_allowed_assistant_works_until_it_is_disconnected(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = open_consent(site, &assistant, "ana").await;
        page.wait_for("Kitchen assistant").await;
        page.wait_for("127.0.0.1").await;
        page.click("radio", "Read and change").await;
        page.click("button", "Allow").await;
        let (answer, headers) = assistant.answer().await;
        page.wait_for("The assistant is connected").await;
        assert_eq!((answer["state"].as_str(), answer["iss"].as_str()), (STATE, site.server.url.as_str()));
        assert!(!headers.contains("referer:"), "{headers}");

        let tokens = assistant.redeem(site, &answer["code"]).await;
        assert_eq!(tokens["scope"], READ_AND_CHANGE);
        let token = tokens["access_token"].as_str().unwrap();
        assert_eq!(call(site, token).await, 200);
        page.open(&site.url("/keys")).await;
        page.click("button", "Disconnect: Kitchen assistant").await;
        page.click("button", "Disconnect").await;
        page.wait_for("The app was disconnected.").await;
        assert_eq!(call(site, token).await, 401);
    }

    async fn the_least_access_is_selected_whatever_the_assistant_asks(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = open_consent_to(site, &assistant, EVERYTHING, "ana").await;
        assert_eq!(assistant.allow(site, &page).await["scope"], "v1.read");
    }

    async fn the_first_screen_of_a_phone_has_the_button_that_denies(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = site.open_keys_of("ana").await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("Programs and assistants are now switched off.").await;
        page.set_size((375, 667)).await;
        for (language, deny) in [("uk", "Відхилити"), ("es", "Rechazar"), ("de", "Ablehnen"), ("en", "Deny")] {
            page.set_language(language).await;
            page.open(&site.url(&assistant.authorization(site, EVERYTHING))).await;
            page.wait_for_control("button", deny).await;
            let is_on_top = "(() => { const { top, bottom } = document.querySelector('[value=deny]').getBoundingClientRect(); \
                             return scrollY === 0 && top > 0 && bottom <= innerHeight && \
                             document.elementFromPoint(187, (top + bottom) / 2).value === 'deny'; })()";
            assert!(page.evaluate::<bool>(is_on_top).await, "{language}");
            // The button hides no field that has the focus.
            let hidden = "Array.from(document.querySelectorAll('[type=radio], [type=checkbox], [value=allow]')) \
                          .filter((field) => { field.focus(); const { left, bottom } = field.getBoundingClientRect(); \
                          return document.elementFromPoint(left + 8, bottom - 4) !== field; }).map((field) => field.value)";
            assert_eq!(page.evaluate::<Vec<String>>(hidden).await, [""; 0], "{language}");
        }
        page.click("button", "Deny").await;
        assert_eq!(assistant.answer().await.0["error"], "access_denied");
    }

    async fn the_consent_page_links_to_the_page_of_keys(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = open_consent(site, &assistant, "ana").await;
        page.click("link", "Programs and assistants").await;
        page.wait_for("No app is connected.").await;
    }

    async fn consent_works_without_scripts(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = site.open("/login").await;
        page.disable_scripts().await;
        page.open(&site.url(&assistant.authorization(site, READ_AND_CHANGE))).await;
        page.sign_in("ana").await;
        page.click("button", "Allow").await;
        let (answer, _) = assistant.answer().await;
        assert!(answer.contains_key("code"), "{answer:?}");
    }

    async fn the_keyboard_is_enough_to_consent(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = open_consent(site, &assistant, "ana").await;
        page.tab_to("button", "Allow").await;
        page.press("Enter").await;
        let (answer, _) = assistant.answer().await;
        assert!(answer.contains_key("code"), "{answer:?}");
    }

    async fn the_personal_api_is_switched_on_in_the_same_step(site: &Site) {
        let assistant = Assistant::register(site).await;
        let keys = site.open_keys_of("ana").await;
        keys.click("switch", "Allow programs and assistants").await;
        keys.wait_for("Programs and assistants are now switched off.").await;
        let page = site.open(&assistant.authorization(site, READ_AND_CHANGE)).await;
        page.wait_for("Programs and assistants are switched off, so the app could do nothing.").await;
        // The browser asks for the tick before it sends the form.
        page.click("button", "Allow").await;
        page.press("Escape").await;
        page.click("checkbox", "Switch programs and assistants on").await;
        let tokens = assistant.allow(site, &page).await;
        assert_eq!(call(site, tokens["access_token"].as_str().unwrap()).await, 200);
    }

    async fn each_tab_answers_for_itself(site: &Site) {
        let assistant = Assistant::register(site).await;
        let allowing = open_consent(site, &assistant, "ana").await;
        let denying = site.open(&assistant.authorization(site, READ_AND_CHANGE)).await;
        denying.wait_for(QUESTION).await;
        let tokens = assistant.allow(site, &allowing).await;
        denying.click("button", "Deny").await;
        assert_eq!(assistant.answer().await.0["error"], "access_denied");
        assert_eq!(call(site, tokens["access_token"].as_str().unwrap()).await, 200);
    }

    async fn markup_in_the_name_of_an_app_is_only_text(site: &Site) {
        let assistant = Assistant::register_as(site, "<b>Bank</b><img src=x onerror=alert(1)>").await;
        let page = open_consent(site, &assistant, "ana").await;
        page.wait_for("<b>Bank</b><img src=x onerror=alert(1)>").await;
        assert_eq!(page.evaluate::<u32>("document.querySelectorAll('main img, main b').length").await, 0);
    }

    async fn another_site_cannot_show_the_page_in_a_frame(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = open_consent(site, &assistant, "ana").await;
        let frame = format!("<iframe src='{}'></iframe>", page.url().await);
        let attack = OtherSite::serve(frame).await;
        page.open(&attack.url).await;
        page.wait_for_log("frame-ancestors").await;
        let login = OtherSite::serve(format!("<iframe src='{}'></iframe>", site.url("/login"))).await;
        page.open(&login.url).await;
        page.wait_for_log("frame-ancestors").await;
    }

    async fn the_form_of_another_site_connects_nothing(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = open_consent(site, &assistant, "ana").await;
        let form = format!(
            "<form method=post action='{}'><input name=request value='{}'><input name=decision value=allow>
             <input name=access value=v1_read><button>Win a prize</button></form>",
            site.url("/oauth/consent"),
            signed_request(&page).await,
        );
        let attack = OtherSite::serve(form).await;
        page.open(&attack.url).await;
        page.click("button", "Win a prize").await;
        page.wait_for("This answer came from another site").await;
        page.open(&site.url("/keys")).await;
        page.wait_for("No app is connected.").await;
    }
}
