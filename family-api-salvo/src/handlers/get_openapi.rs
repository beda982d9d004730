//! Serves the OpenAPI document.

use std::sync::{Arc, LazyLock, OnceLock};

use bytes::Bytes;
use family_api_core::{Error, paths};
use salvo::{Depot, Request, handler};
use serde_json::{Value, json};

use crate::json_response::JsonResponse;
use crate::{HttpError, Origin};

/// A document that its first request builds.
type LazyDocument = LazyLock<Value, Box<dyn FnOnce() -> Value + Send>>;

/// The OpenAPI document of the mounted routes. The router stores this value in the depot for the handler.
#[derive(Clone)]
pub(crate) struct OpenApi {
    document: Arc<LazyDocument>,
    address: Option<Origin>,
    /// The path prefix of the first request, and the document for this prefix. Usually there is only one prefix.
    cache: Arc<OnceLock<(String, Bytes)>>,
}

impl OpenApi {
    pub(crate) fn new(document: impl FnOnce() -> Value + Send + 'static, address: Option<Origin>) -> Self {
        Self { document: Arc::new(LazyLock::new(Box::new(document))), address, cache: Arc::default() }
    }

    /// Returns the document for a request path. The document's `servers` URL ends with the prefix of the path, such as
    /// `/family`.
    fn for_path(&self, path: &str) -> Bytes {
        let prefix = path.trim_end_matches('/').strip_suffix(paths::OPENAPI).unwrap_or_default();
        let (cached, bytes) = self.cache.get_or_init(|| (prefix.to_owned(), self.serialize(prefix)));
        if cached == prefix { bytes.clone() } else { self.serialize(prefix) }
    }

    fn serialize(&self, prefix: &str) -> Bytes {
        let server = match &self.address {
            Some(address) => format!("{address}{prefix}"),
            None if prefix.is_empty() => "/".to_owned(),
            None => prefix.to_owned(),
        };
        let mut document = Value::clone(&self.document);
        document["servers"] = json!([{ "url": server }]);
        document.to_string().into()
    }
}

pub(crate) struct GetOpenApi;

#[handler]
impl GetOpenApi {
    fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let missing = || Error::Internal("the OpenAPI document is not in the depot".into());
        let openapi = depot.get_typed::<OpenApi>().map_err(|_| missing())?;
        Ok(JsonResponse::from_json(openapi.for_path(req.uri().path())))
    }
}
