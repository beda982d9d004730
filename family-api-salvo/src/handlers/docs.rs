//! Serves the page that renders the OpenAPI document, and all files that it loads.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Request, Response, Scribe, handler};
use salvo_oapi::swagger_ui::{Config, serve};

use crate::HttpError;

/// The path of the OpenAPI document. It is relative, so the page works under any prefix.
const OPENAPI_PATH: &str = "../openapi.json";

/// Makes the page as wide as the screen of a phone. The template has a placeholder for keywords, which it inserts as
/// they are.
const VIEWPORT: &str = r#"<meta name="viewport" content="width=device-width, initial-scale=1">"#;

/// Allows inline scripts and styles, which the page has. Forbids everything from other origins.
const DOCS_CSP: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                        img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
                        form-action 'none'";

pub(crate) struct GetDocs;

#[handler]
impl GetDocs {
    fn handle(req: &Request) -> Result<DocsFile, HttpError> {
        if req.uri().path().ends_with('/') { DocsFile::load("") } else { Ok(DocsFile::RedirectToSlash) }
    }
}

pub(crate) struct GetDocsFile;

#[handler]
impl GetDocsFile {
    fn handle(req: &Request) -> Result<DocsFile, HttpError> {
        DocsFile::load(req.params().get("file").map(String::as_str).unwrap_or_default())
    }
}

/// The decompressed files of the page, by name. The binary can contain the files compressed.
static FILES: Mutex<BTreeMap<String, DocsFile>> = Mutex::new(BTreeMap::new());

/// The response for the page or one of its files.
#[derive(Clone)]
pub(crate) enum DocsFile {
    /// A redirect to `/docs/`. Without the trailing slash, the browser resolves the page's relative links wrongly.
    RedirectToSlash,
    Content {
        content_type: HeaderValue,
        bytes: Bytes,
    },
}

impl DocsFile {
    /// Returns a file from the cache. Decompresses the file on its first use.
    fn load(name: &str) -> Result<Self, HttpError> {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = files.get(name) {
            return Ok(file.clone());
        }
        let file = Self::decompress(name)?;
        files.insert(name.to_owned(), file.clone());
        Ok(file)
    }

    fn decompress(name: &str) -> Result<Self, HttpError> {
        // Without `none`, the page would send the document's address to a public validator.
        let config = Config::new([OPENAPI_PATH]).validator_url("none");
        let file =
            serve(name, "Family API", VIEWPORT, "", &config).map_err(|error| Error::Internal(Box::new(error)))?;
        let file = file.ok_or(Error::NotFound)?;
        let content_type = file.content_type.parse().map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self::Content { content_type, bytes: file.bytes.into_owned().into() })
    }
}

impl Scribe for DocsFile {
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
                headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(DOCS_CSP));
                headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
                res.replace_body(ResBody::Once(bytes));
            }
        }
    }
}
