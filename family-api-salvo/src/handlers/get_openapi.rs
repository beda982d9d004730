//! Serves the OpenAPI document.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use family_api_core::{Error, paths};
use salvo::{Depot, Request, handler};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::json_response::JsonResponse;
use crate::{HttpError, Origin};

/// The OpenAPI document of the mounted routes. The router stores this value in the depot for the handler.
#[derive(Clone)]
pub(crate) struct OpenApi {
    build: Arc<dyn Fn() -> Value + Send + Sync>,
    /// The document, which its first request builds.
    document: Arc<OnceCell<Value>>,
    address: Option<Origin>,
    /// The path prefix of the first request, and the document for this prefix. Usually there is only one prefix.
    cache: Arc<OnceLock<(String, Bytes)>>,
}

impl OpenApi {
    pub(crate) fn new(build: impl Fn() -> Value + Send + Sync + 'static, address: Option<Origin>) -> Self {
        Self { build: Arc::new(build), document: Arc::default(), address, cache: Arc::default() }
    }

    /// Returns the document for a request path. The document's `servers` URL ends with the prefix of the path, such as
    /// `/family`.
    async fn for_path(&self, path: &str) -> Result<Bytes, Error> {
        let prefix = path.trim_end_matches('/').strip_suffix(paths::OPENAPI).unwrap_or_default();
        let document = self
            .document
            .get_or_try_init(|| {
                let build = Arc::clone(&self.build);
                spawn_blocking(move || build())
            })
            .await;
        let document = document.map_err(|error| Error::Internal(error.into()))?;
        let (cached, bytes) = self.cache.get_or_init(|| (prefix.to_owned(), self.serialize(document, prefix)));
        Ok(if cached == prefix { bytes.clone() } else { self.serialize(document, prefix) })
    }

    fn serialize(&self, document: &Value, prefix: &str) -> Bytes {
        let server = match &self.address {
            Some(address) => format!("{address}{prefix}"),
            None if prefix.is_empty() => "/".to_owned(),
            None => prefix.to_owned(),
        };
        let mut document = document.clone();
        document["servers"] = json!([{ "url": server }]);
        document.to_string().into()
    }
}

pub(crate) struct GetOpenApi;

#[handler]
impl GetOpenApi {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let missing = || Error::Internal("the OpenAPI document is not in the depot".into());
        let openapi = depot.get_typed::<OpenApi>().map_err(|_| missing())?;
        Ok(JsonResponse::from_json(openapi.for_path(req.uri().path()).await?))
    }
}
