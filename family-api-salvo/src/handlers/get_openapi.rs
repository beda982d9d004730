//! Serves the OpenAPI document.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use family_api_core::{Error, paths};
use salvo::{Depot, Request, handler};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::{Failure, Origin};

/// The OpenAPI document of the mounted routes. The router stores it in the depot for the handler.
#[derive(Clone)]
pub(crate) struct OpenApi {
    document: Arc<Value>,
    address: Option<Origin>,
    /// Cached document for the prefix of the first request. Usually there is only one prefix.
    cache: Arc<OnceLock<(String, Bytes)>>,
}

impl OpenApi {
    pub(crate) fn new(document: Value, address: Option<Origin>) -> Self {
        Self { document: Arc::new(document), address, cache: Arc::default() }
    }

    /// Returns the document. Its `servers` URL ends with the path prefix under which the API is mounted.
    fn at(&self, path: &str) -> Bytes {
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
        let mut document = (*self.document).clone();
        document["servers"] = json!([{ "url": server }]);
        document.to_string().into()
    }
}

pub(crate) struct GetOpenApi;

#[handler]
impl GetOpenApi {
    fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let missing = || Error::Internal("the document is mounted without its content".into());
        let openapi = depot.get_typed::<OpenApi>().map_err(|_| missing())?;
        Ok(Answer::from_json(openapi.at(req.uri().path())))
    }
}
