//! Parses metadata documents.

use crate::oauth::ResolvedClient;
use crate::oauth::client::document_url::DocumentUrl;
use crate::oauth::client::metadata::{ClientMetadata, InvalidMetadata};

/// Parses the document that was fetched from a URL.
pub(super) fn parse_document(url: &DocumentUrl, json: &[u8]) -> Result<ResolvedClient, InvalidMetadata> {
    let metadata = ClientMetadata::parse(json)?;
    if metadata.client_id.as_deref() != Some(url.as_str()) {
        return Err(InvalidMetadata::Other("the client_id of the document is not the address of the document"));
    }
    metadata.check_flow()?;
    metadata.check_public()?;
    Ok(ResolvedClient {
        id: url.to_string(),
        name: metadata.name(),
        publisher: Some(url.host().to_owned()),
        redirect_uris: metadata.usable_redirect_uris()?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const URL: &str = "https://client.example/metadata.json";

    fn parse(document: &Value) -> Result<ResolvedClient, InvalidMetadata> {
        parse_document(&URL.parse().unwrap(), document.to_string().as_bytes())
    }

    fn document() -> Value {
        json!({ "client_id": URL, "client_name": "Example", "redirect_uris": ["https://client.example/callback"] })
    }

    #[test]
    fn document_describes_its_client() {
        let client = parse(&document()).unwrap();
        assert_eq!((client.id.as_str(), client.name.as_deref()), (URL, Some("Example")));
        assert_eq!(client.publisher.as_deref(), Some("client.example"));
        assert!(client.allows("https://client.example/callback").is_some());
    }

    #[test]
    fn client_that_can_do_without_a_secret_is_public() {
        let cases = [
            (json!("none"), json!(null), true),
            (json!(null), json!(null), true),
            (json!("private_key_jwt"), json!(["none", "private_key_jwt"]), true),
            (json!(null), json!(["none"]), true),
            (json!("private_key_jwt"), json!(null), false),
            (json!("client_secret_basic"), json!(["client_secret_post"]), false),
        ];
        for (preferred, supported, is_public) in cases {
            let mut document = document();
            document["token_endpoint_auth_method"] = preferred;
            document["token_endpoint_auth_methods_supported"] = supported;
            assert_eq!(parse(&document).is_ok(), is_public, "{document}");
        }
    }

    #[test]
    fn unusable_documents_are_refused() {
        for (member, value) in [
            ("client_id", json!("https://client.example/other.json")),
            ("client_id", json!("https://client.example/metadata.json/")),
            ("client_id", json!(null)),
            ("client_id", json!(7)),
            ("client_secret", json!("secret")),
            ("grant_types", json!(["client_credentials"])),
            ("response_types", json!(["token"])),
            ("redirect_uris", json!([])),
            ("redirect_uris", json!(["http://client.example/callback", "javascript:alert(1)"])),
            ("redirect_uris", json!("https://client.example/callback")),
            ("client_name", json!({ "en": "Example" })),
        ] {
            let mut document = document();
            document[member] = value;
            assert!(parse(&document).is_err(), "{document}");
        }
        for text in ["", "[]", "null", "{", "<html>"] {
            assert!(parse_document(&URL.parse().unwrap(), text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn unusable_redirect_uris_of_a_document_are_ignored() {
        let mut document = document();
        document["redirect_uris"] = json!(["unknown:/callback", "http://127.0.0.1/callback"]);
        let client = parse(&document).unwrap();
        assert_eq!(client.redirect_uris.len(), 1);
        assert!(client.allows("unknown:/callback").is_none());
    }
}
