//! The `Authorization` headers of a request (HTTP reference, "Bearer tokens").

use arbitrary::{Arbitrary, Unstructured};
use family_api_core::access::Bearer;
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::{ErrorCode, FamilyApi, Surface};
use futures_util::FutureExt;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::{Arc, LazyLock};

use crate::app;

/// A generated `Authorization` header.
#[derive(Arbitrary, Debug)]
enum Header<'a> {
    Raw(&'a [u8]),
    Credentials { upper: [bool; 6], blanks: u8, token: Token<'a>, tail: &'a [u8] },
}

/// A generated token, with or without our format.
#[derive(Arbitrary, Debug)]
enum Token<'a> {
    Text(&'a [u8]),
    Repeated { letter: u8, times: u8 },
    Minted { random: [u8; 32], typo: Option<(u8, u8)> },
}

/// An API without keys.
static EMPTY: LazyLock<FamilyApi> = LazyLock::new(|| FamilyApi::new(Arc::new(MemoryStorage::new())));

/// The headers contain a token exactly if the HTTP reference says so. The token matches only the key with its SHA-256.
pub fn bearer_header(data: &[u8]) {
    let Ok(headers) = Vec::<Header>::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let headers: Vec<Vec<u8>> = headers.iter().take(3).map(Header::bytes).collect();
    let bearer = Bearer::from_headers(headers.iter().map(Vec::as_slice));
    match (bearer, expected(&headers)) {
        (Ok(bearer), Ok(token)) => {
            assert_eq!(format!("{bearer:?}"), "Bearer([redacted])");
            check_lookup(&bearer, &token);
        }
        (Err(error), Err(code)) => assert_eq!(error.code(), code, "{headers:?}"),
        (bearer, expected) => panic!("{bearer:?}, and not {expected:?}: {headers:?}"),
    }
}

fn check_lookup(bearer: &Bearer, token: &str) {
    let without_key = EMPTY.authenticate(bearer, Surface::ReadPath).now_or_never().expect("no waiting");
    assert_eq!(without_key.err().map(|error| error.code()), Some(ErrorCode::InvalidToken));
    let with_key = api_with_key(token).authenticate(bearer, Surface::ReadPath).now_or_never().expect("no waiting");
    // If a token has our prefix, its checksum is verified before the lookup.
    let typo = token.strip_prefix("fam_").is_some_and(|rest| !has_checksum(rest));
    assert_eq!(with_key.is_ok(), !typo, "{token:?}");
}

/// Creates an API with one key for this token.
fn api_with_key(token: &str) -> FamilyApi {
    let then = "2026-11-01T08:00:00Z";
    let key = json!({ "type": "key", "id": "k", "userId": "u", "name": null, "hint": "", "scopes": ["mcp.read"],
        "tokenHash": hex::encode(Sha256::digest(token)), "createdAt": then, "expiresAt": null, "revokedAt": null });
    let mut records = app::family("f", "u");
    records.push(app::record(&key));
    FamilyApi::new(Arc::new(app::load(records)))
}

impl Header<'_> {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Raw(bytes) => bytes.to_vec(),
            Self::Credentials { upper, blanks, token, tail } => {
                let scheme = upper.iter().zip(b"bearer").map(|(upper, letter)| letter - 32 * u8::from(*upper));
                let blanks = std::iter::repeat_n(b' ', usize::from(blanks % 4));
                scheme.chain(blanks).chain(token.bytes()).chain(tail.iter().copied()).collect()
            }
        }
    }
}

impl Token<'_> {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.to_vec(),
            Self::Repeated { letter, times } => vec![*letter; 496 + usize::from(times % 32)],
            Self::Minted { random, typo } => {
                let check = Sha256::digest(Sha256::digest(random));
                let mut token = b"fam_".to_vec();
                token.extend(bs58::encode([random, &check[..4]].concat()).into_vec());
                if let Some((place, letter)) = typo {
                    let place = usize::from(*place) % token.len();
                    token[place] = *letter;
                }
                token
            }
        }
    }
}

/// Returns the token of the headers by the HTTP reference, or the error code.
fn expected(headers: &[Vec<u8>]) -> Result<String, ErrorCode> {
    match headers {
        [] => Err(ErrorCode::MissingToken),
        [header] => expected_of_one(header),
        _ => Err(ErrorCode::InvalidToken),
    }
}

fn expected_of_one(header: &[u8]) -> Result<String, ErrorCode> {
    let header = header.trim_ascii();
    let (Some(scheme), Some(b' ')) = (header.get(..6), header.get(6)) else { return Err(ErrorCode::MissingToken) };
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Err(ErrorCode::MissingToken);
    }
    let token = header[7..].trim_ascii();
    let visible = token.iter().all(|byte| (0x21..=0x7e).contains(byte));
    if token.len() <= 512 && visible { Ok(String::from_utf8_lossy(token).into()) } else { Err(ErrorCode::InvalidToken) }
}

/// Returns whether the text is the base58check of 32 bytes.
fn has_checksum(text: &str) -> bool {
    let Ok(bytes) = bs58::decode(text).into_vec() else { return false };
    let Some((random, check)) = bytes.split_at_checked(32) else { return false };
    check == &Sha256::digest(Sha256::digest(random))[..4]
}
