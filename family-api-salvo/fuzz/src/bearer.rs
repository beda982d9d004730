//! The `Authorization` headers of a request (HTTP reference, "Bearer tokens").

use arbitrary::{Arbitrary, Unstructured};
use family_api_core::{Endpoint, Error, ErrorCode, FamilyApi, Surface, access::Caller};
use family_api_memory::MemoryStorage;
use futures_util::FutureExt;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::{Arc, LazyLock};

use crate::app;

/// A generated `Authorization` header.
#[derive(Arbitrary, Debug)]
enum Header<'a> {
    Raw(&'a [u8]),
    Credentials { upper: [bool; 6], spaces: u8, token: Token<'a>, tail: &'a [u8] },
}

/// A generated token. Only `WithChecksum` has the token format of this API.
#[derive(Arbitrary, Debug)]
enum Token<'a> {
    Text(&'a [u8]),
    Repeated { letter: u8, times: u8 },
    WithChecksum { random: [u8; 32], typo: Option<(u8, u8)> },
}

/// An API without keys.
static API_WITHOUT_KEYS: LazyLock<FamilyApi> = LazyLock::new(|| FamilyApi::new(Arc::new(MemoryStorage::new())));

/// Checks that a token is found in the headers exactly if the HTTP reference says so, and that the token authenticates
/// only with the key that has the SHA-256 of the token.
pub fn bearer_header(data: &[u8]) {
    let Ok(headers) = Vec::<Header>::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let headers: Vec<Vec<u8>> = headers.iter().take(3).map(Header::bytes).collect();
    let without_key = admit(&API_WITHOUT_KEYS, &headers).unwrap_err().code();
    match expected(&headers) {
        Ok(token) => {
            assert_eq!(without_key, ErrorCode::InvalidToken, "{headers:?}");
            let with_key = admit(&api_with_key(&token), &headers);
            // If a token starts with `fam_`, its checksum is verified before the lookup.
            let has_typo = token.strip_prefix("fam_").is_some_and(|rest| !has_checksum(rest));
            assert_eq!(with_key.is_ok(), !has_typo, "{token:?}");
        }
        Err(code) => assert_eq!(without_key, code, "{headers:?}"),
    }
}

fn admit(api: &FamilyApi, headers: &[Vec<u8>]) -> Result<Caller, Error> {
    let admission = api.admit(headers.iter().map(Vec::as_slice), Surface::ReadPath, Endpoint::Rest);
    admission.now_or_never().expect("the in-memory storage never waits").caller
}

/// Creates an API with one key for this token.
fn api_with_key(token: &str) -> FamilyApi {
    let created_at = "2026-11-01T08:00:00Z";
    let key = json!({ "type": "key", "id": "k", "userId": "u", "name": null, "hint": "", "scopes": ["mcp.read"],
        "tokenHash": hex::encode(Sha256::digest(token)), "createdAt": created_at,
        "expiresAt": null, "revokedAt": null });
    let mut records = app::family("f", "u");
    records.push(app::record_from_json(&key));
    FamilyApi::new(Arc::new(app::storage_with(records)))
}

impl Header<'_> {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Raw(bytes) => bytes.to_vec(),
            Self::Credentials { upper, spaces, token, tail } => {
                let scheme = upper.iter().zip(b"bearer").map(|(upper, letter)| letter - 32 * u8::from(*upper));
                let spaces = std::iter::repeat_n(b' ', usize::from(spaces % 4));
                scheme.chain(spaces).chain(token.bytes()).chain(tail.iter().copied()).collect()
            }
        }
    }
}

impl Token<'_> {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.to_vec(),
            Self::Repeated { letter, times } => vec![*letter; 496 + usize::from(times % 32)],
            Self::WithChecksum { random, typo } => {
                let checksum = Sha256::digest(Sha256::digest(random));
                let mut token = b"fam_".to_vec();
                token.extend(bs58::encode([random, &checksum[..4]].concat()).into_vec());
                if let Some((index, letter)) = typo {
                    let index = usize::from(*index) % token.len();
                    token[index] = *letter;
                }
                token
            }
        }
    }
}

/// Returns the token or the error code that the HTTP reference defines for the headers.
fn expected(headers: &[Vec<u8>]) -> Result<String, ErrorCode> {
    match headers {
        [] => Err(ErrorCode::MissingToken),
        [header] => expected_for_one(header),
        _ => Err(ErrorCode::InvalidToken),
    }
}

fn expected_for_one(header: &[u8]) -> Result<String, ErrorCode> {
    let header = header.trim_ascii();
    let (Some(scheme), Some(b' ')) = (header.get(..6), header.get(6)) else { return Err(ErrorCode::MissingToken) };
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Err(ErrorCode::MissingToken);
    }
    let token = header[7..].trim_ascii();
    let is_visible_ascii = token.iter().all(|byte| (0x21..=0x7e).contains(byte));
    if token.len() <= 512 && is_visible_ascii {
        Ok(String::from_utf8_lossy(token).into())
    } else {
        Err(ErrorCode::InvalidToken)
    }
}

/// Returns whether the text is the base58check of 32 bytes.
fn has_checksum(text: &str) -> bool {
    let Ok(bytes) = bs58::decode(text).into_vec() else { return false };
    let Some((random, checksum)) = bytes.split_at_checked(32) else { return false };
    checksum == &Sha256::digest(Sha256::digest(random))[..4]
}
