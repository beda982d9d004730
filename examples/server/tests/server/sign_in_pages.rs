//! The pages for the sign-in and the sign-out.

use futures_util::future::join_all;
use reqwest::header::{ACCEPT, CONTENT_TYPE, COOKIE};

use crate::client::{Response, call, in_session, request, send, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};

const ANA: &str = "ana@family.example";
/// What a browser accepts when it opens a page.
const HTML: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Sends the form of the sign-in page, as a browser does.
async fn submit(server: &Server, address: &str, body: impl Into<String>) -> Response {
    let form = request(server, "POST", address).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    send(form.header(ACCEPT, HTML).header("origin", &server.url).body(body.into())).await
}

/// Returns the address of the page's form.
fn form_address(page: &Response) -> String {
    let address = page.text.split(" method=\"post\" action=\"").nth(1).unwrap().split('"').next().unwrap();
    format!("/{}", address.replace("&amp;", "&"))
}

#[tokio::test]
async fn a_user_signs_in_without_scripts_and_returns() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for (page, location) in [
        ("/login", "/keys"),
        (
            "/login?next=%2Fkeys%3Fname%3DHome%2520Assistant%26mode%3Dmcp_read",
            "/keys?name=Home%20Assistant&mode=mcp_read",
        ),
        ("/login?next=%2F", "/"),
        ("/login?next=%2F%2Fevil.example", "/keys"),
        ("/login?next=https%3A%2F%2Fevil.example", "/keys"),
        ("/login?next=%2F%5Cevil.example", "/keys"),
        ("/login?next=%2Fdocs&next=%2F", "/keys"),
        ("/login?next=%2Flogin", "/keys"),
        ("/login?next=%2Flogout%3Fa", "/keys"),
    ] {
        let form = form_address(&call(&server, "GET", page).await);
        let answer = submit(&server, &form, format!("email=ana%40family.example&password={PASSWORD}")).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(location)), "{page}");
        assert_eq!(in_session(&server, &answer.cookie(), "GET", "/keys", None).await.status, 200, "{page}");
    }
}

#[tokio::test]
async fn a_form_with_an_unsafe_return_path_leads_to_the_root() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for next in ["//evil.example", "/%5Cevil.example", "https:evil.example", "/%252fevil.example", "/a%0d%0ax:y"] {
        let form = format!("email=ana%40family.example&password={PASSWORD}");
        let answer = submit(&server, &format!("/login?next={next}"), form).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{next}");
    }
}

#[tokio::test]
async fn a_failed_sign_in_keeps_the_address_and_says_why() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for (body, status, reason, kept) in [
        ("email=ana%40family.example&password=canary", 401, "The e-mail address or the password is wrong.", ANA),
        ("email=%22%3E%3Cb%3E&password=canary", 401, "password is wrong.", "&quot;&gt;&lt;b&gt;"),
        ("email=a", 422, "Enter the e-mail address and the password.", ""),
        ("{\"password\": \"canary\"}", 415, "The server could not read the form.", ""),
    ] {
        let page = submit(&server, "/login?next=%2Fdocs", body).await;
        assert_eq!(page.status, status, "{body}");
        assert!(page.text.contains(reason) && page.text.contains(&format!(" value=\"{kept}\"")), "{}", page.text);
        assert!(page.text.contains("action=\"login?next=%2Fdocs\""), "{}", page.text);
        assert!(!page.text.contains("canary") && page.header("set-cookie").is_none());
        assert_eq!(page.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn too_many_failures_are_told_with_the_time_to_wait() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for _ in 0..10 {
        submit(&server, "/login", "email=ana%40family.example&password=wrong").await;
    }
    let page = submit(&server, "/login", "email=ana%40family.example&password=wrong").await;
    assert_eq!(page.status, 429);
    let told = format!("Too many attempts. Try again in {} sec.", page.header("retry-after").unwrap());
    assert!(page.text.contains(&told), "{}", page.text);
}

#[tokio::test]
async fn a_browser_that_names_another_site_gets_the_page() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for origin in ["https://evil.example", "null"] {
        let form = request(&server, "POST", "/login").header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let form = form.header("origin", origin).body(format!("email=ana%40family.example&password={PASSWORD}"));
        let page = send(form.try_clone().unwrap().header(ACCEPT, HTML)).await;
        assert_eq!((page.status, page.header("set-cookie")), (403, None), "{origin}");
        assert!(page.text.contains("it seems to come from another site"), "{}", page.text);
        assert_eq!(send(form).await.problem(), (403, "cross_site_request".to_owned()));
    }
}

