//! Metadata documents of clients (HTTP reference, "Clients").

use async_trait::async_trait;
use bytes::Bytes;
use family_api_salvo::{ClientDocuments, FetchError};
use serde_json::{Value, json};

use crate::app::App;

const URL: &str = "https://client.example/metadata.json";
const CALLBACK: &str = "https://client.example/callback";

/// Serves the same document at every URL.
struct Document(Bytes);

#[async_trait]
impl ClientDocuments for Document {
    async fn fetch(&self, _: &str) -> Result<Bytes, FetchError> {
        Ok(self.0.clone())
    }
}

/// Checks that a document identifies its client only if the HTTP reference says so, and that nothing in it changes the
/// structure of the page.
pub fn client_metadata(data: &[u8]) {
    let is_accepted = show(data);
    let Ok(document) = serde_json::from_slice::<Value>(data) else {
        assert!(!is_accepted, "the document is not JSON");
        return;
    };
    if is_accepted {
        assert!(is_usable(&document), "{document}");
    }
    // The same document with each member once.
    let object = json!({ "client_id": document["client_id"], "redirect_uris": document["redirect_uris"] });
    assert_eq!(show(object.to_string().as_bytes()), is_usable(&object), "{object}");
}

/// Shows the page for the client of the document. Returns whether the user is asked for consent.
fn show(document: &[u8]) -> bool {
    let app = App::with_oauth(Document(Bytes::copy_from_slice(document)));
    let page = app.authorize(URL, CALLBACK, "code");
    assert!(page.header("location").is_none(), "{page:?}");
    assert!(matches!(page.status, 200 | 400), "{page:?}");
    let text = std::str::from_utf8(&page.body).unwrap();
    assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{200b}', '\0', '\u{7f}']), "{text}");
    assert_eq!(text.matches("<form").count(), usize::from(page.status == 200), "{text}");
    assert!(text.matches("<script").count() <= 1 && !text.contains("<img"), "{text}");
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
