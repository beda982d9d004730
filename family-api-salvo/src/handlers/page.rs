//! Serves the page that renders the OpenAPI document, and all files that it loads.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Request, Response, Scribe, handler};
use salvo_oapi::swagger_ui::{Config, serve};

use crate::Failure;

/// The path of the document. It is relative, so the page works under any prefix.
const DOCUMENT: &str = "../openapi.json";

/// The page's scripts and styles are inline. The browser must not load anything from other origins.
const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
                      form-action 'none'";

pub(crate) struct GetPage;

#[handler]
impl GetPage {
    fn handle(req: &Request) -> Result<PageFile, Failure> {
        if req.uri().path().ends_with('/') { PageFile::load("") } else { Ok(PageFile::RedirectToSlash) }
    }
}

pub(crate) struct GetPageFile;

#[handler]
impl GetPageFile {
    fn handle(req: &Request) -> Result<PageFile, Failure> {
        PageFile::load(req.params().get("file").map(String::as_str).unwrap_or_default())
    }
}

/// Cache of decompressed files by name. The binary may contain them compressed.
static CACHE: Mutex<BTreeMap<String, PageFile>> = Mutex::new(BTreeMap::new());

/// The response for the page or one of its files.
#[derive(Clone)]
pub(crate) enum PageFile {
    /// A redirect to the trailing slash. The page's relative links need it.
    RedirectToSlash,
    Content {
        content_type: HeaderValue,
        bytes: Bytes,
    },
}

impl PageFile {
    /// Returns a file from the cache, or decompresses it first.
    fn load(name: &str) -> Result<Self, Failure> {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = cache.get(name) {
            return Ok(file.clone());
        }
        let file = Self::unpack(name)?;
        cache.insert(name.to_owned(), file.clone());
        Ok(file)
    }

    fn unpack(name: &str) -> Result<Self, Failure> {
        // Without this, the page would send the document's address to a public validator.
        let config = Config::new([DOCUMENT]).validator_url("none");
        let file = serve(name, "Family API", "", "", &config).map_err(|error| Error::Internal(Box::new(error)))?;
        let file = file.ok_or(Error::NotFound)?;
        let content_type = file.content_type.parse().map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self::Content { content_type, bytes: file.bytes.into_owned().into() })
    }
}

impl Scribe for PageFile {
    fn render(self, res: &mut Response) {
        match self {
            Self::RedirectToSlash => {
                res.status_code(StatusCode::PERMANENT_REDIRECT);
                res.headers_mut().insert(LOCATION, HeaderValue::from_static("docs/"));
            }
            Self::Content { content_type, bytes } => {
                res.status_code(StatusCode::OK);
                let headers = res.headers_mut();
                headers.insert(CONTENT_TYPE, content_type);
                headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
                headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
                res.replace_body(ResBody::Once(bytes));
            }
        }
    }
}
