//! The page of keys and connections.

use crate::assistant::{Assistant, READ_AND_CHANGE, call};
use crate::client::with_token;
use crate::page::{Leave, Page};
use crate::site::{Site, browser_tests};
use crate::until::until;

/// Creates a key with the form, and returns its token.
async fn create_key(page: &Page, name: &str) -> String {
    page.fill("Name", name).await;
    page.click("radio", "Read only").await;
    page.click("button", "Create key").await;
    page.wait_for("Your new key").await;
    // The list above also changes, and moves the new key.
    page.wait_for_control("button", &format!("Delete: {name}")).await;
    page.evaluate("document.getElementById('new-key').textContent").await
}

/// Loses the answers of calls of the page that match a condition. `before` runs first, such as `await answer;`, after
/// which the server has done what it was asked to do.
pub(crate) async fn lose(page: &Page, condition: &str, before: &str) {
    let script = format!(
        "(() => {{ const real = fetch; window.fetch = async (url, options) => {{ const {{ method }} = options; \
         if (!({condition})) return real(url, options); {} {before} throw new TypeError('lost'); }}; return true; }})()",
        if before.is_empty() { "" } else { "const answer = real(url, options);" },
    );
    assert!(page.evaluate::<bool>(&script).await);
}

/// Returns the status of a request with a key.
async fn status(site: &Site, token: &str) -> u16 {
    with_token(&site.server, token, "GET", "/api/v1/read/tasks", None).await.status
}

