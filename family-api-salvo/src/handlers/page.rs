//! Serves the page that renders the OpenAPI document; everything it loads comes from here.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Request, Response, Scribe, handler};
use salvo_oapi::swagger_ui::{Config, serve};

use crate::Failure;

/// Relative, so that the page works under whatever prefix the host mounts it.
const DOCUMENT: &str = "../openapi.json";

/// The page's own scripts and styles are inline; the browser is told to load nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
                      form-action 'none'";

pub(crate) struct GetPage;

#[handler]
impl GetPage {
    fn handle(req: &Request) -> Result<PageFile, Failure> {
        if req.uri().path().ends_with('/') { PageFile::load("") } else { Ok(PageFile::MovedToSlash) }
    }
}

pub(crate) struct GetPageFile;

#[handler]
impl GetPageFile {
    fn handle(req: &Request) -> Result<PageFile, Failure> {
        PageFile::load(req.params().get("file").map(String::as_str).unwrap_or_default())
    }
}

/// The files that were asked for, by their names: the program may hold them compressed, and unpacks each once.
static UNPACKED: Mutex<BTreeMap<String, PageFile>> = Mutex::new(BTreeMap::new());

/// What the page is made of.
#[derive(Clone)]
pub(crate) enum PageFile {
    /// The page refers to its files relative to a slash at the end of its path.
    MovedToSlash,
    Content {
        content_type: HeaderValue,
        bytes: Bytes,
    },
}

impl PageFile {
    /// A file that there is; many who ask for one share it.
    fn load(name: &str) -> Result<Self, Failure> {
        let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = unpacked.get(name) {
            return Ok(file.clone());
        }
        let file = Self::unpack(name)?;
        unpacked.insert(name.to_owned(), file.clone());
        Ok(file)
    }

    fn unpack(name: &str) -> Result<Self, Failure> {
        // Without this, the page would have a public validator read the document.
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
            Self::MovedToSlash => {
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
