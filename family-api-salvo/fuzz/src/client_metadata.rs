//! Metadata documents of clients (HTTP reference, "Clients").

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use family_api_salvo::{ClientDocuments, FetchError};
use serde_json::{Value, json};

use crate::app::App;

const URL: &str = "https://client.example/metadata.json";
const CALLBACK: &str = "https://client.example/callback";

/// Number of users of an app. Each can cause ten fetches a minute.
const USERS: usize = 500;
const FETCHES_OF_A_USER: usize = 10;

thread_local! {
    static APP: RefCell<Option<SharedApp>> = const { RefCell::new(None) };
}

/// An app for many documents, because building one is slow. Each document has a URL of its own, so none is in the cache.
struct SharedApp {
    app: App,
    document: Document,
    shown: usize,
}

/// The document that the app fetches next.
#[derive(Clone, Default)]
struct Document(Arc<Mutex<Vec<u8>>>);

#[async_trait]
impl ClientDocuments for Document {
    async fn fetch(&self, url: &str) -> Result<Bytes, FetchError> {
        let document = String::from_utf8_lossy(&self.0.lock().unwrap()).replace(URL, url);
        Ok(document.into())
    }
}

/// Checks that a document identifies its client only if the HTTP reference says so, and that nothing in it changes the
/// structure of the page.
pub fn client_metadata(data: &[u8]) {
    // The service parses documents with the same crate.
    let Ok(document @ Value::Object(_)) = serde_json::from_slice(data) else { return };
    if show(data) {
        assert!(is_usable(&document), "{document}");
    }
    // The same document with each member once.
    let object = json!({ "client_id": document["client_id"], "redirect_uris": document["redirect_uris"] });
    assert_eq!(show(object.to_string().as_bytes()), is_usable(&object), "{object}");
}

/// Shows the page for the client of the document. Returns whether the user is asked for consent.
fn show(document: &[u8]) -> bool {
    let page = APP.with_borrow_mut(|slot| {
        if slot.as_ref().is_some_and(|shared| shared.shown == USERS * FETCHES_OF_A_USER) {
            *slot = None;
        }
        let shared = slot.get_or_insert_with(|| {
            let document = Document::default();
            SharedApp { app: App::with_oauth(USERS, document.clone()), document, shown: 0 }
        });
        *shared.document.0.lock().unwrap() = document.to_vec();
        let user = format!("user-{}", shared.shown / FETCHES_OF_A_USER);
        let url = URL.replace("metadata", &shared.shown.to_string());
        shared.shown += 1;
        shared.app.authorize(&user, &url, CALLBACK, "code")
    });
    assert!(page.header("location").is_none(), "{page:?}");
    assert!(matches!(page.status, 200 | 400), "{page:?}");
    let text = std::str::from_utf8(&page.body).unwrap();
    assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{200b}', '\0', '\u{7f}']), "{text}");
    assert_eq!(text.matches(r#"name="request""#).count(), usize::from(page.status == 200), "{text}");
    // The page has one script and the image of the brand.
    assert!(text.matches("<script").count() <= 1 && text.matches("<img").count() == 1, "{text}");
    page.status == 200
}

/// Returns whether the members of a document that decide about it are right.
fn is_usable(document: &Value) -> bool {
    let texts = |name: &str| document[name].as_array().into_iter().flatten().map(Value::as_str);
    let methods: Vec<_> = document["token_endpoint_auth_method"]
        .as_str()
        .into_iter()
        .chain(texts("token_endpoint_auth_methods_supported").flatten())
        .collect();
    let includes = |name: &str, value: &str| document[name].is_null() || texts(name).any(|text| text == Some(value));
    document["client_id"] == URL
        && document["client_secret"].is_null()
        && (methods.is_empty() || methods.contains(&"none"))
        && includes("grant_types", "authorization_code")
        && includes("response_types", "code")
        && texts("redirect_uris").all(|uri| uri.is_some())
        && texts("redirect_uris").any(|uri| uri == Some(CALLBACK))
}
