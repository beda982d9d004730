//! Redirect URIs of clients (HTTP reference, "Clients").

use async_trait::async_trait;
use family_api_salvo::{ClientDocuments, FetchError};
use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::json;
use url::{Host, Url};

use crate::app::App;

const EDITORS: [&str; 5] = ["cursor", "vscode", "vscode-insiders", "windsurf", "zed"];

thread_local! {
    static APP: App = App::with_oauth(1, NoDocuments);
}

struct NoDocuments;

#[async_trait]
impl ClientDocuments for NoDocuments {
    async fn fetch(&self, _: &str) -> Result<bytes::Bytes, FetchError> {
        Err(FetchError::Refused("there is no document".to_owned()))
    }
}

/// The first line is registered, the second is requested. Checks that only safe URIs can be registered, and that a page
/// links only to a URI that equals the registered one, except for the port of a loopback address.
pub fn redirect_uri(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (registered, requested) = text.split_once('\n').unwrap_or((text, text));
    let Some(client_id) = register(registered) else {
        assert!(!is_plain(registered), "{registered:?} is refused");
        return;
    };
    let registered_url = check_safe(registered);
    let answer = APP.with(|app| app.authorize("user-0", &client_id, requested, "token"));
    assert_eq!((answer.status, answer.header("location")), (400, None), "{answer:?}");
    match link_to_client(&String::from_utf8_lossy(&answer.body)) {
        Some(link) => check_target(&registered_url, requested, &link),
        None => assert_ne!(registered, requested, "the registered URI is refused"),
    }
}

/// Returns the link with the error, with which the page ends the request.
fn link_to_client(page: &str) -> Option<String> {
    let links = page.split("<a href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    let link = links.map(|(link, _)| link).find(|link| link.contains("error=unsupported_response_type"))?;
    Some(link.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}

/// Returns the id of the new client, or `None` if the URI is refused.
fn register(redirect_uri: &str) -> Option<String> {
    let body = json!({ "redirect_uris": [redirect_uri] }).to_string();
    let request = RequestBuilder::new("http://family.example/oauth/register", Method::POST).raw_json(body);
    let answer = APP.with(|app| app.send(request.build()));
    let body = answer.json();
    if answer.status == 400 {
        assert!(matches!(body["error"].as_str(), Some("invalid_redirect_uri")), "{body}");
        return None;
    }
    // A body that is too large.
    if answer.status == 413 {
        return None;
    }
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(body["redirect_uris"], json!([redirect_uri]));
    Some(body["client_id"].as_str().unwrap().to_owned())
}

/// Asserts what holds for every URI that a client may use.
fn check_safe(text: &str) -> Url {
    assert!(text.len() <= 512 && text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains(['#', '"', '\\']));
    let url = Url::parse(text).unwrap();
    assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none(), "{text}");
    let is_safe = match (url.scheme(), url.host()) {
        ("https", Some(_)) => true,
        ("http", Some(Host::Domain(name))) => name == "localhost",
        ("http", Some(Host::Ipv4(address))) => address.is_loopback(),
        ("http", Some(Host::Ipv6(address))) => address.is_loopback(),
        ("https" | "http", None) => false,
        (scheme, _) => EDITORS.contains(&scheme) || (scheme.contains('.') && !scheme.starts_with("com.apple.")),
    };
    assert!(is_safe, "{text}");
    url
}

/// Asserts that the browser goes to the registered URI, with parameters added to the query.
fn check_target(registered: &Url, requested: &str, location: &str) {
    let requested_url = check_safe(requested);
    let target = Url::parse(location).unwrap();
    assert!(location.starts_with(requested), "{location}");
    let place = |url: &Url| {
        let port = url.port().filter(|_| url.scheme() != "http");
        (url.scheme().to_owned(), url.host_str().map(str::to_owned), port, url.path().to_owned())
    };
    assert_eq!(place(&requested_url), place(registered));
    assert_eq!(requested_url.query(), registered.query());
    assert_eq!((place(&target), target.port()), (place(&requested_url), requested_url.port()));
    assert!(target.fragment().is_none() && target.username().is_empty(), "{location}");
    assert!(target.query_pairs().any(|(name, _)| name == "error"), "{location}");
}

/// Returns whether a text is a URI that must be accepted: `https`, a host of lower-case letters, and a simple path.
fn is_plain(text: &str) -> bool {
    let Some((host, path)) = text.strip_prefix("https://").and_then(|rest| rest.split_once('/')) else { return false };
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_lowercase());
    text.len() <= 512
        && host.split('.').all(|label| is_label(label) && !label.starts_with("xn") && label.len() < 64)
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/')
}