browser_tests! {
    async fn a_key_is_created_copied_used_and_revoked(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for("You have no keys.").await;
        let token = create_key(&page, "Kitchen display").await;
        page.click("button", "Copy: Your new key").await;
        page.wait_for("Copied.").await;
        assert_eq!(page.evaluate::<String>("navigator.clipboard.readText()").await, token);
        page.click("button", "Done, I have saved the key").await;
        assert!(!page.evaluate::<String>("document.documentElement.outerHTML").await.contains(&token));
        page.wait_for("Never used").await;

        assert_eq!(status(site, &token).await, 200);
        // The last use is stored about one second after the request.
        let used = async || {
            page.reload().await;
            page.wait_for("Kitchen display").await;
            (!page.text().await.contains("Never used")).then_some(())
        };
        until("the last use", used).await;

        page.click("button", "Delete: Kitchen display").await;
        page.wait_for("Delete “Kitchen display”?").await;
        page.click("button", "Cancel").await;
        assert_eq!(status(site, &token).await, 200);
        page.click("button", "Delete: Kitchen display").await;
        page.click("button", "Delete").await;
        page.wait_for("The key was deleted.").await;
        page.wait_for("You have no keys.").await;
        assert_eq!(status(site, &token).await, 401);
    }

    async fn the_switch_of_the_personal_api_decides_at_once(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let token = create_key(&page, "Kitchen display").await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("Programs and assistants are now switched off.").await;
        assert_eq!(status(site, &token).await, 401);
        page.leave(Leave::Yes, page.reload()).await;
        page.click("radio", "Read only").await;
        page.wait_for("To create this key, switch them on at the top of this page").await;
        page.click("button", "Create key").await;
        page.wait_for("Switch them on at the top of this page, or choose").await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("Programs and assistants are now allowed.").await;
        assert_eq!(status(site, &token).await, 200);
    }

    async fn an_expired_session_keeps_what_was_typed(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.fill("Name", "Kitchen display").await;
        let other_tab = site.open("/keys").await;
        other_tab.sign_out().await;
        page.click("button", "Create key").await;
        page.wait_for("You are no longer signed in.").await;
        page.wait_for_control("link", "Sign in").await;
        assert_eq!(page.value("Name").await, "Kitchen display");

        other_tab.click("link", "Sign in").await;
        other_tab.sign_in("ana").await;
        other_tab.wait_for("You have no keys.").await;
        page.click("button", "Create key").await;
        page.wait_for("Your new key").await;
    }

    async fn a_link_fills_in_the_form_and_creates_nothing(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.open(&site.url("/keys?name=Home%20Assistant&mode=mcp_read")).await;
        page.wait_for("nothing is created until you press the button").await;
        assert_eq!(page.value("Name").await, "Home Assistant");
        let mode = "document.querySelector('[name=mode]:checked').value";
        assert_eq!(page.evaluate::<String>(mode).await, "mcp_read");
        page.wait_for("You have no keys.").await;
    }

    async fn a_tab_notices_what_another_tab_revoked(site: &Site) {
        let page = site.open_keys_of("ana").await;
        create_key(&page, "Kitchen display").await;
        let other_tab = site.open("/keys").await;
        other_tab.click("button", "Delete: Kitchen display").await;
        page.click("button", "Delete: Kitchen display").await;
        page.click("button", "Delete").await;
        page.wait_for("The key was deleted.").await;
        other_tab.click("button", "Delete").await;
        other_tab.wait_for("It no longer exists. The list is now up to date.").await;
        other_tab.wait_for("You have no keys.").await;
    }

    async fn a_tab_of_another_user_changes_nothing(site: &Site) {
        let stale = site.open_keys_of("ana").await;
        stale.fill("Name", "Kitchen display").await;
        let page = site.open("/keys").await;
        page.sign_out().await;
        page.click("link", "Sign in").await;
        page.sign_in("chidi").await;
        page.wait_for("chidi@family.example").await;
        stale.click("button", "Create key").await;
        stale.wait_for("chidi@family.example").await;
        stale.wait_for("You have no keys.").await;
    }

    async fn the_back_button_does_not_show_a_key_again(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let token = create_key(&page, "Kitchen display").await;
        page.leave(Leave::Yes, page.open(&site.url("/"))).await;
        page.wait_for("Connect an assistant").await;
        page.evaluate::<bool>("history.back() ?? true").await;
        page.wait_for_control("button", "Delete: Kitchen display").await;
        assert!(!page.evaluate::<String>("document.documentElement.outerHTML").await.contains(&token));
    }

    async fn the_browser_asks_before_it_leaves_a_new_key(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let token = create_key(&page, "Kitchen display").await;
        let leave = async || assert!(page.evaluate::<bool>("location.assign('/') ?? true").await);
        page.leave(Leave::No, leave()).await;
        assert!(page.text().await.contains(&token));
        page.click("button", "Done, I have saved the key").await;
        leave().await;
        page.wait_for("Connect an assistant").await;
    }

    async fn a_lost_answer_says_that_the_key_may_exist(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for("You have no keys.").await;
        lose(&page, "method === 'POST'", "await answer;").await;
        page.fill("Name", "Kitchen display").await;
        page.click("button", "Create key").await;
        page.wait_for("It is not certain whether the key was created").await;
        page.wait_for_control("button", "Delete: Kitchen display").await;
    }

    async fn a_failed_list_does_not_deny_that_the_key_was_created(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for("You have no keys.").await;
        lose(&page, "method === 'GET' && url.endsWith('mcp-tokens')", "").await;
        page.click("button", "Create key").await;
        page.wait_for("Your new key").await;
        page.wait_for("The list could not be loaded").await;
        let token: String = page.evaluate("document.getElementById('new-key').textContent").await;
        page.click("button", "Done, I have saved the key").await;
        assert!(!page.text().await.contains("try again"));
        assert_eq!(status(site, &token).await, 200);
    }

    async fn a_sign_out_in_another_tab_clears_the_page(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let token = create_key(&page, "Kitchen display").await;
        site.open("/keys").await.sign_out().await;
        page.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        page.wait_for("You are no longer signed in.").await;
        let document: String = page.evaluate("document.documentElement.outerHTML").await;
        for secret in [token.as_str(), "ana@family.example", "Kitchen display</"] {
            assert!(!document.contains(secret), "{secret}: {document}");
        }
    }

    async fn what_a_link_filled_in_is_for_one_key_only(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.open(&site.url("/keys?name=Home%20Assistant&mode=v1_read_write")).await;
        page.click("button", "Create key").await;
        page.wait_for("Your new key").await;
        page.click("button", "Done, I have saved the key").await;
        assert!(page.url().await.ends_with("/keys"));
        let mode = "document.querySelector('[name=mode]:checked').value";
        assert_eq!(page.evaluate::<String>(mode).await, "v1_read");
    }

    async fn the_settings_for_programs_are_closed_at_first(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let token = create_key(&page, "Kitchen display").await;
        assert!(!page.text().await.contains("Authorization: Bearer"));
        page.evaluate::<bool>("document.querySelector('.programs > summary').click() ?? true").await;
        page.evaluate::<bool>("document.querySelector('.programs > details > summary').click() ?? true").await;
        page.wait_for(&format!("Authorization: Bearer {token}")).await;
        page.click("button", "Done, I have saved the key").await;
    }

    async fn the_switch_says_what_it_leaves(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let token = create_key(&page, "Kitchen display").await;
        page.click("button", "Done, I have saved the key").await;
        page.wait_for("these can still read your family’s tasks, events, shopping lists and notes").await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("Programs and assistants are now switched off.").await;
        assert_eq!(status(site, &token).await, 401);
        let read_path = with_token(&site.server, &token, "GET", "/api/mcp/read/tasks", None).await;
        assert_eq!(read_path.status, 200, "the sentence is not true: {read_path:?}");
    }

    async fn one_button_stops_everything(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = site.open(&assistant.authorization(site, READ_AND_CHANGE)).await;
        page.sign_in("ana").await;
        let tokens = assistant.allow(site, &page).await;
        let access_token = tokens["access_token"].as_str().unwrap();
        assert_eq!(call(site, access_token).await, 200);
        page.open(&site.url("/keys")).await;
        page.wait_for_control("button", "Disconnect: Kitchen assistant").await;
        let token = create_key(&page, "Kitchen display").await;
        let reads = async || with_token(&site.server, &token, "GET", "/api/mcp/read/tasks", None).await.status;

        page.click("button", "Stop everything").await;
        page.wait_for("Stop everything?").await;
        page.click("button", "Cancel").await;
        assert_eq!((reads().await, call(site, access_token).await), (200, 200));
        page.click("button", "Stop everything").await;
        page.press("Escape").await;
        assert_eq!((reads().await, call(site, access_token).await), (200, 200));
        page.tab_to("button", "Stop everything").await;
        page.press("Enter").await;
        page.wait_for_focus("button", "Cancel").await;
        page.press("Tab").await;
        page.press("Enter").await;
        page.wait_for("Everything has been stopped. Deleted keys: 1. Disconnected apps: 1.").await;
        page.wait_for_focus("heading", "Allow or stop").await;
        assert_eq!((reads().await, call(site, access_token).await, status(site, &token).await), (401, 401, 401));
        page.wait_for("You have no keys.").await;
        page.wait_for("No app is connected.").await;
        assert!(!page.evaluate::<String>("document.documentElement.outerHTML").await.contains(&token));
        assert!(!page.evaluate::<bool>("document.getElementById('api-switch').checked").await);
        // The next keys and apps need new permission.
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("Programs and assistants are now allowed.").await;
        assert_eq!((reads().await, call(site, access_token).await), (401, 401));
    }

    async fn an_app_that_was_disconnected_for_a_misuse_is_named(site: &Site) {
        let assistant = Assistant::register(site).await;
        let page = site.open(&assistant.authorization(site, READ_AND_CHANGE)).await;
        page.sign_in("ana").await;
        page.click("button", "Allow").await;
        let (answer, _) = assistant.answer().await;
        let tokens = assistant.redeem(site, &answer["code"]).await;
        assert_eq!(assistant.redeem(site, &answer["code"]).await["error"], "invalid_grant");
        assert_eq!(call(site, tokens["access_token"].as_str().unwrap()).await, 401);
        page.open(&site.url("/keys")).await;
        page.wait_for("These apps were disconnected to protect you").await;
        page.wait_for("Kitchen assistant (127.0.0.1").await;
        page.wait_for("No app is connected.").await;
    }

    async fn a_lost_answer_of_the_stop_is_shown_and_can_be_repeated(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let token = create_key(&page, "Kitchen display").await;
        page.click("button", "Done, I have saved the key").await;
        lose(&page, "method === 'DELETE' && url.endsWith('me/access')", "await answer;").await;
        page.click("button", "Stop everything").await;
        page.wait_for("Stop everything?").await;
        page.evaluate::<bool>("document.getElementById('confirm-yes').click() ?? true").await;
        page.wait_for("There is no connection to the server.").await;
        // The lists show what the server did.
        page.wait_for("You have no keys.").await;
        assert_eq!(status(site, &token).await, 401);
        assert!(!page.evaluate::<bool>("document.getElementById('api-switch').checked").await);
        page.reload().await;
        page.click("button", "Stop everything").await;
        page.wait_for("Stop everything?").await;
        page.evaluate::<bool>("document.getElementById('confirm-yes').click() ?? true").await;
        page.wait_for("Everything has been stopped. Deleted keys: 0. Disconnected apps: 0.").await;
    }

    async fn a_long_name_fits_into_a_narrow_page(site: &Site) {
        let page = site.open_keys_of("ana").await;
        create_key(&page, &"W".repeat(100)).await;
        for width in [320, 1280] {
            page.set_size((width, 800)).await;
            assert!(page.evaluate::<bool>("document.documentElement.scrollWidth <= innerWidth").await, "{width}");
        }
    }

    async fn markup_in_a_name_is_only_text(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let name = "<img src=x onerror=alert(1)> \u{202e}live";
        create_key(&page, name).await;
        page.click("button", "Done, I have saved the key").await;
        page.wait_for("<img src=x onerror=alert(1)>").await;
        assert_eq!(page.evaluate::<u32>("document.querySelectorAll('main img').length").await, 0);
    }

    async fn the_keyboard_is_enough_to_create_and_revoke_a_key(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.tab_to("textbox", "Name").await;
        page.insert("Kitchen display").await;
        // Tab stops only at the selected radio button of a group.
        page.tab_to("radio", "Read only").await;
        page.press("ArrowUp").await;
        page.wait_for_focus("radio", "Read only, without your profile").await;
        page.tab_to("button", "Create key").await;
        page.press("Enter").await;
        page.wait_for("Your new key").await;
        page.wait_for_focus("heading", "Your new key").await;
        page.tab_to("button", "Done, I have saved the key").await;
        page.press("Enter").await;
        page.tab_to("button", "Delete: Kitchen display").await;
        page.press("Enter").await;
        page.wait_for_focus("button", "Cancel").await;
        page.press("Escape").await;
        page.wait_for_focus("button", "Delete: Kitchen display").await;
        page.press("Enter").await;
        page.tab_to("button", "Delete").await;
        page.press("Enter").await;
        page.wait_for("The key was deleted.").await;
        page.wait_for_focus("heading", "My keys").await;
    }
}
