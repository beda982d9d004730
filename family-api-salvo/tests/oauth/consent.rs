//! What the consent page shows, and what its answers do.

use family_api_core::key::KeyMode;
use family_api_testing::programmers_words;
use salvo::http::Method;

use crate::harness::{
    OAuthApp, Parameters, READ_PATH, REDIRECT_URI, STATE, V1, assert_page, redirect_parameter, request, signed_request,
    tokens,
};
use crate::storages::on_every_storage;

/// Returns the writes in the descriptions of the choices.
fn told_writes(page: &str) -> Vec<&str> {
    let hints = page.split("<small>").skip(1).filter_map(|rest| rest.split("</small>").next());
    hints.filter(|hint| !hint.starts_with("Read ")).collect()
}

on_every_storage! {
    async fn page_shows_who_asks_and_where_the_answer_goes(app: OAuthApp) {
        let page = app.authorize("ann", &Parameters::of(&app.client().await)).await;
        let text = page.text();
        for part in ["<q><bdi>Assistant</bdi></q>", "<bdi>assistant.example</bdi>", "ann@example.org"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.contains("know the website that gets access"), "{text}");
        assert!(!text.contains(STATE) && !text.contains(REDIRECT_URI), "{text}");
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert_eq!(page.header("x-frame-options"), Some("DENY"));
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("form-action"), "browsers would block the client's redirects: {policy}");
    }

    async fn page_warns_of_addresses_that_open_an_app(app: OAuthApp) {
        for (redirect_uri, host, warning) in [
            ("http://127.0.0.1:7777/cb", "127.0.0.1", "to your own device"),
            ("http://localhost/cb", "localhost", "to your own device"),
            ("https://127.0.0.1/cb", "127.0.0.1", "to your own device"),
            ("https://localhost:8443/cb", "localhost", "to your own device"),
            ("com.example.app:/cb", "com.example.app:", "to an app on your device"),
        ] {
            let client = app.register("Assistant", &[redirect_uri]).await;
            let page = app.authorize("ann", &Parameters::of(&client).with("redirect_uri", redirect_uri)).await;
            assert_eq!(page.status, 200, "{redirect_uri}: {page:?}");
            let text = page.text();
            assert!(text.contains(&format!("<bdi>{host}</bdi>")) && text.contains(warning), "{redirect_uri}: {text}");
            assert_eq!(text.contains("An app on this device"), warning.contains("own device"));
        }
    }

    async fn page_offers_the_requested_access_and_less(app: OAuthApp) {
        let client = app.client().await;
        for (scope, offered, writes) in [
            ("v1.read", &["v1_read"][..], &[][..]),
            ("v1.tasks.write", &["v1_read", "v1_read_write"], &["Change tasks."]),
            ("v1.notes.write", &["v1_read", "v1_read_write"], &["Change and delete notes."]),
            ("v1.shopping.write", &["v1_read", "v1_full"], &["Add, change and delete shopping items.",
                    "Bring back shopping items up to 30 days after they were deleted."]),
            ("v1.tasks.write v1.tasks.manage", &["v1_read", "v1_read_write", "v1_full"],
                &["Change tasks.", "Add, change and delete tasks.", "Bring back tasks up to 30 days after they were deleted."]),
            ("v1.boards.manage", &["v1_read", "v1_full"], &["Add, change and delete boards, columns and shopping lists."]),
            ("v1.notes.manage v1.events.write", &["v1_read", "v1_full"],
                &["Add notes.", "Add, change and delete events and note categories.",
                    "Bring back notes and events up to 30 days after they were deleted."]),
        ] {
            let page = app.authorize("ann", &Parameters::of(&client).with("scope", scope)).await.text();
            for mode in KeyMode::ALL {
                let is_offered = page.contains(&format!(r#"value="{}""#, mode.as_str()));
                assert_eq!(is_offered, offered.contains(&mode.as_str()), "{scope} {mode:?}: {page}");
            }
            assert_eq!(told_writes(&page), writes, "{scope}: {page}");
            // Whatever the client asks for, the page selects the least.
            assert!(page.contains(r#"value="v1_read" checked"#) && page.matches("\" checked").count() == 1, "{scope}: {page}");
            assert!(page.contains("Change nothing."), "{scope}: {page}");
        }
    }

    async fn user_can_narrow_the_access(app: OAuthApp) {
        let client = app.client().await;
        let all = "v1.read v1.tasks.write v1.notes.write v1.tasks.manage v1.notes.manage v1.events.write \
                   v1.shopping.write v1.boards.manage";
        let parameters = Parameters::of(&client).with("scope", all);
        for (mode, granted) in
            [("v1_read", "v1.read"), ("v1_read_write", "v1.read v1.tasks.write v1.notes.write"), ("v1_full", all)]
        {
            let signed = app.open_consent("ann", &parameters).await;
            let answer = [("request", signed.as_str()), ("decision", "allow"), ("access", mode)];
            let code = redirect_parameter(&app.submit("ann", &answer).await, "code").unwrap();
            assert_eq!(tokens(&app.redeem(&client, &code).await).scope, granted, "{mode}");
        }
    }

    async fn denied_request_returns_to_the_client(app: OAuthApp) {
        let signed = app.open_consent("ann", &Parameters::of(&app.client().await)).await;
        let redirect = app.submit("ann", &[("request", &signed), ("decision", "deny"), ("access", "v1_read")]).await;
        assert_eq!(redirect_parameter(&redirect, "error").as_deref(), Some("access_denied"));
        assert_eq!(redirect_parameter(&redirect, "state").as_deref(), Some(STATE));
        assert!(redirect_parameter(&redirect, "iss").is_some());
        assert_eq!(redirect_parameter(&redirect, "code"), None);
        assert_eq!(app.connections("ann").await, 0);
    }

    async fn personal_api_is_switched_on_only_by_its_own_box(app: OAuthApp) {
        let client = app.client().await;
        let page = app.authorize("bob", &Parameters::of(&client)).await;
        assert!(page.text().contains(r#"type="checkbox" name="personal_api" value="enable" required"#), "{}", page.text());
        let signed = signed_request(&page);
        let mut answer = vec![("request", signed.as_str()), ("decision", "allow"), ("access", "v1_read")];
        let again = app.submit("bob", &answer).await;
        assert_page(&again, 422, "Allow this app to use your family’s data?");
        assert!(again.text().contains(r#"role="alert""#));
        assert_eq!((app.connections("bob").await, signed_request(&again)), (0, signed.clone()));

        answer.push(("personal_api", "enable"));
        let code = redirect_parameter(&app.submit("bob", &answer).await, "code").unwrap();
        let tokens = tokens(&app.redeem(&client, &code).await);
        assert_eq!(app.call(V1, &tokens.access).await, (200, None));
    }

    async fn narrowed_choice_is_kept_when_the_page_asks_again(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await).with("scope", "v1.read v1.tasks.write");
        let page = app.authorize("bob", &parameters).await;
        let checked = |mode: &str| format!(r#"value="{mode}" checked"#);
        let signed = signed_request(&page);
        for (mode, other) in [("v1_read", "v1_read_write"), ("v1_read_write", "v1_read")] {
            let answer = [("request", signed.as_str()), ("decision", "allow"), ("access", mode)];
            let again = app.submit("bob", &answer).await;
            let text = again.text();
            assert!(again.status == 422 && text.contains(&checked(mode)) && !text.contains(&checked(other)), "{text}");
        }
    }

    async fn denial_does_not_switch_the_personal_api_on(app: OAuthApp) {
        let signed = app.open_consent("bob", &Parameters::of(&app.client().await)).await;
        let answer = [("request", signed.as_str()), ("decision", "deny"), ("personal_api", "enable")];
        assert_eq!(redirect_parameter(&app.submit("bob", &answer).await, "error").as_deref(), Some("access_denied"));
        let profile = app.send_as("bob", Method::GET, "/api/users/me").await.json();
        assert_eq!(profile["personalApiEnabled"], false);
    }

    async fn page_speaks_the_language_of_the_browser_without_words_of_programmers(app: OAuthApp) {
        let client = app.client().await;
        let words = [("de", "Erlauben"), ("es", "Permitir"), ("uk", "Дозволити"), ("en", "Allow"), ("fr", "Allow")];
        for (language, text) in words {
            for resource in [V1, READ_PATH] {
                let path = Parameters::of(&client).with("resource", resource).without("scope").path();
                // The personal API of Bob is off.
                let request = request(Method::GET, &path).add_header("cookie", "user=bob", true);
                let page = app.send(request.add_header("accept-language", language, true)).await;
                assert_eq!(page.status, 200, "{page:?}");
                assert!(page.text().contains(text), "{language} {resource}: {}", page.text());
                assert_eq!(programmers_words(&page.text()), [""; 0], "{language} {resource}: {}", page.text());
            }
        }
    }
}