#[tokio::test]
async fn a_browser_at_an_unknown_path_gets_a_page() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for (path, page) in [("/keys/", "/keys"), ("/deleted/", "/deleted"), ("/login/", "/login"), ("/logout/", "/logout")]
    {
        let answer = send(request(&server, "GET", path).header(ACCEPT, HTML)).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(page)), "{path}");
        assert_eq!(call(&server, "GET", path).await.problem(), (404, "not_found".to_owned()));
    }
    for (path, style) in
        [("/a", "\"api/assets/style-"), ("/a/", "\"../api/assets/style-"), ("/a/b", "\"../api/assets/")]
    {
        let answer = send(request(&server, "GET", path).header(ACCEPT, HTML)).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.text.contains("There is no such page") && answer.text.contains(style), "{}", answer.text);
    }
}

#[tokio::test]
async fn programs_still_get_problems() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for accept in ["*/*", "application/json", ""] {
        let form = request(&server, "POST", "/login").header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = send(form.header(ACCEPT, accept).body("email=a&password=b")).await;
        assert_eq!(answer.problem(), (401, "not_signed_in".to_owned()), "{accept}");
    }
    let json = request(&server, "POST", "/login").header(CONTENT_TYPE, "application/json").header(ACCEPT, HTML);
    assert_eq!(send(json.body("{")).await.problem(), (400, "invalid_json".to_owned()));
}

#[tokio::test]
async fn a_user_signs_out_without_scripts() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    let cookie = sign_in(&server, ANA, PASSWORD).await.cookie();
    let page = send(request(&server, "GET", "/logout").header(COOKIE, &cookie)).await;
    assert_eq!((page.status, form_address(&page).as_str()), (200, "/logout"));
    let form = || request(&server, "POST", "/logout").header(COOKIE, &cookie).header(ACCEPT, HTML);
    let forged = send(form().header("origin", "https://evil.example")).await;
    assert_eq!(forged.status, 403);
    for _ in 0..2 {
        let answer = send(form()).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/logout")));
    }
    let page = send(request(&server, "GET", "/logout").header(COOKIE, &cookie)).await;
    assert!(page.status == 200 && page.text.contains("You are signed out"), "{}", page.text);
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 401);
}

#[tokio::test]
async fn the_forms_may_be_sent_only_to_the_server() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let page = call(&server, "GET", "/login").await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action 'self'; ") && policy.contains("script-src 'self'; "), "{policy}");
    assert!(!policy.contains("connect-src"), "{policy}");
    // Without TLS, browsers send no `Sec-Fetch-Site`. With `no-referrer`, they would send `Origin: null`.
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
}

#[tokio::test]
async fn a_browser_that_is_refused_because_of_overload_gets_a_page() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    // The server hashes the passwords of at most 32 sign-ins at once. 60 attempts per address are allowed.
    let attempts = (0..60).map(|n| submit(&server, "/login", format!("email=a{n}%40family.example&password=wrong")));
    let answers = join_all(attempts).await;
    let refused: Vec<&Response> = answers.iter().filter(|answer| answer.status == 503).collect();
    assert!(!refused.is_empty(), "{answers:?}");
    for page in refused {
        assert!(page.text.contains("<h1>The service is not available now</h1>"), "{page:?}");
        assert_eq!((page.header("retry-after"), page.header("cache-control")), (Some("1"), Some("no-store")));
    }
}
