//! Registered clients. The id of such a client is its signed description, so no storage contains it.

use family_api_core::grant::SigningKey;
use serde::Deserialize;
use serde_json::json;

use crate::oauth::client::metadata::{ClientMetadata, InvalidMetadata};
use crate::oauth::{RedirectUri, ResolvedClient};

/// The purpose of the signature.
const PURPOSE: &str = "client";

/// Maximum length of a client's id, in bytes.
const MAX_ID_LENGTH: usize = 2_048;

/// The payload of an id. The names are short, because the id occurs in URLs.
#[derive(Deserialize)]
struct Payload {
    #[serde(rename = "r")]
    redirect_uris: Vec<String>,
    #[serde(rename = "n")]
    name: Option<String>,
}

/// Registers a client: returns it with its new id.
pub(super) fn register(metadata: &ClientMetadata, key: &SigningKey) -> Result<ResolvedClient, InvalidMetadata> {
    let redirect_uris = metadata.all_redirect_uris()?;
    metadata.check_flow()?;
    let name = metadata.name();
    let texts: Vec<&str> = redirect_uris.iter().map(RedirectUri::as_str).collect();
    let id = key.sign(PURPOSE, json!({ "r": texts, "n": name }).to_string().as_bytes());
    if id.len() > MAX_ID_LENGTH {
        return Err(InvalidMetadata::Other("the redirect_uris and the client_name are too long together"));
    }
    Ok(ResolvedClient { id, name, publisher: None, redirect_uris })
}

/// Returns the client with an id that this service signed.
pub(super) fn find(id: &str, key: &SigningKey) -> Option<ResolvedClient> {
    let payload = key.verify(PURPOSE, id)?;
    let payload: Payload = serde_json::from_slice(&payload).ok()?;
    let redirect_uris = payload.redirect_uris.iter().map(|text| text.parse().ok()).collect::<Option<_>>()?;
    Some(ResolvedClient { id: id.to_owned(), name: payload.name, publisher: None, redirect_uris })
}
