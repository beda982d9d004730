//! The pages to sign in and out.

use crate::family::PASSWORD;
use crate::site::browser_tests;

browser_tests! {
    async fn a_user_signs_in_and_out(site: &Site) {
        let page = site.open("/keys").await;
        page.wait_for_url("/login").await;
        page.sign_in("ana").await;
        page.wait_for_url("/keys").await;
        page.wait_for("ana@family.example").await;
        page.sign_out().await;
        page.open(&site.url("/keys")).await;
        page.wait_for_url("/login").await;
    }

    async fn a_wrong_password_keeps_the_address(site: &Site) {
        let page = site.open("/keys?name=Kitchen").await;
        page.sign_in_with("ana@family.example", "wrong").await;
        page.wait_for("The e-mail address or the password is wrong.").await;
        assert_eq!(page.value("E-mail address").await, "ana@family.example");
        assert_eq!(page.value("Password").await, "");
        page.fill("Password", PASSWORD).await;
        page.press("Enter").await;
        page.wait_for_url("/keys?name=Kitchen").await;
    }

    async fn sign_in_and_out_work_without_scripts(site: &Site) {
        let page = site.open("/login").await;
        page.disable_scripts().await;
        page.reload().await;
        page.sign_in("ana").await;
        page.wait_for_url("/keys").await;
        page.wait_for("This page needs JavaScript.").await;
        page.open(&site.url("/logout")).await;
        page.click("button", "Sign out").await;
        page.wait_for("You are signed out").await;
    }

    async fn a_form_is_sent_once_if_its_button_is_pressed_twice(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.open(&site.url("/logout")).await;
        page.wait_for_control("button", "Sign out").await;
        let sent = "(() => { let sent = 0; addEventListener('submit', (event) => { \
                    if (!event.defaultPrevented) sent += 1; event.preventDefault(); }); \
                    const button = document.querySelector('form button'); \
                    button.click(); button.click(); return sent; })()";
        assert_eq!(page.evaluate::<u32>(sent).await, 1);
        let disabled = "new Promise((resolve) => setTimeout(() => \
                        resolve(document.querySelector('form button').disabled), 50))";
        assert!(page.evaluate::<bool>(disabled).await);
    }

    async fn a_sign_in_never_leads_to_another_site(site: &Site) {
        for next in ["//evil.example/", "/%5Cevil.example/", "https://evil.example/", "/%09/evil.example/"] {
            let page = site.open_elsewhere(&format!("/login?next={next}")).await;
            page.sign_in("ana").await;
            page.wait_for_url("/keys").await;
            assert!(page.url().await.starts_with(&site.url("/")), "{next}");
        }
    }

    async fn the_keyboard_is_enough_to_sign_in(site: &Site) {
        let page = site.open("/login").await;
        page.tab_to("textbox", "E-mail address").await;
        page.insert("ana@family.example").await;
        page.tab_to("textbox", "Password").await;
        page.insert(PASSWORD).await;
        page.tab_to("button", "Sign in").await;
        page.press("Enter").await;
        page.wait_for("Signed in as").await;
    }
}
